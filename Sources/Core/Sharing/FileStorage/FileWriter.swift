import Foundation

/// Writes files at once, then at most once a second while references use them.
final class FileWriter: Sendable {
  /// Calls a function after a time, unless the returned function cancels it.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> @Sendable () -> Void

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

  /// The time in which a file may not be written again.
  private struct Pause {
    /// Distinguishes the pause from earlier ones of the same file.
    let number: Int
    /// The last save is to be written at the end; it replaces those before it.
    var saves: [Save] = []
    var cancelTimer: (@Sendable () -> Void)?
  }

  private struct WriterState {
    var pauses: [URL: Pause] = [:]
    var lastPause = 0
    /// The number of references that use each file.
    var users: [URL: Int] = [:]
  }

  private let files: any FileAccess
  private let wait: Timer?
  private let contents = LockIsolated(WriterState())

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
      // The time begins now, and not when the task runs.
      let end = clock.now.advanced(by: duration)
      let task = Task {
        // A clock that fails does not wait: then the file is written sooner.
        try? await clock.sleep(until: end, tolerance: nil)
        if !Task.isCancelled { work() }
      }
      return { task.cancel() }
    }
  }

  /// The data that waits to be written to a file.
  func pending(for url: URL) -> Data? { contents.withValue { $0.pauses[url]?.saves.last?.data } }

  /// Whether a file has just been written and is left alone.
  func isWaiting(for url: URL) -> Bool { contents.withValue { $0.pauses[url] != nil } }

  /// The contents of a file, or those that wait to be written; nil when there is none.
  func data(at url: URL) throws -> Data? {
    try lock.withLock { try pending(for: url) ?? files.read(url) }
  }

  /// The contents of a file that other code has written, or the end of the file.
  ///
  /// Data that waits is newer than what other code writes. But when other code removes the file, the data is dropped, because it
  /// would bring the file back.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - known: The contents before; asked while nothing can write.
  /// - Returns: The contents; nil when they are known, or something waits to be written over them.
  /// - Throws: The error of the file system.
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

  /// Writes a file now, or when it may be written again.
  ///
  /// - Parameters:
  ///   - save: What it will hold.
  ///   - url: The file.
  ///   - isUrgent: Whether to write now in any case.
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

  /// Writes what is to be written to a file.
  ///
  /// - Returns: Calls the completions of the saves.
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

  /// Writes all that waits, because the program is about to end.
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

  /// Writes what has come while the file was left alone.
  ///
  /// - Returns: Whether nothing has, so that the next may be written at once.
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

  /// Notes a reference that uses a file.
  ///
  /// - Returns: The end of the use. The last one writes what waits, and ends the pause.
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
