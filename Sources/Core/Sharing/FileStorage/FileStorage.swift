public import Foundation
import Synchronization

/// The place where `.fileStorage` keeps files.
///
/// A file is written at once, then at most once a second. The last saved value is always written: at the latest when the last
/// reference goes, unless other code has removed the file by then.
///
/// ```swift
/// withDependencies { $0.defaultFileStorage = .fileSystem } operation: { ... }
/// ```
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
    // Data that still waits is written before the program ends, or may be ended without notice.
    atexit { FileStorage.fileSystem.writer.flushAll() }
    // Nobody posts these but on Apple's platforms.
    for name in [
      "UIApplicationWillResignActiveNotification", "NSApplicationWillResignActiveNotification",
    ] {
      _ = NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) {
        _ in
        FileStorage.fileSystem.writer.flushAll()
      }
    }
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

  /// The contents of a file, or those that wait to be written; nil when there is none.
  ///
  /// ```swift
  /// @Dependency(\.defaultFileStorage) var storage
  /// let todos = try storage.data(at: todosURL).map { try JSONDecoder().decode([Todo].self, from: $0) }
  /// ```
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
    let notify = try files.write(data, to: url)
    notify()
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
  /// The place where `.fileStorage` keeps files; in tests and previews memory, for each test its own.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorageDependencyKey.self] }
    set { self[FileStorageDependencyKey.self] = newValue }
  }
}

/// Reads, writes and watches files.
protocol FileAccess: Sendable {
  /// The contents of a file, nil when there is none.
  func read(_ url: URL) throws -> Data?
  /// Writes a whole file and the folders on the way to it; nil removes it.
  ///
  /// - Returns: Notifies the watchers of the file, if the system does not; to be called without a lock.
  func write(_ data: Data?, to url: URL) throws -> @Sendable () -> Void
  /// Calls a function, on any thread, when a file may have changed.
  ///
  /// - Returns: What ends it.
  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

/// The files of this machine.
private struct FileSystem: FileAccess {
  func read(_ url: URL) throws -> Data? {
    do { return try Data(contentsOf: url) } catch {
      // Asked after the failure: between asking and reading it could appear or go away.
      if FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) { throw error }
      return nil
    }
  }

  func write(_ data: Data?, to url: URL) throws -> @Sendable () -> Void {
    guard let data else {
      try FileManager.default.removeItem(at: url)
      return {}
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: url, options: .atomic)
    return {}
  }

  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    // A folder can be watched only if it exists. If it cannot be made, the next write reports that.
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    return FolderWatcher.watch(url, didChange)
  }
}

/// Files in memory.
private final class MemoryFiles: FileAccess {
  private struct FileTable {
    var files: [URL: Data]
    var watchers: [Int: (url: URL, didChange: @Sendable () -> Void)] = [:]
    var lastWatcher = 0
  }

  private let contents: Mutex<FileTable>

  init(_ files: [URL: Data]) {
    let pairs = files.map { ($0.key.standardizedFileURL, $0.value) }
    contents = Mutex(FileTable(files: Dictionary(pairs) { $1 }))
  }

  func read(_ url: URL) -> Data? { contents.withLock { $0.files[url.standardizedFileURL] } }

  func write(_ data: Data?, to url: URL) -> @Sendable () -> Void {
    let url = url.standardizedFileURL
    let watchers = contents.withLock { contents in
      contents.files[url] = data
      return contents.watchers.values.filter { $0.url == url }.map(\.didChange)
    }
    return { for didChange in watchers { didChange() } }
  }

  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let id = contents.withLock { contents in
      contents.lastWatcher += 1
      contents.watchers[contents.lastWatcher] = (url.standardizedFileURL, didChange)
      return contents.lastWatcher
    }
    return SharedSubscription { [weak self] in
      self?.contents.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }
  }
}
