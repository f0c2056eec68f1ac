import TCACore
import Testing

// Two keys with the same name and different types, and a third key that only `SharedKey` has.

extension SharedKey where Self == InMemoryKey<Int> {
  fileprivate static var count: Self { .inMemory("count") }
  fileprivate static var total: Self { .inMemory("total") }
}

extension SharedReaderKey where Self == AppStorageKey<Int?>.Default {
  fileprivate static var count: Self { Self[.appStorage("count"), default: nil] }
}

extension SharedKey where Self == InMemoryKey<String?> {
  fileprivate static var title: Self { .inMemory("title") }
}

/// A key whose id is an opaque type that does not declare `Sendable`.
private struct PageKey: SharedReaderKey {
  let page: Int
  var id: some Hashable { page }

  func load(context: LoadContext<String>, continuation: LoadContinuation<String>) {
    continuation.resume(returning: "page \(page)")
  }

  func subscribe(
    context: LoadContext<String>,
    subscriber: SharedSubscriber<String>
  ) -> SharedSubscription { SharedSubscription {} }
}

/// The initializers of shared values in code without explicit types.
@Suite struct SharedOverloadTests {
  @Test
  func `a SharedReader prefers the key with an optional value if two keys have the same name`()
    async throws
  {
    try await withOwnSharing {
      @SharedReader(.count) var read
      #expect($read.wrappedValue as Any is Int?)
      @Shared(.count) var shared
      #expect(read == nil && shared == nil)
      $shared.withLock { $0 = 3 }
      #expect(read == 3)
      let reader = SharedReader(wrappedValue: 42, .count)
      #expect(reader.wrappedValue == 3)
      try await reader.load(.count)
      #expect(reader.wrappedValue == 3)
    }
  }

  @Test func `a SharedReader finds a writable key by its name`() async throws {
    try await withOwnSharing {
      @SharedReader(.total) var total = 7
      @SharedReader(.title) var title: String?
      #expect(total == 7 && title == nil)
      Shared(wrappedValue: 0, .total).withLock { $0 += 1 }
      #expect(total == 8)
      #expect(try await SharedReader(require: .total).wrappedValue == 8)
      let other = SharedReader(value: 0)
      try await other.load(.total)
      #expect(other.wrappedValue == 8)
    }
  }

  @Test func `the id of a shared key does not need to be Sendable`() {
    withOwnSharing {
      @SharedReader(PageKey(page: 1)) var first = ""
      @SharedReader(PageKey(page: 1)) var same = ""
      @SharedReader(PageKey(page: 2)) var second = ""
      #expect(first == "page 1" && same == "page 1" && second == "page 2")
    }
  }
}
