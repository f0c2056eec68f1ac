import Foundation
import Synchronization

@testable import TCACore

/// A disk whose files change at once, and whose watchers hear of it when the test says so.
final class LateDisk: Sendable {
  private let files = Mutex<[URL: Data]>([:])

  subscript(url: URL) -> Data? {
    get { files.withLock { $0[url] } }
    set { files.withLock { $0[url] = newValue } }
  }
}

/// What one process sees of a disk.
final class LateFiles: FileAccess {
  private let disk: LateDisk
  private let inside: @Sendable () -> Void
  private let watchers = Mutex<[Int: @Sendable () -> Void]>([:])
  private let lastWatcher = Atomic(0)

  /// - Parameters:
  ///   - disk: Where the files are.
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

  /// Tells all watchers that a file may have changed.
  func notify() {
    for didChange in watchers.withLock({ Array($0.values) }) { didChange() }
  }
}

/// Times that end when the test says so.
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

  /// Whether something waits for the end of a time.
  var isWaiting: Bool { waits.withLock { !$0.isEmpty } }

  /// Ends the time that began first.
  func fire() {
    let wait = waits.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    wait?.work()
  }
}

/// A process that shares a list of numbers with others by a file.
struct SharingProcess: Sendable {
  static let url = URL(filePath: "/numbers")

  let files: LateFiles
  let timer = ManualTimer()
  let shared: Shared<[Int]>
  private let storage: FileStorage
  private let decode: @Sendable (Data) throws -> [Int]
  private let encode: @Sendable ([Int]) throws -> Data

  /// - Parameters:
  ///   - disk: Where the file is.
  ///   - lock: What the storage holds while it reads or writes.
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

  /// Another reference to the same file, as after the first one has gone.
  func newReference() -> Shared<[Int]> { Self.share(storage, decode, encode) }

  /// Appends a number.
  func append(_ number: Int) { shared.withLock { $0.append(number) } }

  /// Loads the file again.
  func load() { (shared.reference as? SharedRoot<[Int]>)?.load { _ in } }

  /// Ends all times and tells of all changes, as often as there is anything to do.
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
    // Not `withOwnSharing`: defaults of the user for each of very many processes take too long.
    withDependencies {
      $0.sharedReferences = SharedReferences()
      $0.defaultFileStorage = storage
    } operation: {
      Shared(wrappedValue: [], .fileStorage(url, decode: decode, encode: encode))
    }
  }
}

/// A lock that lets other threads take their turns before it is taken.
///
/// It is never held while a thread waits for its turn, so that it never has to be waited for.
final class TurnLock: NSLocking, Sendable {
  private let turns: Interleavings

  init(_ turns: Interleavings) { self.turns = turns }

  func lock() { turns.pause() }
  func unlock() {}
}
