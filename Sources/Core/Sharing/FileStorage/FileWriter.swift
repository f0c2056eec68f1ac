import Foundation

/// A writer that writes a file immediately, and then at most once per second while references use the file.
final class FileWriter: Sendable {
  /// A function that calls a closure after a duration, and returns a closure that cancels the call.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// The data to write to a file, with closures that report its progress.
  struct Save: Sendable {
    let data: Data
    /// A closure that is called under the lock when the writer receives the data, before other code can read the file.
    let didHandOver: @Sendable () -> Void
    /// A closure that is called under the lock when the file contains the data, before other code can read the file.
    let didWrite: @Sendable () -> Void
    /// A closure that receives the result of the save, called without the lock.
    ///
    /// The save also succeeds if newer data was written in place of its data, or if its data was dropped because other
    /// code removed the file.
    let completion: @Sendable (Result<Void, any Error>) -> Void
  }

  /// The interval after a write of a file during which only an urgent save writes the file again.
  private struct Pause {
    /// A number that distinguishes the pause from earlier pauses of the same file.
    let number: Int
    /// The saves that arrived during the pause.
    ///
    /// At the end of the pause, the data of the last save is written, which completes all of them.
    var saves: [Save] = []
    var cancelTimer: (@Sendable () -> Void)?
  }

  private struct WriterState {
    var pauses: [URL: Pause] = [:]
    var lastPause = 0
    /// The number of references to each file that are in use.
    var users: [URL: Int] = [:]
  }

  private let files: any FileAccess
  private let wait: Timer?
  private let contents = LockIsolated(WriterState())

  /// A lock that is held while a file is read or written, and never while code of the app runs.
  let lock: any NSLocking & Sendable

  /// The minimum interval between two writes of a file, which limits the cost of frequent changes such as text input.
  static let interval = Duration.seconds(1)

  /// Creates a writer for the files of a storage.
  ///
  /// - Parameters:
  ///   - files: The access to the files.
  ///   - wait: The timer that ends a pause; `nil` to write every change immediately.
  ///   - lock: A recursive lock, held while a file is read or written.
  init(
    files: any FileAccess,
    wait: Timer?,
    lock: any NSLocking & Sendable = NSRecursiveLock()
  ) {
    self.files = files
    self.wait = wait
    self.lock = lock
  }

  /// Returns a timer that measures the duration with a clock.
  static func timer(_ clock: some Clock<Duration>) -> Timer {
    { duration, work in
      // Computes the end here, because the interval starts now and not when the task runs.
      let end = clock.now.advanced(by: duration)
      let task = Task {
        // If the clock throws an error, the file is written early.
        try? await clock.sleep(until: end, tolerance: nil)
        if !Task.isCancelled { work() }
      }
      return { task.cancel() }
    }
  }

  /// Returns the data that is waiting to be written to a file, or `nil` if there is none.
  func pending(for url: URL) -> Data? { contents.withValue { $0.pauses[url]?.saves.last?.data } }

  /// Returns whether a file is in the pause after a write.
  func isWaiting(for url: URL) -> Bool { contents.withValue { $0.pauses[url] != nil } }

  /// Returns the contents of a file, or `nil` if the file doesn't exist.
  ///
  /// Pending data takes precedence over the contents of the file.
  func data(at url: URL) throws -> Data? {
    try lock.withLock { try pending(for: url) ?? files.read(url) }
  }

  /// Returns the contents of a file if other code has changed or removed it.
  ///
  /// Pending data is newer than a change by other code and takes precedence. If other code removed the file, the
  /// pending data is dropped, because writing it would restore the file.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - known: A closure that returns the previous contents, called under the lock.
  /// - Returns: The new contents, which are `nil` if the file was removed. Returns `nil` if the contents are unchanged,
  ///   or if pending data will overwrite them.
  /// - Throws: The error that the file system reports.
  func externalChange(at url: URL, since known: () -> Data?) throws -> Data?? {
    let (change, dropped) = try lock.withLock { () throws -> (Data??, [Save]) in
      guard pending(for: url) != nil else {
        let data = try files.read(url)
        return (data == known() ? nil : .some(data), [])
      }
      guard known() != nil, case .success(nil) = Result(catching: { try files.read(url) }) else {
        return (nil, [])
      }
      return (.some(nil), takeSaves(for: url))
    }
    for save in dropped { save.completion(.success(())) }
    return change
  }

