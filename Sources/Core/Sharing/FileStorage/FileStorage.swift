public import Foundation
import Synchronization

/// A storage that contains the files of `.fileStorage` keys.
///
/// The first change to a file is written immediately, and later changes at most once per second, unless code calls
/// `save()`. The last value is written at the latest when the last reference to the file is released, unless other code
/// has removed the file. A storage in memory that has no clock writes every change immediately.
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

  /// The storage that uses the file system of this device.
  public static let fileSystem: FileStorage = {
    let storage = FileStorage(FileSystem(), clock: ContinuousClock())
    // Writes pending data when the process exits, and when the app becomes inactive, because the system may terminate
    // an inactive app without notice.
    atexit { FileStorage.fileSystem.writer.flushAll() }
    // These notifications exist only on Apple platforms.
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

  /// Returns a storage that uses the file system of this device and measures the interval between writes with a clock.
  public static func fileSystem(clock: any Clock<Duration>) -> FileStorage {
    FileStorage(FileSystem(), clock: clock)
  }

  /// A new, empty storage in memory.
  ///
  /// Each access creates another storage.
  public static var inMemory: FileStorage { inMemory([:]) }

  /// Returns a storage in memory that initially contains the given files and writes every change immediately.
  public static func inMemory(_ files: [URL: Data]) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: nil)
  }

  /// Returns a storage in memory that initially contains the given files.
  ///
  /// A clock measures the interval between writes.
  public static func inMemory(
    _ files: [URL: Data] = [:],
    clock: any Clock<Duration>
  ) -> FileStorage {
    FileStorage(MemoryFiles(files), clock: clock)
  }

  /// Returns the data of a file, or `nil` if the file doesn't exist.
  ///
  /// Pending data, which hasn't been written to the file, takes precedence.
  ///
  /// ```swift
  /// @Dependency(\.defaultFileStorage) var storage
  /// let todos = try storage.data(at: todosURL).map { try JSONDecoder().decode([Todo].self, from: $0) }
  /// ```
  ///
  /// - Throws: The error that the file system reports, usually a `CocoaError`.
  public func data(at url: URL) throws -> Data? {
    try writer.data(at: url)
  }

  /// Writes a file immediately, as another program would, and notifies all references to the file.
  ///
  /// - Parameters:
  ///   - data: The new contents of the file; `nil` to remove the file.
  ///   - url: The URL of the file.
  /// - Throws: The error that the file system reports, usually a `CocoaError`.
  public func write(_ data: Data?, to url: URL) throws {
    let notify = try files.write(data, to: url)
    notify()
  }
}

extension FileStorage: Hashable {
  /// Returns whether two values refer to the same storage.
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
  /// The storage that `.fileStorage` keys use.
  ///
  /// Each test has a separate storage in memory, and all previews share one.
  public var defaultFileStorage: FileStorage {
    get { self[FileStorageDependencyKey.self] }
    set { self[FileStorageDependencyKey.self] = newValue }
  }
}

/// A type that reads, writes, and watches files.
protocol FileAccess: Sendable {
  /// Returns the contents of a file, or `nil` if the file doesn't exist.
  func read(_ url: URL) throws -> Data?
  /// Replaces a file, creating the folders that contain it, or removes the file if `data` is `nil`.
  ///
  /// - Returns: A closure that notifies the watchers of the file. It has no effect if the operating system notifies
  ///   them. Call the closure without holding a lock.
  func write(_ data: Data?, to url: URL) throws -> @Sendable () -> Void
  /// Starts to watch a file and calls a closure, on any thread, when the file may have changed.
  ///
  /// - Returns: A subscription whose cancellation stops watching the file.
  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

/// Access to the file system of this device.
private struct FileSystem: FileAccess {
  func read(_ url: URL) throws -> Data? {
    do { return try Data(contentsOf: url) } catch {
      // Checks for the file after the failed read, because a file could appear or disappear between a check and the
      // read.
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
    // Creates the folder, because only an existing folder can be watched. If this fails, the next write reports the
    // error.
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    return FolderWatcher.watch(url, didChange)
  }
}

/// Access to files that exist only in memory.
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
