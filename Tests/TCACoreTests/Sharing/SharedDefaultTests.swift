import Foundation
import TCACore
import Testing

private struct NoteKey: SharedKey {
  let id = "note"
  let outcome: LockIsolated<Result<Void, any Error>>

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resume(throwing: Offline())
  }
  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription { SharedSubscription {} }
  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(with: outcome.withValue { $0 })
  }
}

private struct Offline: Error {}

/// The default values of keys.
@Suite struct SharedDefaultTests {
  @Test func `the default of an in-memory key remains after its references are released`() {
    withOwnSharing {
      do {
        @Shared(.inMemory("a")) var first = 10
        #expect(first == 10)
      }
      @Shared(.inMemory("a")) var second = 0
      #expect(second == 10)
    }
  }

  @Test func `the default of an appStorage key remains after its references are released`() {
    withOwnSharing {
      do {
        @Shared(.appStorage("a")) var first = 10
        #expect(first == 10)
      }
      @Shared(.appStorage("a")) var second = 0
      #expect(second == 10)
    }
  }

  @Test func `appStorage registers its default without storing it`() {
    let defaults = UserDefaults.inMemory
    withOwnSharing {
      $0.defaultAppStorage = defaults
      $0.context = .live
    } operation: {
      @Shared(.appStorage("registeredIsOn")) var isOn = true
      @Shared(.appStorage("registeredName")) var name: String?
      #expect(defaults.bool(forKey: "registeredIsOn"))
      #expect(defaults.object(forKey: "registeredName") == nil)
      $isOn.withLock { $0 = false }
      #expect(!isOn && !defaults.bool(forKey: "registeredIsOn"))
      defaults.removeObject(forKey: "registeredIsOn")
      #expect(defaults.bool(forKey: "registeredIsOn"))
    }
  }

  @Test func `an optional appStorage value stays nil despite a registered default`() {
    withOwnSharing {
      @Shared(.appStorage("limit")) var limit: Int? = 3
      #expect(limit == 3)
      $limit.withLock { $0 = nil }
      #expect(limit == nil)
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
      #expect(limit == nil)
    }
  }

  @Test func `an optional shared value starts with its default and can be set to nil`() {
    withOwnSharing {
      @Shared(.inMemory("memory")) var memory: Int? = 0
      @Shared(.appStorage("defaults")) var defaults: Int? = 0
      @Shared(.fileStorage(URL(filePath: "/number.json"))) var file: Int? = 0
      #expect(memory == 0 && defaults == 0 && file == 0)
      $memory.withLock { $0 = nil }
      #expect(memory == nil)
    }
    withOwnSharing {
      do {
        @Shared(.inMemory("memory")) var memory: Int? = 0
        $memory.withLock { $0 = nil }
      }
      @Shared(.inMemory("memory")) var memory: Int? = 1
      #expect(memory == nil, "what is set to nil is nil")
    }
  }

  @Test func `requiring an optional shared value that is missing throws an error`() async {
    await withOwnSharing {
      await #expect(throws: SharedValueMissing.self) {
        try await Shared<Int?>(require: .inMemory("missing"))
      }
      await #expect(throws: SharedValueMissing.self) {
        try await SharedReader<Int?>(require: .appStorage("missing"))
      }
    }
  }

  @Test(arguments: [("a.b", "."), ("@a", "@")])
  func `appStorage warns of a key that can't be observed`(
    name: String,
    character: String
  ) {
    let issues = recordingIssues {
      withOwnSharing { _ = Shared(wrappedValue: 0, .appStorage(name)) }
    }
    #expect(
      issues == [
        """
        The app storage key "\(name)" contains "\(character)", which key-value observation takes for a part of a \
        key path. Its changes can only be found among those of all keys. Rename the key, or set \
        "appStorageKeyFormatWarningEnabled" to false in "prepareDependencies".
        """
      ]
    )
    let silenced = recordingIssues {
      withOwnSharing {
        $0.appStorageKeyFormatWarningEnabled = false
      } operation: {
        _ = Shared(wrappedValue: 0, .appStorage(name))
      }
    }
    #expect(silenced == [])
  }

  @Test func `a successful save clears the load error of a shared value`() async throws {
    let outcome = LockIsolated<Result<Void, any Error>>(.failure(Offline()))
    try await withOwnSharing {
      @Shared(NoteKey(outcome: outcome)) var note = 1
      #expect($note.loadError is Offline)
      $note.withLock { $0 = 2 }
      #expect($note.loadError is Offline && $note.saveError is Offline)
      outcome.setValue(.success(()))
      try await $note.save()
      #expect($note.loadError == nil && $note.saveError == nil)
    }
  }

  @Test func `the default of a shared value is made once for concurrent tasks`() async {
    let made = LockIsolated(0)
    await withOwnSharing {
      let shared = await withTaskGroup(of: Shared<Int>.self) { group in
        for _ in 0..<50 {
          group.addTask {
            @Sendable func make() -> Int {
              made.withValue { $0 += 1 }
              for _ in 0..<2_000 { sched_yield() }
              return made.value
            }
            return Shared(wrappedValue: make(), .inMemory("slow"))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(made.value == 1)
      #expect(shared.allSatisfy { $0.wrappedValue == 1 })
    }
  }
}
