import ActionLog
import Dispatch
import Foundation
import ReplayEngine
import Synchronization

/// A line on standard error that shows the progress of long work after its first second.
///
/// The line is hidden if standard error is not a terminal, and while other output is written.
package final class Progress: Sendable {
  private struct State {
    var text: String?
    var isVisible = false
    var isEnded = false
    /// The number of times that the line was started.
    ///
    /// A thread from an earlier start ends when it finds another number.
    var round = 0
    /// The time at which the work started, in nanoseconds.
    var start = DispatchTime.now().uptimeNanoseconds
    /// The time at which other output was last written, or the work started, in nanoseconds.
    var quietSince = DispatchTime.now().uptimeNanoseconds
  }

  private let isShown: Bool
  private let sink = DescriptorSink(STDERR_FILENO, name: Wording.standardError)
  private let state = Mutex(State())

  package init(isShown: Bool) { self.isShown = isShown }

  /// The delay before the line appears, in nanoseconds.
  ///
  /// Shorter work needs no line.
  private static let delay: UInt64 = 1_000_000_000
  /// The time between two updates in microseconds, which is as fast as people can read.
  private static let interval: useconds_t = 200_000

  /// Starts to show the line after the delay.
  package func begin() {
    guard isShown else { return }
    let round = state.withLock { state in
      state.round += 1
      return state.round
    }
    // A separate thread updates the line, because the work may keep all other threads busy.
    Thread.detachNewThread { [self] in
      while update(round) { usleep(Self.interval) }
    }
  }

  /// Starts to show the line again for further work, after the previous work has ended.
  package func restartDisplay() {
    guard isShown else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    state.withLock { state in
      (state.text, state.isEnded) = (nil, false)
      (state.start, state.quietSince) = (now, now)
    }
    begin()
  }

  private func update(_ round: Int) -> Bool {
    state.withLock { state in
      guard !state.isEnded, state.round == round else { return false }
      let now = DispatchTime.now().uptimeNanoseconds
      guard now >= state.quietSince + Self.delay else { return true }
      let seconds = Int((now - state.start) / 1_000_000_000)
      let text = state.text ?? Wording.atWork(seconds: seconds, bytes: LogBytesReadCounter.total)
      state.isVisible = true
      try? sink.write("\r\u{1B}[K\(text)".utf8)
      return true
    }
  }

  /// Sets the text that the line shows in place of the number of bytes read.
  package func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let text = text()
    state.withLock { $0.text = text }
  }

  /// Ends the work, and removes the line.
  package func end() {
    state.withLock { state in
      state.isEnded = true
      clear(&state)
    }
  }

  /// Removes the line, so that other output can be written.
  fileprivate func makeRoom() {
    state.withLock { state in
      clear(&state)
      state.quietSince = DispatchTime.now().uptimeNanoseconds
    }
  }

  private func clear(_ state: inout State) {
    guard state.isVisible else { return }
    state.isVisible = false
    try? sink.write("\r\u{1B}[K".utf8)
  }

  /// Returns a sink that removes the line before it writes to another sink.
  func wrapping(_ sink: any ByteSink) -> any ByteSink {
    isShown ? ProgressHidingSink(sink: sink, progress: self) : sink
  }

  private final class ProgressHidingSink: ByteSink {
    private let sink: any ByteSink
    private let progress: Progress

    init(sink: any ByteSink, progress: Progress) {
      self.sink = sink
      self.progress = progress
    }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
      progress.makeRoom()
      try sink.write(bytes)
    }
  }
}
