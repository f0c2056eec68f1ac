import Foundation
import Synchronization

@testable import TCACore

/// A disk whose files change at once, and whose watchers are notified by the test.
final class LateDisk: Sendable {
  private let files = Mutex<[URL: Data]>([:])

  subscript(url: URL) -> Data? {
    get { files.withLock { $0[url] } }
    set { files.withLock { $0[url] = newValue } }
  }
}

/// A process's view of a disk.
final class LateFiles: FileAccess {
  private let disk: LateDisk
  private let inside: @Sendable () -> Void
  private let watchers = Mutex<[Int: @Sendable () -> Void]>([:])
  private let lastWatcher = Atomic(0)

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - disk: The disk with the files.
  ///   - inside: Runs while a file is read or written.
  init(_ disk: LateDisk, inside: @escaping @Sendable () -> Void = {}) {
    self.disk = disk
    self.inside = inside
  }

  func read(_ url: URL) -> Data? {
    defer { inside() }
    return disk[url]
  }

  func write(_ data: Data?, to url: URL) -> @Sendable () -> Void {
    inside()
    disk[url] = data
    return {}
  }

  func watch(_: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let id = lastWatcher.add(1, ordering: .relaxed).newValue
    watchers.withLock { $0[id] = didChange }
    return SharedSubscription { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) { _ = watchers.withLock { $0.removeValue(forKey: id) } }

  /// Notifies all watchers that a file may have changed.
  func notify() {
    for didChange in watchers.withLock({ Array($0.values) }) { didChange() }
  }
}

/// Timers that fire under control of the test.
final class ManualTimer: Sendable {
  private struct Wait {
    let id: Int
    let work: @Sendable () -> Void
  }

  private let waits = Mutex<[Wait]>([])
  private let lastID = Atomic(0)

  var timer: FileWriter.Timer {
    { [self] _, work in
      let id = lastID.add(1, ordering: .relaxed).newValue
      waits.withLock { $0.append(Wait(id: id, work: work)) }
      return { [self] in waits.withLock { $0.removeAll { $0.id == id } } }
    }
  }

  /// Whether a timer is pending.
  var isWaiting: Bool { waits.withLock { !$0.isEmpty } }

  /// Fires the oldest timer.
  func fire() {
    let wait = waits.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    wait?.work()
  }
}

/// A process that shares a list of numbers with others through a file.
struct SharingProcess: Sendable {
  static let url = URL(filePath: "/numbers")

  let files: LateFiles
  let timer = ManualTimer()
  let shared: Shared<[Int]>
  private let storage: FileStorage
  private let decode: @Sendable (Data) throws -> [Int]
  private let encode: @Sendable ([Int]) throws -> Data

  /// Creates a process.
  ///
  /// - Parameters:
  ///   - disk: The disk with the file.
  ///   - lock: The lock of the storage during a read or write.
  ///   - inside: Runs while a file is read or written.
  ///   - between: Runs before a value is decoded or encoded.
  init(
    _ disk: LateDisk,
    lock: any NSLocking & Sendable = NSRecursiveLock(),
    inside: @escaping @Sendable () -> Void = {},
    between: @escaping @Sendable () -> Void = {}
  ) {
    files = LateFiles(disk, inside: inside)
    storage = FileStorage(
      files,
      writer: FileWriter(files: files, wait: timer.timer, lock: lock)
    )
    decode = { data in
      between()
      return Self.numbers(data)
    }
    encode = { numbers in
      between()
      return Self.data(numbers)
    }
    shared = Self.share(storage, decode, encode)
  }

  /// Returns another reference to the same file, as after the first one was released.
  func newReference() -> Shared<[Int]> { Self.share(storage, decode, encode) }

  /// Appends a number.
  func append(_ number: Int) { shared.withLock { $0.append(number) } }

  /// Loads the file again.
  func load() { (shared.reference as? SharedRoot<[Int]>)?.load { _ in } }

  /// Fires all timers and sends all notifications until none is left.
  static func settle(_ processes: [SharingProcess]) {
    while processes.contains(where: \.timer.isWaiting) {
      for process in processes { process.timer.fire() }
    }
    for process in processes { process.files.notify() }
  }

  static func data(_ numbers: [Int]) -> Data {
    Data(numbers.map(String.init).joined(separator: ",").utf8)
  }

  static func numbers(_ data: Data?) -> [Int] {
    data.map { String(decoding: $0, as: UTF8.self) }?.split(separator: ",").compactMap { Int($0) }
      ?? []
  }

  private static func share(
    _ storage: FileStorage,
    _ decode: @escaping @Sendable (Data) throws -> [Int],
    _ encode: @escaping @Sendable ([Int]) throws -> Data
  ) -> Shared<[Int]> {
    // `withOwnSharing` would create separate user defaults for each of many processes, which takes too long.
    withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultFileStorage = storage
    } operation: {
      Shared(wrappedValue: [], .fileStorage(url, decode: decode, encode: encode))
    }
  }
}

/// A lock that lets other threads run before it is acquired.
///
/// It is never held while a thread waits to be scheduled, so no thread ever blocks on it.
final class TurnLock: NSLocking, Sendable {
  private let turns: Interleavings

  init(_ turns: Interleavings) { self.turns = turns }

  func lock() { turns.pause() }
  func unlock() {}
}
