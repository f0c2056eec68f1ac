import Foundation
import Testing

@testable import TCACore

extension SharedKey where Self == InMemoryKey<Int>.Default {
  fileprivate static var visits: Self { Self[.inMemory("visits"), default: 7] }
}

/// A key whose loads and saves are released by the test.
private struct SlowKey: SharedKey {
  let id: String
  let server: Server

  final class Server: Sendable {
    struct State {
      var loads: [LoadContinuation<Int>] = []
      var saves: [(value: Int, continuation: SaveContinuation)] = []
      var subscriber: SharedSubscriber<Int>?
      var cancellations = 0
    }
    let state = LockIsolated(State())
    var saved: [Int] { state.withValue { $0.saves.map(\.value) } }
  }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    server.state.withValue { $0.loads.append(continuation) }
  }
  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    server.state.withValue { $0.subscriber = subscriber }
    return SharedSubscription { [server] in server.state.withValue { $0.cancellations += 1 } }
  }
  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    server.state.withValue { $0.saves.append((value, continuation)) }
  }
}

private struct Offline: Error, Equatable {}

@Suite struct SharedKeyTests {
  @Test func `shared values with the same key have one reference`() {
    withOwnSharing {
      @Shared(.inMemory("count")) var one = 1
      @Shared(.inMemory("count")) var two = 2
      @SharedReader(.inMemory("count")) var reader = 3
      @Shared(.inMemory("other")) var other = 4
      $two.withLock { $0 += 10 }
      #expect(one == 11 && two == 11 && reader == 11 && other == 4)
    }
  }

  @Test func `shared values with the same name and different types are separate`() {
    withOwnSharing {
      @Shared(.inMemory("x")) var number = 1
      @Shared(.inMemory("x")) var text = "a"
      $number.withLock { $0 = 2 }
      $text.withLock { $0 = "b" }
      #expect(number == 2 && text == "b")
    }
  }

  @Test func `a shared key can provide the default value`() {
    withOwnSharing {
      @Shared(.visits) var visits
      @Shared(.visits) var same = 100
      @SharedReader(.visits) var reader
      #expect(visits == 7 && same == 7 && reader == 7)
    }
    withOwnSharing {
      @Shared(.visits) var visits = 100
      @Shared(.inMemory("visits")) var undefaulted = 1
      #expect(visits == 100 && undefaulted == 100)
    }
  }

  @Test func `an optional shared value needs no default`() {
    withOwnSharing {
      @Shared(.inMemory("name")) var name: String?
      #expect(name == nil)
      $name.withLock { $0 = "Blob" }
      @SharedReader(.inMemory("name")) var reader: String?
      #expect(reader == "Blob")
    }
  }

  @Test func `an in-memory shared value outlives its references`() {
    withOwnSharing {
      do {
        @Shared(.inMemory("count")) var count = 1
        $count.withLock { $0 = 5 }
      }
      @Shared(.inMemory("count")) var count = 1
      #expect(count == 5)
    }
  }

  @Test func `in-memory values of different storages are separate`() {
    withOwnSharing {
      @Shared(.inMemory("count")) var outer = 1
      $outer.withLock { $0 = 2 }
      withDependencies {
        $0.defaultInMemoryStorage = InMemoryStorage()
      } operation: {
        @Shared(.inMemory("count")) var inner = 1
        #expect(inner == 1)
      }
    }
  }

  @Test func `isLoading is true from the start of a load to its result`() async {
    let server = SlowKey.Server()
    await withOwnSharing {
      @Shared(SlowKey(id: "a", server: server)) var value = 1
      #expect($value.isLoading)
      #expect(value == 1)
      server.state.withValue { $0 }.loads[0].resume(returning: 2)
      #expect(!$value.isLoading)
      #expect(value == 2)

      let shared = $value
      let load = Task { try await shared.load() }
      while server.state.withValue({ $0.loads.count }) < 2 { await Task.yield() }
      #expect($value.isLoading)
      server.state.withValue { $0 }.loads[1].resume(throwing: Offline())
      await #expect(throws: Offline()) { try await load.value }
      #expect($value.loadError as? Offline == Offline())
      #expect(value == 2)

      server.state.withValue { $0 }.subscriber?.yieldLoading()
      #expect($value.isLoading)
      server.state.withValue { $0 }.subscriber?.yieldLoading(false)
      #expect(!$value.isLoading)
    }
  }

  private static let ends: [(String, Int, @Sendable (SharedSubscriber<Int>) -> Void)] = [
    ("a value", 3, { $0.yield(3) }),
    ("no value", 1, { $0.yieldReturningInitialValue() }),
    ("an error", 1, { $0.yield(throwing: Offline()) }),
  ]

  @Test(arguments: ends.indices)
  func `a value or an error of a subscription ends the loading that the subscription announced`(
    index: Int
  ) {
    let (name, expected, bring) = Self.ends[index]
    let server = SlowKey.Server()
    withOwnSharing {
      @Shared(SlowKey(id: "a", server: server)) var value = 1
      server.state.withValue { $0 }.loads[0].resumeReturningInitialValue()
      let subscriber = server.state.withValue { $0 }.subscriber
      for _ in 0..<2 {
        subscriber?.yieldLoading()
        #expect($value.isLoading)
        subscriber.map(bring)
        #expect(!$value.isLoading, "\(name)")
        #expect(value == expected)
      }
      subscriber?.yieldLoading()
      (($value.reference as? SharedRoot<Int>)?.load { _ in })
      server.state.withValue { $0 }.loads[1].resume(returning: 5)
      #expect(!$value.isLoading && value == 5, "a load brings a value too")
      #expect($value.loadError == nil)
    }
  }

