public import Foundation
import Synchronization

/// The storage in which `.fileStorage` keeps files.
///
/// A change is written immediately, and later changes at most once per second. The last value is always written, at the
/// latest when the last reference is released, unless other code has removed the file.
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

  /// The file system of this device.
  public static let fileSystem: FileStorage = {
    let storage = FileStorage(FileSystem(), clock: ContinuousClock())
    // Pending data is written before the process ends or may be terminated without notice.
    atexit { FileStorage.fileSystem.writer.flushAll() }
    // Only Apple platforms post these notifications.
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

  /// The file system of this device, with a clock that measures the interval between writes.
  public static func fileSystem(clock: any Clock<Duration>) -> FileStorage {
    FileStorage(FileSystem(), clock: clock)
  }

  /// A new, empty storage in memory.
  ///
  /// Each access creates another one.
  public static var inMemory: FileStorage { inMemory([:]) }

  /// Creates a storage in memory that writes every change immediately.
  public static func inMemory(_ files: [URL: Data]) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: nil)
  }

  /// Creates a storage in memory, with a clock that measures the interval between writes.
  public static func inMemory(
    _ files: [URL: Data] = [:],
    clock: any Clock<Duration>
  ) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: clock)
  }

  /// Returns the data of a file, including data that isn't written yet, or `nil` if the file doesn't exist.
  ///
  /// ```swift
  /// @Dependency(\.defaultFileStorage) var storage
  /// let todos = try storage.data(at: todosURL).map { try JSONDecoder().decode([Todo].self, from: $0) }
  /// ```
  ///
  /// - Throws: The error of the file system.
  public func data(at url: URL) throws -> Data? {
    try writer.data(at: url)
  }

  /// Writes a file as another program would: immediately, with a notification of all references.
  ///
  /// - Parameters:
  ///   - data: The new contents. `nil` removes the file.
  ///   - url: The URL of the file.
  /// - Throws: The error of the file system.
  public func write(_ data: Data?, to url: URL) throws {
    let notify = try files.write(data, to: url)
    notify()
  }
}

extension FileStorage: Hashable {
  /// Whether two values refer to the same storage.
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
  /// The storage that `.fileStorage` uses.
  ///
  /// Every test and preview has a separate one in memory.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorageDependencyKey.self] }
    set { self[FileStorageDependencyKey.self] = newValue }
  }
}

/// Reads, writes and watches files.
protocol FileAccess: Sendable {
  /// Returns the contents of a file, or `nil` if it doesn't exist.
  func read(_ url: URL) throws -> Data?
  /// Replaces a file and creates the folders that contain it.
  ///
  /// `nil` removes the file.
  ///
  /// - Returns: A closure that notifies watchers of the file if the system doesn't. Call it without holding a lock.
  func write(_ data: Data?, to url: URL) throws -> @Sendable () -> Void
  /// Calls a closure, on any thread, when a file may have changed.
  ///
  /// - Returns: A subscription whose cancellation stops watching.
  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

/// The file system of this device.
private struct FileSystem: FileAccess {
  func read(_ url: URL) throws -> Data? {
    do { return try Data(contentsOf: url) } catch {
      // Checks after the failure, because the file could appear or disappear between a check and the read.
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
    // Only an existing folder can be watched. If this fails, the next write reports the error.
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    return FolderWatcher.watch(url, didChange)
  }
}

/// File access in memory.
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
