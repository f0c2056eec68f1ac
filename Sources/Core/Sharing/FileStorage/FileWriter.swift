import Foundation

/// Writes files at once, then at most once a second.
final class FileWriter: Sendable {
  /// What is done once a file has been written.
  typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private struct Waiting: Sendable {
    var data: Data?
    var completions: [Completion] = []
  }

  private let files: any FileAccess
  private let clock: (any Clock<Duration>)?
  /// The files that may not be written again yet, and what is to be written then.
  private let waiting = LockIsolated<[URL: Waiting]>([:])
  /// Held while a file is written, so that what was saved last is written last.
  private let writing = NSRecursiveLock()

  /// How long a file is left alone after it has been written.
  static let interval = Duration.seconds(1)

  init(files: any FileAccess, clock: (any Clock<Duration>)?) {
    self.files = files
    self.clock = clock
  }

  /// What is to be written to a file.
  func pending(for url: URL) -> Data? { waiting.withValue { $0[url]?.data } }

  /// Whether a file has just been written and is left alone.
  func isWaiting(for url: URL) -> Bool { waiting.withValue { $0[url] != nil } }

  /// Writes a file now, or when it may be written again.
  ///
  /// - Parameters:
  ///   - data: What it will hold.
  ///   - url: The file.
  ///   - isUrgent: Whether to write now in any case.
  ///   - completion: Is called when the data, or data that came after it, has been written.
  func save(_ data: Data, to url: URL, isUrgent: Bool, then completion: @escaping Completion) {
    writing.lock()
    let isWaiting = waiting.withValue { waiting in
      guard clock != nil, waiting[url] != nil else { return false }
      waiting[url]?.data = data
      waiting[url]?.completions.append(completion)
      return true
    }
    let done = isWaiting ? (isUrgent ? flush(url) : {}) : write(data, to: url, [completion])
    writing.unlock()
    done()
  }

  /// Writes what is to be written to a file.
  ///
  /// - Returns: Tells those who wait for that.
  private func flush(_ url: URL) -> () -> Void {
    let waiting = self.waiting.withValue { waiting in
      defer { waiting[url] = Waiting() }
      return waiting[url]
    }
    guard let data = waiting?.data else { return {} }
    let result = Result { try files.write(data, to: url) }
    return { for completion in waiting?.completions ?? [] { completion(result) } }
  }

  private func write(_ data: Data, to url: URL, _ completions: [Completion]) -> () -> Void {
    let result = Result { try files.write(data, to: url) }
    if let clock {
      waiting.withValue { $0[url] = Waiting() }
      beginWait(for: url, on: clock)
    }
    return { for completion in completions { completion(result) } }
  }

  private func beginWait(for url: URL, on clock: some Clock<Duration>) {
    // From now, and not from when the task gets its turn.
    let end = clock.now.advanced(by: Self.interval)
    Task {
      // A clock that fails does not wait: then the file is written sooner.
      try? await clock.sleep(until: end, tolerance: nil)
      while !endWait(for: url) { try? await clock.sleep(for: Self.interval) }
    }
  }

  /// Writes what has come while the file was left alone.
  ///
  /// - Returns: Whether nothing has, so that the next may be written at once.
  private func endWait(for url: URL) -> Bool {
    writing.lock()
    let isOver = waiting.withValue { waiting in
      guard waiting[url]?.data == nil else { return false }
      waiting[url] = nil
      return true
    }
    let done = isOver ? {} : flush(url)
    writing.unlock()
    done()
    return isOver
  }

  /// Writes all that waits, because the program is about to end.
  func flushAll() {
    writing.lock()
    let done = waiting.withValue { $0 }.keys.map(flush)
    writing.unlock()
    for done in done { done() }
  }
}
