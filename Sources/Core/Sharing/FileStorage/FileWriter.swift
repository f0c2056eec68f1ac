import Foundation

/// Writes files at once, then at most once a second.
final class FileWriter: Sendable {
  /// Calls a function after a time.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// The data to write to a file, and the calls once it is written.
  struct Save: Sendable {
    let data: Data
    /// Notes that the writer has the data, before anything else can look at the file.
    let didHandOver: @Sendable () -> Void
    /// Notes that the file holds the data, before anything else can look at it.
    let didWrite: @Sendable () -> Void
    /// Is called, under no lock, when the data, or data that came after it, has been written.
    let completion: @Sendable (Result<Void, any Error>) -> Void
  }

  private let files: any FileAccess
  private let wait: Timer?
  /// The files that may not be written again yet, and what is to be written then: the last save, after those it replaces.
  private let waiting = LockIsolated<[URL: [Save]]>([:])

  /// Held while a file is written or looked at, and never while code of the user runs.
  let lock: any NSLocking & Sendable

  /// How long a file is left alone after it has been written.
  static let interval = Duration.seconds(1)

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - files: Where it writes.
  ///   - wait: Tells when a file may be written again; nil if that is always.
  ///   - lock: A recursive lock.
  init(
    files: any FileAccess,
    wait: Timer?,
    lock: any NSLocking & Sendable = NSRecursiveLock()
  ) {
    self.files = files
    self.wait = wait
    self.lock = lock
  }

  /// A timer that a clock drives.
  static func timer(_ clock: some Clock<Duration>) -> Timer {
    { duration, work in
      // From now, and not from when the task gets its turn.
      let end = clock.now.advanced(by: duration)
      Task {
        // A clock that fails does not wait: then the file is written sooner.
        try? await clock.sleep(until: end, tolerance: nil)
        work()
      }
    }
  }

  /// The data that waits to be written to a file.
  func pending(for url: URL) -> Data? { waiting.withValue { $0[url]?.last?.data } }

  /// Whether a file has just been written and is left alone.
  func isWaiting(for url: URL) -> Bool { waiting.withValue { $0[url] != nil } }

  /// The contents of a file, or those that wait to be written; nil when there is none.
  func data(at url: URL) throws -> Data? {
    try lock.withLock { try pending(for: url) ?? files.read(url) }
  }

  /// The contents of a file that other code has written.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - known: What the file held before; asked while nothing can write.
  /// - Returns: What it holds; nil when that is known, or something waits to be written over it.
  /// - Throws: What the file system throws.
  func externalChange(at url: URL, since known: () -> Data?) throws -> Data?? {
    try lock.withLock {
      guard pending(for: url) == nil else { return nil }
      let data = try files.read(url)
      return data == known() ? nil : .some(data)
    }
  }

  /// Writes a file now, or when it may be written again.
  ///
  /// - Parameters:
  ///   - save: What it will hold.
  ///   - url: The file.
  ///   - isUrgent: Whether to write now in any case.
  func save(_ save: Save, to url: URL, isUrgent: Bool) {
    let notify = lock.withLock {
      save.didHandOver()
      let isWaiting = waiting.withValue { waiting in
        guard wait != nil, waiting[url] != nil else { return false }
        waiting[url]?.append(save)
        return true
      }
      if isWaiting { return isUrgent ? flush(url) : {} }
      let notify = write([save], to: url)
      if wait != nil {
        waiting.withValue { $0[url] = [] }
        beginWait(for: url)
      }
      return notify
    }
    notify()
  }

  /// Writes what is to be written to a file.
  ///
  /// - Returns: Calls the completions of the saves.
  private func flush(_ url: URL) -> () -> Void {
    let saves = waiting.withValue { waiting in
      defer { waiting[url] = [] }
      return waiting[url] ?? []
    }
    return write(saves, to: url)
  }

  private func write(_ saves: [Save], to url: URL) -> () -> Void {
    guard let data = saves.last?.data else { return {} }
    let result = Result { try files.write(data, to: url) }
    if case .success = result { for save in saves { save.didWrite() } }
    return {
      if case .success(let notify) = result { notify() }
      for save in saves { save.completion(result.map { _ in }) }
    }
  }

  private func beginWait(for url: URL) {
    wait?(Self.interval) { [self] in
      if !endWait(for: url) { beginWait(for: url) }
    }
  }

  /// Writes what has come while the file was left alone.
  ///
  /// - Returns: Whether nothing has, so that the next may be written at once.
  private func endWait(for url: URL) -> Bool {
    let notify: (() -> Void)? = lock.withLock {
      guard pending(for: url) == nil else { return flush(url) }
      waiting.withValue { $0[url] = nil }
      return nil
    }
    notify?()
    return notify == nil
  }

  /// Writes all that waits, because the program is about to end.
  func flushAll() {
    let notifications = lock.withLock { waiting.withValue { $0 }.keys.map(flush) }
    for notify in notifications { notify() }
  }
}
