import Foundation
import TCACore
import Testing

extension SharedReaderKey where Self == PortKey.Default {
  fileprivate static var port: Self { Self[PortKey(), default: 80] }
}

/// A key that can only be read.
private struct PortKey: SharedReaderKey {
  let id = "port"
  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }
  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    subscriber.yieldLoading()
    subscriber.yield(8080)
    subscriber.yieldLoading(false)
    return SharedSubscription {}
  }
}

extension SharedKey where Self == InMemoryKey<[String]>.Default {
  fileprivate static var names: Self { Self[.inMemory("names"), default: ["Blob"]] }
}

/// Smaller tools for shared values.
@Suite struct SharedToolTests {
  @Test func `the read method of a shared value returns a reader that follows the value`() {
    @Shared(value: [1, 2, 3]) var numbers
    let sum = $numbers.read { $0.reduce(0, +) }
    let isLarge = sum.read { $0 > 6 }
    #expect(sum.wrappedValue == 6 && !isLarge.wrappedValue)
    $numbers.withLock { $0.append(4) }
    #expect(sum.wrappedValue == 10 && isLarge.wrappedValue)
  }

  @Test func `load replaces the key of a shared value and loads the new value`() async throws {
    try await withOwnSharing {
      let url = URL(filePath: "/names.json")
      @Dependency(\.defaultFileStorage) var storage
      try storage.write(Data(#"["Ann"]"#.utf8), to: url)
      @Shared(value: ["none"]) var names: [String]
      let copy = $names
      try await $names.load(.fileStorage(url))
      #expect(names == ["Ann"] && copy.wrappedValue == ["Ann"])
      $names.withLock { $0.append("Bo") }
      #expect(try storage.data(at: url) == Data(#"["Ann","Bo"]"#.utf8))
      try await $names.load(.names)
      #expect(names == ["Ann", "Bo"], "until something is loaded, what was there")

      @SharedReader(value: 1) var port
      try await $port.load(.port)
      #expect(port == 8080)
    }
  }

  @Test func `a key with a default returns it as the initial value`() {
    #expect(InMemoryKey<[String]>.Default.names.initialValue == ["Blob"])
    #expect(PortKey.Default.port.initialValue == 80)
  }

  @Test func `a SharedReader can be made from a key with a default`() {
    withOwnSharing {
      @SharedReader(.names) var names
      @SharedReader(.port) var port
      #expect(names == ["Blob"] && port == 8080)
    }
  }

  @Test func `a test can make a SharedSubscriber to observe a key's subscription`() throws {
    let values = LockIsolated<[Int?]>([])
    let loading = LockIsolated<[Bool]>([])
    let subscriber = SharedSubscriber<Int>(
      callback: { result in values.withValue { $0.append(try? result.get()) } },
      onLoading: { isLoading in loading.withValue { $0.append(isLoading) } }
    )
    PortKey().subscribe(context: .userInitiated, subscriber: subscriber).cancel()
    #expect(values.value == [8080] && loading.value == [true, false])

    let texts = LockIsolated<[String?]>([])
    let storage = FileStorage.inMemory
    let url = URL(filePath: "/text.txt")
    try withDependencies {
      $0.defaultFileStorage = storage
    } operation: {
      let key = FileStorageKey<String>.fileStorage(
        url,
        decode: { @Sendable in String(decoding: $0, as: UTF8.self) },
        encode: { @Sendable in Data($0.utf8) }
      )
      let subscription = key.subscribe(
        context: .userInitiated,
        subscriber: SharedSubscriber(callback: { result in
          texts.withValue { $0.append(try? result.get()) }
        })
      )
      try storage.write(Data("a".utf8), to: url)
      try storage.write(Data("b".utf8), to: url)
      subscription.cancel()
      try storage.write(Data("c".utf8), to: url)
    }
    #expect(texts.value == ["a", "b"])
  }

  @Test func `a test can make continuations to observe a key's loads and saves`() {
    let loads = LockIsolated<[Int?]>([])
    let saves = LockIsolated<[String]>([])
    struct Full: Error {}
    let issues = recordingIssues {
      withOwnSharing {
        let key = InMemoryKey<Int>("visits")
        let load = { @Sendable in
          key.load(
            context: .userInitiated,
            continuation: LoadContinuation { result in
              loads.withValue { $0.append(try? result.get()) }
            }
          )
        }
        load()
        key.save(5, context: .didSet, continuation: SaveContinuation { _ in })
        load()
        let save = SaveContinuation("a full disk") { result in
          saves.withValue { $0.append("\(result)") }
        }
        save.resume(throwing: Full())
        save.resume()
        _ = LoadContinuation<Int> { result in loads.withValue { $0.append(try? result.get()) } }
      }
    }
    #expect(loads.value == [nil, 5, nil])
    #expect(saves.value.count == 1 && saves.value.first?.hasPrefix("failure") == true)
    #expect(
      issues == [
        """
        "save" of the shared key a full disk resumed its continuation more than once. Only the first time counts; \
        later changes go to the subscriber.
        """,
        """
        "load" of a shared key let go of its continuation without resuming it. Resume it once on every way through.
        """,
      ]
    )
  }
}