  /// Writes a file immediately, or at the end of its pause.
  ///
  /// - Parameters:
  ///   - save: The data to write, with closures that report its progress.
  ///   - url: The URL of the file.
  ///   - isUrgent: Whether to write immediately even during a pause.
  func save(_ save: Save, to url: URL, isUrgent: Bool) {
    let notify = lock.withLock {
      save.didHandOver()
      let isWaiting = contents.withValue { contents in
        contents.pauses[url]?.saves.append(save)
        return contents.pauses[url] != nil
      }
      if isWaiting { return isUrgent ? flush(url) : {} }
      let notify = write([save], to: url)
      beginPause(of: url)
      return notify
    }
    notify()
  }

  /// Writes the pending data of a file.
  ///
  /// - Returns: A closure that reports the result to the saves and must be called without the lock.
  private func flush(_ url: URL) -> () -> Void { write(takeSaves(for: url), to: url) }

  private func takeSaves(for url: URL) -> [Save] {
    contents.withValue { contents in
      defer { contents.pauses[url]?.saves = [] }
      return contents.pauses[url]?.saves ?? []
    }
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

  /// Writes the pending data of all files, such as before the process ends.
  func flushAll() {
    let notifications = lock.withLock { contents.withValue { $0 }.pauses.keys.map(flush) }
    for notify in notifications { notify() }
  }
}

// MARK: - Pauses

extension FileWriter {
  private func beginPause(of url: URL) {
    guard wait != nil else { return }
    let number = contents.withValue { contents in
      contents.lastPause += 1
      contents.pauses[url] = Pause(number: contents.lastPause)
      return contents.lastPause
    }
    startTimer(of: url, number)
  }

  private func startTimer(of url: URL, _ number: Int) {
    let cancel = wait?(Self.interval) { [self] in
      if !endPause(of: url, number) { startTimer(of: url, number) }
    }
    let isCurrent = contents.withValue { contents in
      guard contents.pauses[url]?.number == number else { return false }
      contents.pauses[url]?.cancelTimer = cancel
      return true
    }
    if !isCurrent { cancel?() }
  }

  /// Writes the data that arrived during a pause, or ends the pause if there is none.
  ///
  /// - Returns: Whether the pause has ended, so that the next save is written immediately.
  private func endPause(of url: URL, _ number: Int) -> Bool {
    let notify: (() -> Void)? = lock.withLock {
      guard contents.withValue({ $0.pauses[url]?.number == number }) else { return nil }
      guard pending(for: url) == nil else { return flush(url) }
      contents.withValue { $0.pauses[url] = nil }
      return nil
    }
    notify?()
    return notify == nil
  }

  /// Registers a reference that uses a file.
  ///
  /// - Returns: A subscription whose cancellation ends the use. When the last use of a file ends, its pending data is
  ///   written and its pause ends.
  func use(_ url: URL) -> SharedSubscription {
    contents.withValue { $0.users[url, default: 0] += 1 }
    return SharedSubscription { [self] in endUse(of: url) }
  }

  private func endUse(of url: URL) {
    let (pause, notify) = lock.withLock {
      let pause = contents.withValue { contents -> Pause? in
        let users = (contents.users[url] ?? 1) - 1
        contents.users[url] = users > 0 ? users : nil
        return users > 0 ? nil : contents.pauses.removeValue(forKey: url)
      }
      return (pause, write(pause?.saves ?? [], to: url))
    }
    pause?.cancelTimer?()
    notify()
  }
}