  @Test
  func `a change of a shared value takes precedence over a load that started before the change`() {
    let server = SlowKey.Server()
    withOwnSharing {
      @Shared(SlowKey(id: "a", server: server)) var value = 1
      $value.withLock { $0 = 5 }
      server.state.withValue { $0 }.loads[0].resume(returning: 2)
      #expect(value == 5)
      #expect(server.saved == [5])
      server.state.withValue { $0 }.saves[0].continuation.resume()
    }
  }

  @Test func `a save error of a shared value stays until a save succeeds`() async throws {
    let server = SlowKey.Server()
    try await withOwnSharing {
      @Shared(SlowKey(id: "a", server: server)) var value = 1
      server.state.withValue { $0 }.loads[0].resumeReturningInitialValue()
      $value.withLock { $0 = 2 }
      #expect($value.saveError == nil)
      server.state.withValue { $0 }.saves[0].continuation.resume(throwing: Offline())
      #expect($value.saveError as? Offline == Offline())
      let shared = $value
      let save = Task { try await shared.save() }
      while server.saved.count < 2 { await Task.yield() }
      server.state.withValue { $0 }.saves[1].continuation.resume()
      try await save.value
      #expect($value.saveError == nil)
      #expect(server.saved == [2, 2])
    }
  }

  @Test func `a key's subscription is canceled when the last reference is released`() {
    let server = SlowKey.Server()
    withOwnSharing {
      do {
        @Shared(SlowKey(id: "a", server: server)) var value = 1
        @Shared(SlowKey(id: "a", server: server)) var same = 1
        server.state.withValue { $0 }.loads[0].resumeReturningInitialValue()
        #expect(server.state.withValue { $0.loads.count } == 1)
        #expect(value == same)
        #expect(server.state.withValue { $0.cancellations } == 0)
      }
      #expect(server.state.withValue { $0.cancellations } == 1)
    }
  }

  @Test(arguments: [false, true])
  func `a required shared value is loaded once before it is available`(isRead: Bool) async throws {
    let server = SlowKey.Server()
    let key = SlowKey(id: "a", server: server)
    try await withOwnSharing {
      let shared = Task {
        isRead
          ? try await SharedReader(require: key) : SharedReader(try await Shared(require: key))
      }
      while server.state.withValue({ $0.loads.isEmpty }) { await Task.yield() }
      server.state.withValue { $0 }.loads[0].resume(returning: 9)
      let value = try await shared.value
      #expect(value.wrappedValue == 9)
      #expect(!value.isLoading)
      #expect(server.state.withValue { $0.loads.count } == 1)
      server.state.withValue { $0 }.subscriber?.yield(10)
      #expect(value.wrappedValue == 10)
    }
  }

  @Test func `requiring a missing shared value throws an error that names the key`() async throws {
    await withOwnSharing {
      let missing = await #expect(throws: SharedValueMissing.self) {
        try await Shared(require: InMemoryKey<Int>("none"))
      }
      #expect(
        missing?.description
          == "The shared key inMemory(none) has no value, but one is required."
      )
    }
  }

  @Test func `a shared key's continuation reports an issue if it is resumed twice or never`() {
    struct Bad: SharedKey, Hashable {
      let times: Int
      func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
        for number in 0..<times { continuation.resume(returning: 10 + number) }
      }
      func subscribe(
        context: LoadContext<Int>,
        subscriber: SharedSubscriber<Int>
      ) -> SharedSubscription { SharedSubscription {} }
      func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {}
    }
    withOwnSharing {
      let twice = recordingIssues {
        @Shared(Bad(times: 2)) var value = 1
        #expect(value == 10)
      }
      #expect(
        twice == [
          """
          "load" of the shared key SharedKeyTests.Bad(times: 2) resumed its continuation more than once. Only \
          the first time counts; later changes go to the subscriber.
          """
        ]
      )
      let never = recordingIssues {
        @Shared(Bad(times: 0)) var value = 1
        #expect(value == 1)
        #expect(!$value.isLoading)
        $value.withLock { $0 = 2 }
      }
      #expect(
        never == [
          """
          "load" of the shared key SharedKeyTests.Bad(times: 0) let go of its continuation without resuming \
          it. Resume it once on every way through.
          """,
          """
          "save" of the shared key SharedKeyTests.Bad(times: 0) let go of its continuation without resuming \
          it. Resume it once on every way through.
          """,
        ]
      )
    }
  }

  @Test func `concurrent changes of a shared value save the last value last`() async {
    struct Sink: SharedKey {
      let id = "sink"
      let saved: LockIsolated<Int>
      func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
        continuation.resumeReturningInitialValue()
      }
      func subscribe(
        context: LoadContext<Int>,
        subscriber: SharedSubscriber<Int>
      ) -> SharedSubscription { SharedSubscription {} }
      func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
        saved.setValue(value)
        continuation.resume()
      }
    }
    let saved = LockIsolated(0)
    await withOwnSharing {
      @Shared(Sink(saved: saved)) var value = 0
      let shared = $value
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<200 { shared.withLock { $0 += 1 } } }
        }
      }
      #expect(value == 800)
      #expect(saved.value == 800)
    }
  }
}
