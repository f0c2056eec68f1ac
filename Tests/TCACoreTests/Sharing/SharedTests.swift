import Foundation
import TCACore
import Testing

private struct User: Equatable, Identifiable, Sendable {
  var id = 1
  var name = "Blob"
  var nickname: String?
  var shout: String { name.uppercased() }
}

@Suite struct SharedTests {
  @Test func `a change of one copy of a shared value changes all copies`() {
    @Shared(value: 1) var count: Int
    let copy = $count
    copy.withLock { $0 += 1 }
    #expect(count == 2)
    #expect(copy.wrappedValue == 2)
    @Shared(projectedValue: $count) var other: Int
    $other.withLock { $0 += 1 }
    #expect(count == 3)
  }

  @Test func `withLock returns the result of its operation and rethrows its error`() {
    struct Refused: Error, Equatable {}
    let count = Shared(value: 1)
    #expect(count.withLock { (value: inout Int) -> String in "\(value)" } == "1")
    #expect(throws: Refused()) {
      try count.withLock {
        $0 = 5
        throw Refused()
      }
    }
    #expect(count.wrappedValue == 5)
  }

  @Test func `a member of a shared value is shared and can be read and written`() {
    @Shared(value: User()) var user: User
    let name: Shared<String> = $user.name
    name.withLock { $0 = "Blob Jr." }
    #expect(user.name == "Blob Jr.")
    $user.withLock { $0.name = "Blob Sr." }
    #expect(name.wrappedValue == "Blob Sr.")
    let shout: SharedReader<String> = $user.shout
    #expect(shout.wrappedValue == "BLOB SR.")
    let reader: SharedReader<String> = SharedReader($user).name
    #expect(reader.wrappedValue == "Blob Sr.")
  }

  @Test
  func `a shared value that unwraps an optional keeps its value when the optional becomes nil`()
    throws
  {
    @Shared(value: User()) var user: User
    #expect(Shared($user.nickname) == nil)
    $user.withLock { $0.nickname = "B" }
    let nickname = try #require(Shared($user.nickname))
    let reader = try #require(SharedReader(SharedReader($user).nickname))
    nickname.withLock { $0 += "!" }
    #expect(user.nickname == "B!")
    #expect(reader.wrappedValue == "B!")
    $user.withLock { $0.nickname = nil }
    nickname.withLock { $0 += "?" }
    #expect(user.nickname == nil, "what is written afterwards is nobody else's")
    #expect(nickname.wrappedValue == "B!?")
    #expect(reader.wrappedValue == "B!", "what was there last")
  }

  @Test func `an element of a shared identified array is shared by its id`() throws {
    @Shared(value: [User(id: 1), User(id: 2, name: "Blob Jr.")]) var users: IdentifiedArrayOf<User>
    let maybe: Shared<User?> = $users[id: 2]
    #expect(maybe.wrappedValue?.name == "Blob Jr.")
    let second = try #require(Shared($users[id: 2]))
    #expect(Shared($users[id: 3]) == nil)
    second.withLock { $0.name = "B" }
    #expect(users[id: 2]?.name == "B")
    // The id identifies the element, not its index.
    $users.withLock { _ = $0.remove(id: 1) }
    second.name.withLock { $0 = "C" }
    #expect(users == [User(id: 2, name: "C")])
    #expect(SharedReader($users)[id: 2].wrappedValue?.name == "C")
    #expect(second.id == 2)
  }

  @Test func `a shared identified array is a sequence of shared elements`() {
    @Shared(value: [User(id: 1), User(id: 2)]) var users: IdentifiedArrayOf<User>
    let elements = Array($users)
    #expect(elements.map(\.wrappedValue.id) == [1, 2])
    elements[1].withLock { $0.name = "Second" }
    #expect(users[id: 2]?.name == "Second")
    #expect(Array(SharedReader($users)).map(\.wrappedValue.name) == ["Blob", "Second"])
  }

  @Test func `a shared array is a collection of its shared elements`() throws {
    @Shared(value: [1, 2, 3]) var numbers: [Int]
    #expect($numbers.count == 3)
    for number in $numbers { number.withLock { $0 *= 10 } }
    #expect(numbers == [10, 20, 30])
    let last = try #require($numbers.last)
    $numbers.withLock { $0.removeLast() }
    #expect(last.wrappedValue == 30, "what was there last")
    last.withLock { $0 = 7 }
    #expect(numbers == [10, 20])
    #expect($numbers.map(\.wrappedValue) == numbers)
    #expect(SharedReader($numbers).map(\.wrappedValue) == numbers)
    #expect(Array($numbers)[0] == Shared(value: 10))
  }

  @Test func `shared values are compared by value and are not Hashable or Encodable`() {
    let one = Shared(value: 1)
    #expect(one == Shared(value: 1))
    #expect(one != Shared(value: 2))
    #expect(SharedReader(one) == .constant(1))
    #expect(!(one is any Hashable))
    #expect(!(one is any Encodable))
  }

  @Test func `the description and mirror of a shared value show its value`() {
    let user = Shared(value: User())
    #expect("\(Shared(value: "a"))" == #"Shared("a")"#)
    #expect("\(SharedReader.constant(1))" == "SharedReader(1)")
    #expect(Mirror(reflecting: user).children.map(\.label) == ["id", "name", "nickname"])
  }

  @Test func `reading a shared value inside withLock returns the value before the change`() {
    @Shared(value: [1, 2]) var numbers: [Int]
    $numbers.withLock { value in
      value.append(3)
      value.append(numbers.count)
    }
    #expect(numbers == [1, 2, 3, 2])
  }

  @Test func `changing a shared value inside its own withLock reports an issue`() {
    let count = Shared(value: 1)
    let issues = recordingIssues {
      count.withLock { value in
        count.withLock { $0 = 10 }
        value += 1
      }
    }
    #expect(
      issues == [
        """
        The shared value Int was changed inside a "withLock" of itself. The inner change is lost when \
        the outer one ends. Change the value that the outer closure is given.
        """
      ]
    )
    #expect(count.wrappedValue == 2)
  }

  @Test func `concurrent changes of a shared value lose no update`() async {
    let count = Shared(value: 0)
    let users = Shared(
      value: IdentifiedArrayOf<User>(uniqueElements: (0..<8).map { User(id: $0, name: "") })
    )
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          for _ in 0..<250 {
            count.withLock { $0 += 1 }
            users[id: index].withLock { $0?.name += "x" }
            _ = users.wrappedValue.count
          }
        }
      }
    }
    #expect(count.wrappedValue == 2000)
    #expect(users.wrappedValue.allSatisfy { $0.name.count == 250 })
  }
}
