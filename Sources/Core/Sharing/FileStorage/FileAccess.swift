import Foundation
import Synchronization

/// Reads, writes and watches files.
protocol FileAccess: Sendable {
  /// What a file holds, nil when there is none.
  func read(_ url: URL) throws -> Data?
  /// Writes a whole file and the folders on the way to it; nil removes it.
  ///
  /// - Returns: What tells those that watch the file, where the system does not; to be called under no lock.
  func write(_ data: Data?, to url: URL) throws -> @Sendable () -> Void
  /// Calls a function, on any thread, when a file may have changed.
  ///
  /// - Returns: What ends it.
  func watch(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

/// The files of this machine.
struct FileSystem: FileAccess {
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
    // A folder can be watched only if it is there. One that cannot be made is a matter for whoever writes.
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    return FolderWatcher.watch(url, didChange)
  }
}

/// Files in memory.
final class MemoryFiles: FileAccess {
  private struct Contents {
    var files: [URL: Data]
    var watchers: [Int: (url: URL, didChange: @Sendable () -> Void)] = [:]
    var lastWatcher = 0
  }

  private let contents: Mutex<Contents>

  init(_ files: [URL: Data]) {
    let pairs = files.map { ($0.key.standardizedFileURL, $0.value) }
    contents = Mutex(Contents(files: Dictionary(pairs) { $1 }))
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
