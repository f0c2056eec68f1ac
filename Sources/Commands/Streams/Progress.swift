import ActionLog
import Dispatch
import Foundation
import ReplayEngine
import Synchronization

/// A line on a terminal's standard error that says how far long work has come, after its first second.
///
/// Nothing is shown where standard error is no terminal, and while something else is written.
package final class Progress: Sendable {
  private struct State {
    var text: String?
    var isVisible = false
    var isEnded = false
    /// When something else was written, or the work began, in nanoseconds.
    var quietSince = DispatchTime.now().uptimeNanoseconds
  }

  private let isShown: Bool
  private let sink = DescriptorSink(STDERR_FILENO, name: Wording.standardError)
  private let state = Mutex(State())
  private let start = DispatchTime.now().uptimeNanoseconds

  package init(isShown: Bool) { self.isShown = isShown }

  /// Nanoseconds: what is over sooner needs no line.
  private static let delay: UInt64 = 1_000_000_000
  /// Microseconds between two states of the line: more often than can be read costs time for nothing.
  private static let interval: useconds_t = 200_000

  /// Begins to show the line.
  package func begin() {
    guard isShown else { return }
    // A thread of its own: the work may keep all others busy.
    Thread.detachNewThread { [self] in
      while update() { usleep(Self.interval) }
    }
  }

  private func update() -> Bool {
    state.withLock { state in
      guard !state.isEnded else { return false }
      let now = DispatchTime.now().uptimeNanoseconds
      guard now >= state.quietSince + Self.delay else { return true }
      let seconds = Int((now - start) / 1_000_000_000)
      let text = state.text ?? Wording.atWork(seconds: seconds, bytes: ReadingCount.total)
      state.isVisible = true
      try? sink.write("\r\u{1B}[K\(text)".utf8)
      return true
    }
  }

  /// Says how far the work has come, in other words than how much was read.
  package func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let text = text()
    state.withLock { $0.text = text }
  }

  /// Ends the line.
  package func end() {
    state.withLock { state in
      state.isEnded = true
      clear(&state)
    }
  }

  /// Takes the line away, so that something else can stand there.
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

  /// A sink before which the line makes room.
  package func making(roomFor sink: any ByteSink) -> any ByteSink {
    isShown ? Sink(sink: sink, progress: self) : sink
  }

  private final class Sink: ByteSink {
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
