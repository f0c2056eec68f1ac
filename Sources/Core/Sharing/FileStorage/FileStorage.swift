public import Foundation

/// Where `.fileStorage` keeps files.
///
/// A file is written at once, then at most once a second; what has been saved last is written in any case.
public struct FileStorage: Sendable {
  let files: any FileAccess
  let writer: FileWriter

  init(_ files: any FileAccess, writer: FileWriter) {
    self.files = files
    self.writer = writer
  }

  private init(_ files: any FileAccess, clock: (any Clock<Duration>)?) {
    self.init(files, writer: FileWriter(files: files, wait: clock.map { FileWriter.timer($0) }))
  }

  /// The files of this machine.
  public static let fileSystem: FileStorage = {
    let storage = FileStorage(FileSystem(), clock: ContinuousClock())
    // What still waits when the program ends, or may be ended without notice, is written before that.
    atexit { FileStorage.fileSystem.writer.flushAll() }
    #if canImport(Darwin)
    for name in [
      "UIApplicationWillResignActiveNotification", "NSApplicationWillResignActiveNotification",
    ] {
      NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) { _ in
        FileStorage.fileSystem.writer.flushAll()
      }
    }
    #endif
    return storage
  }()

  /// The files of this machine, and a clock that says when a file may be written again.
  public static func fileSystem(clock: any Clock<Duration>) -> FileStorage {
    FileStorage(FileSystem(), clock: clock)
  }

  /// Files in memory, of which there are none at first; each use of this property makes new ones.
  public static var inMemory: FileStorage { inMemory([:]) }

  /// Files in memory, which are written each time.
  public static func inMemory(_ files: [URL: Data]) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: nil)
  }

  /// Files in memory, and a clock that says when a file may be written again.
  public static func inMemory(
    _ files: [URL: Data] = [:],
    clock: any Clock<Duration>
  ) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: clock)
  }

  /// What a file holds, or will hold once it may be written; nil when there is none.
  ///
  /// - Throws: What the file system throws.
  public func data(at url: URL) throws -> Data? {
    try writer.data(at: url)
  }

  /// Writes a file as another program would: at once, and seen by all that share it.
  ///
  /// - Parameters:
  ///   - data: What it will hold; nil removes it.
  ///   - url: The file.
  /// - Throws: What the file system throws.
  public func write(_ data: Data?, to url: URL) throws {
    let tell = try files.write(data, to: url)
    tell()
  }
}

extension FileStorage: Hashable {
  /// Whether two storages are the same one.
  public static func == (lhs: FileStorage, rhs: FileStorage) -> Bool { lhs.writer === rhs.writer }

  /// Hashes the identity of the storage.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(writer)) }
}

private enum FileStorageDependencyKey: DependencyKey {
  static var liveValue: FileStorage { .fileSystem }
  static let previewValue = FileStorage.inMemory
  static var testValue: FileStorage { .inMemory }
}

extension DependencyValues {
  /// Where `.fileStorage` keeps files: in tests and previews in memory, for each test its own.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorageDependencyKey.self] }
    set { self[FileStorageDependencyKey.self] = newValue }
  }
}
