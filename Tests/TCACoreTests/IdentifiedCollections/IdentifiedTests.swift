import ActionLog
import Foundation
import TCACore
import Testing

@Suite struct IdentifiedTests {
  private struct Person: Hashable, Codable, Sendable {
    var name: String
    var age = 0
  }

  @Test func `Identified takes an id as a value, a closure or a key path`() {
    #expect(Identified("a", id: 1).id == 1)
    #expect(Identified("abc", id: { $0.count }).id == 3)
    #expect(Identified("abc", id: \.self).id == "abc")
    let path: KeyPath<String, Int> = \.count
    #expect(Identified("abc", id: path).id == 3)
  }

  @Test func `Identified exposes the members of its value`() {
    var person = Identified(Person(name: "Blob"), id: UUID(0))
    person.age += 1
    #expect(person.value == Person(name: "Blob", age: 1))
    #expect(person.name.count == 4)
    #expect(person.name.isEmpty == false)
  }

  @Test func `an identified array finds Identified elements by their ids`() {
    var people: IdentifiedArrayOf<Identified<Int, Person>> = [
      Identified(Person(name: "a"), id: 1), Identified(Person(name: "b"), id: 2),
    ]
    people[id: 2]?.name = "c"
    people[id: 1] = nil
    #expect(people == [Identified(Person(name: "c"), id: 2)])
  }

  @Test func `Identified values are equal if their id and value are equal`() throws {
    let one = Identified(Person(name: "a"), id: 1)
    #expect(one != Identified(Person(name: "a"), id: 2))
    #expect(one != Identified(Person(name: "b"), id: 1))
    #expect(Set([one, one]).count == 1)
    let data = try JSONEncoder().encode(one)
    #expect(try JSONDecoder().decode(Identified<Int, Person>.self, from: data) == one)
  }

  @Test func `Identified round-trips through the log with its id and value`() throws {
    let one = Identified([1, 2], id: "a")
    let json = JSON(logging: one)
    #expect(json == ["id": "a", "value": [1, 2]])
    #expect(try LogDecoder(json).value(Identified<String, [Int]>.self) == one)
  }

  @Test func `a dump of Identified shows its id and value`() {
    #expect(
      String(customDumping: Identified("a", id: 1)) == """
        Identified(
          id: 1,
          value: "a"
        )
        """
    )
  }
}
