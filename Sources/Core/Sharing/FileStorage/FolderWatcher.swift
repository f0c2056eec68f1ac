import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Darwin)
/// A watcher that detects changes to files.
enum FolderWatcher {
  /// Starts to watch a file, and calls a closure when the file may have been written, replaced, created, or removed.
  ///
  /// - Returns: A subscription whose cancellation stops watching the file.
  static func watch(
    _ url: URL,
    _ didChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    // Watches both the folder, which changes when a file is replaced, and the file, which changes when it is written in
    // place.
    let sources = LockIsolated<[any DispatchSourceFileSystemObject]>([])
    let file = url.path(percentEncoded: false)
    @Sendable func add(_ path: String, _ events: DispatchSource.FileSystemEvent) {
      let descriptor = open(path, O_EVTONLY)
      guard descriptor >= 0 else { return }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor,
        eventMask: events,
        queue: .global()
      )
      source.setEventHandler {
        if path != file {
          // Watches the file again, because the path may refer to a different file now.
          sources.withValue { sources in
            for source in sources.dropFirst() { source.cancel() }
            sources = Array(sources.prefix(1))
          }
          add(file, [.write, .extend])
        }
        didChange()
      }
      source.setCancelHandler { close(descriptor) }
      sources.withValue { $0.append(source) }
      source.resume()
    }
    add(url.deletingLastPathComponent().path(percentEncoded: false), .write)
    add(file, [.write, .extend])
    return SharedSubscription {
      sources.withValue { sources in
        for source in sources { source.cancel() }
        sources = []
      }
    }
  }
}
#else
/// A watcher that detects changes to files by watching the folders that contain them.
///
/// Watching the file itself would miss a replacement, which creates a new file.
final class FolderWatcher: Sendable {
  private struct Watcher {
    let folder: Int32
    let file: String
    let didChange: @Sendable () -> Void
  }

  private struct WatcherTable {
    var watchers: [Int: Watcher] = [:]
    var lastWatcher = 0
  }

  private static let shared = FolderWatcher()
  private let descriptor: Int32
  // Unsafe, but the property never changes after the watcher has started.
  nonisolated(unsafe) private let source: (any DispatchSourceRead)?
  private let contents = Mutex(WatcherTable())

  /// Starts to watch a file, and calls a closure when the file may have been written, replaced, created, or removed.
  ///
  /// - Returns: A subscription whose cancellation stops watching the file.
  static func watch(
    _ url: URL,
    _ didChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    shared.watch(url, didChange)
  }

  private init() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      source = nil
      return
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    self.source = source
    source.setEventHandler { [weak self] in self?.readEvents() }
    source.resume()
  }

  private func watch(
    _ url: URL,
    _ didChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
    let id = contents.withLock { contents -> Int? in
      // Adds the watch under the lock. All watches of a folder have the same descriptor, so a concurrent `remove` could
      // remove the new watch, too.
      let number = inotify_add_watch(descriptor, folder, UInt32(events))
      guard number >= 0 else { return nil }
      contents.lastWatcher += 1
      contents.watchers[contents.lastWatcher] = Watcher(
        folder: number,
        file: url.lastPathComponent,
        didChange: didChange
      )
      return contents.lastWatcher
    }
    return SharedSubscription { [self] in if let id { remove(id) } }
  }

  private func remove(_ id: Int) {
    contents.withLock { contents in
      guard let watcher = contents.watchers.removeValue(forKey: id) else { return }
      guard !contents.watchers.values.contains(where: { $0.folder == watcher.folder }) else {
        return
      }
      inotify_rm_watch(descriptor, watcher.folder)
    }
  }

  private func readEvents() {
    var changed: [(folder: Int32, file: String)] = []
    var hasLost = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // The system drops events when its queue overflows, so any file may have changed.
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasLost = true }
          let name = bytes[(offset + header)..<(offset + header + Int(event.len))]
          changed.append((event.wd, String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
          offset += header + Int(event.len)
        }
      }
    }
    let watchers = contents.withLock { contents in
      contents.watchers.values.filter { watcher in
        hasLost || changed.contains { $0.folder == watcher.folder && $0.file == watcher.file }
      }
    }
    for watcher in watchers { watcher.didChange() }
  }
}
#endif
