import ActionLog
import Foundation
import Testing

@testable import TCACore

private struct Note: Codable, Equatable, Sendable {
  var text = ""
}

@Suite struct FileStorageTests {
  static let url = URL(filePath: "/notes/notes.json")

  @Test func `fileStorage reads a written value back after a relaunch`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "not/there/yet/notes.json")
      try withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: TestClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes = [Note(text: "default")]
        #expect(notes == [Note(text: "default")])
        #expect(!FileManager.default.fileExists(atPath: url.path))
        $notes.withLock { $0.append(Note(text: "second")) }
        #expect($notes.saveError == nil)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text == #"[{"text":"default"},{"text":"second"}]"#)
      }
      withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: TestClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes: [Note] = []
        #expect(notes.map(\.text) == ["default", "second"])
      }
    }
  }

  @Test func `fileStorage keeps its default and reports a malformed file`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "notes.json")
      try Data("{ not json".utf8).write(to: url)
      try await withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: TestClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes = [Note(text: "default")]
        #expect(notes == [Note(text: "default")])
        #expect($notes.loadError is DecodingError)
        #expect(try Data(contentsOf: url) == Data("{ not json".utf8), "until something is set")
        await #expect(throws: DecodingError.self) { try await $notes.load() }
        try Data(#"[{"text":"mended"}]"#.utf8).write(to: url)
        try await $notes.load()
        #expect($notes.loadError == nil)
        #expect(notes == [Note(text: "mended")])
      }
    }
  }

  @Test func `fileStorage reads an empty file as the default, without an error`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "notes.json")
      try Data().write(to: url)
      try await withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: TestClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes = [Note(text: "default")]
        #expect(notes == [Note(text: "default")])
        #expect($notes.loadError == nil)
        try await $notes.load()
        #expect($notes.loadError == nil)
      }
    }
    let storage = FileStorage.inMemory
    try withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      @Shared(.fileStorage(Self.url)) var notes = [Note(text: "default")]
      $notes.withLock { $0 = [] }
      try storage.write(Data(), to: Self.url)
      #expect(notes == [Note(text: "default")])
      #expect($notes.loadError == nil)
    }
  }

  @Test func `fileStorage decodes an empty file if the value encodes to empty data`() throws {
    let storage = FileStorage.inMemory([Self.url: Data()])
    withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      let text = Shared(
        wrappedValue: "default",
        .fileStorage(
          Self.url,
          decode: { @Sendable in String(decoding: $0, as: UTF8.self) },
          encode: { @Sendable in Data($0.utf8) }
        )
      )
      #expect(text.wrappedValue == "")
    }
  }

  @Test func `fileStorage keeps a value that can't be written and reports it`() async throws {
    try await withTemporaryFolder { folder in
      // A file at the path prevents the creation of a folder, even for an administrator.
      let file = folder.appending(path: "file")
      try Data().write(to: file)
      let url = file.appending(path: "notes.json")
      try await withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: TestClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes: [Note] = []
        #expect($notes.loadError == nil)
        $notes.withLock { $0 = [Note(text: "kept in memory")] }
        #expect(notes == [Note(text: "kept in memory")])
        #expect($notes.saveError != nil)
        await #expect(throws: (any Error).self) { try await $notes.save() }
        try FileManager.default.removeItem(at: file)
        try await $notes.save()
        #expect($notes.saveError == nil)
        #expect(try String(contentsOf: url, encoding: .utf8) == #"[{"text":"kept in memory"}]"#)
      }
    }
  }

  @Test func `fileStorage follows changes of its file by another program`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "notes.json")
      try await withOwnSharing {
        $0.defaultFileStorage = .fileSystem(clock: ImmediateClock())
      } operation: {
        @Shared(.fileStorage(url)) var notes = [Note(text: "default")]
        let shared = $notes
        try Data(#"[{"text":"replaced"}]"#.utf8).write(to: url, options: .atomic)
        await changes(to: [Note(text: "replaced")], of: shared)
        try Data(#"[{"text":"in place"}]"#.utf8).write(to: url)
        await changes(to: [Note(text: "in place")], of: shared)
        try FileManager.default.removeItem(at: url)
        await changes(to: [Note(text: "default")], of: shared)
        try Data(#"[{"text":"made anew"}]"#.utf8).write(to: url)
        await changes(to: [Note(text: "made anew")], of: shared)
      }
    }
  }

  /// Waits until a value has changed.
  ///
  /// The suite's time limit ends a futile wait.
  private func changes<Value: Equatable & Sendable>(
    to value: Value,
    of shared: Shared<Value>
  ) async {
    while shared.wrappedValue != value { try? await Task.sleep(for: .milliseconds(2)) }
  }

  @Test func `fileStorage writes a file immediately, then at most once per second`() async throws {
    let clock = TestClock()
    let storage = FileStorage.inMemory(clock: clock)
    func text() throws -> String? {
      try storage.files.read(Self.url).map { String(decoding: $0, as: UTF8.self) }
    }
    func sleeps() async { while clock.sleeperCount == 0 { await Task.yield() } }
    func writes(_ expected: String) async {
      while (try? text()) != expected { await Task.yield() }
    }
    try await withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      @Shared(.fileStorage(Self.url)) var count = 0
      $count.withLock { $0 = 1 }
      #expect(try text() == "1")
      $count.withLock { $0 = 2 }
      $count.withLock { $0 = 3 }
      #expect(try text() == "1")
      await sleeps()
      await clock.advance(by: .milliseconds(999))
      #expect(try text() == "1")
      await clock.advance(by: .milliseconds(1))
      await writes("3")
      await sleeps()
      $count.withLock { $0 = 4 }
      #expect(try text() == "3", "a second begins with each write")
      await clock.advance(by: .seconds(1))
      await writes("4")
      await sleeps()
      await clock.advance(by: .seconds(1))
      while storage.writer.isWaiting(for: Self.url) { await Task.yield() }
      $count.withLock { $0 = 5 }
      #expect(try text() == "5", "after a quiet second a file is written at once")
      $count.withLock { $0 = 6 }
      try await $count.save()
      #expect(try text() == "6", "who asks for it does not wait")
    }
  }

  @Test
  func `releasing the last reference to a file writes the pending value and ends its throttle`() {
    let disk = LateDisk()
    let files = LateFiles(disk)
    let timer = ManualTimer()
    let storage = FileStorage(files, writer: FileWriter(files: files, wait: timer.timer))
    func text() -> String? { disk[Self.url].map { String(decoding: $0, as: UTF8.self) } }
    withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      var first: Shared<Int>? = Shared(wrappedValue: 0, .fileStorage(Self.url))
      // Another reference to the same file with another type.
      var second: Shared<Double>? = Shared(wrappedValue: 0, .fileStorage(Self.url))
      first?.withLock { $0 = 1 }
      first?.withLock { $0 = 2 }
      first = nil
      #expect(text() == "1", "the file is still in use")
      #expect(timer.isWaiting)
      second = nil
      #expect(text() == "2")
      #expect(!timer.isWaiting, "the timer ends with its owner")
      #expect(!storage.writer.isWaiting(for: Self.url))
      withExtendedLifetime(second) {}

      let third = Shared(wrappedValue: 0, .fileStorage(Self.url))
      #expect(third.wrappedValue == 2)
      third.withLock { $0 = 3 }
      #expect(text() == "3", "at once")
      third.withLock { $0 = 4 }
      #expect(text() == "3")
      timer.fire()
      #expect(text() == "4")
    }
  }

  @Test func `releasing the last reference to a file ends the throttle's task`() async throws {
    let clock = TestClock()
    let storage = FileStorage.inMemory(clock: clock)
    withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      Shared(wrappedValue: 0, .fileStorage(Self.url)).withLock { $0 = 1 }
    }
    try await clock.checkSuspension()
    #expect(!storage.writer.isWaiting(for: Self.url))
  }

  /// Steps around the removal of a file while a save is pending.
  private enum Step: CaseIterable { case remove, notify, fire, write }

  @Test func `removing a file while a save is pending resets the value to its default`() {
    var orders = 0
    for first in Step.allCases {
      for second in Step.allCases {
        for third in Step.allCases {
          check([.write, .write, .remove, first, second, third])
          orders += 1
        }
      }
    }
    #expect(orders == 64)
  }

  /// Runs steps.
  ///
  /// A write counts if it follows the detected removal, or if it is flushed before that.
  private func check(_ steps: [Step]) {
    let disk = LateDisk()
    let files = LateFiles(disk)
    let timer = ManualTimer()
    let storage = FileStorage(files, writer: FileWriter(files: files, wait: timer.timer))
    withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      let shared = Shared(wrappedValue: 0, .fileStorage(Self.url))
      var lastWrite = 0
      var isRemovalUnseen = false
      for step in steps {
        switch step {
        case .write:
          lastWrite += 1
          shared.withLock { $0 = lastWrite }
        case .remove:
          isRemovalUnseen = isRemovalUnseen || disk[Self.url] != nil
          disk[Self.url] = nil
        case .notify:
          let isRemoved = disk[Self.url] == nil
          files.notify()
          if isRemoved, isRemovalUnseen { #expect(shared.wrappedValue == 0, "\(steps)") }
          isRemovalUnseen = false
        case .fire: timer.fire()
        }
      }
      files.notify()
      while timer.isWaiting { timer.fire() }
      files.notify()
      let file = disk[Self.url].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      #expect(shared.wrappedValue == file ?? 0, "\(steps)")
    }
  }

  @Test func `a pending write of the app takes precedence over a change by another program`()
    async throws
  {
    let storage = FileStorage.inMemory(clock: TestClock())
    try await withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      @Shared(.fileStorage(Self.url)) var count = 0
      $count.withLock { $0 = 1 }
      try storage.write(Data("10".utf8), to: Self.url)
      #expect(count == 10)
      $count.withLock { $0 = 2 }
      try storage.write(Data("20".utf8), to: Self.url)
      #expect(count == 2)
      #expect(try storage.data(at: Self.url) == Data("2".utf8))
      try await $count.save()
      #expect(try storage.files.read(Self.url) == Data("2".utf8))
    }
  }

  @Test func `an in-memory file storage starts with the given data`() {
    withOwnSharing {
      $0.defaultFileStorage = .inMemory([Self.url: Data(#"[{"text":"given"}]"#.utf8)])
    } operation: {
      @Shared(.fileStorage(Self.url)) var notes: [Note] = []
      #expect(notes == [Note(text: "given")])
    }
  }

  @Test func `fileStorage uses custom coders and closures`() throws {
    let storage = FileStorage.inMemory
    try withOwnSharing {
      $0.defaultFileStorage = storage
    } operation: {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .secondsSince1970
      let dateURL = URL(filePath: "/date.json")
      @Shared(.fileStorage(dateURL, decoder: decoder, encoder: encoder)) var date = Date.distantPast
      $date.withLock { $0 = Date(timeIntervalSince1970: 5) }
      let date5 = try storage.data(at: dateURL)
      #expect(date5 == Data("5".utf8))

      let textURL = URL(filePath: "/text.txt")
      let text = Shared(
        wrappedValue: "",
        .fileStorage(
          textURL,
          decode: { @Sendable in String(decoding: $0, as: UTF8.self) },
          encode: { @Sendable in Data($0.utf8) }
        )
      )
      text.withLock { $0 = "plain" }
      let plain = try storage.data(at: textURL)
      #expect(plain == Data("plain".utf8))
    }
  }

  @Test func `descriptions of storage keys contain no paths that depend on the machine`() {
    #expect(InMemoryKey<Int>("a").description == #".inMemory("a")"#)
    let home = URL.homeDirectory.appending(path: "x/notes.json")
    #expect(PortableFilePath.shortened(home) == "home/x/notes.json")
    #expect(
      PortableFilePath.shortened(URL(filePath: "/srv/../var/notes.json")) == "/var/notes.json"
    )
    if let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    {
      #expect(
        PortableFilePath.shortened(documents.appending(path: "notes.json"))
          == "documents/notes.json"
      )
    }
  }
}
