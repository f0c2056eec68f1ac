import Foundation
import ReplayEngine
import Synchronization

/// A buffer for the standard error of a host: the output of the feature, and the message and stack of a trap.
///
/// Of long output, only the beginning and the end are stored.
final class HostOutput: Sendable {
  private struct CapturedOutput {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    /// The number of bytes between the beginning and the end that were omitted.
    var omitted = 0
  }

  private let descriptor: Descriptor
  private let contents = Mutex(CapturedOutput())

  /// The maximum number of bytes to store from the beginning and from the end of the output, each.
  private static let most = 32 * 1024

  /// Starts to read from a pipe in the background, so that the host never waits for space in the pipe.
  init(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = Descriptor(descriptor)
    Thread.detachNewThread { [self] in
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while true {
        guard poll(&entry, 1, -1) > 0 || errno == EINTR else { return }
        guard contents.withLock({ read(into: &$0) }) else { return }
      }
    }
  }

  /// Removes and returns the lines that the host has written since the last call.
  func drain() -> [String] {
    let contents = contents.withLock { contents in
      _ = read(into: &contents)
      defer { contents = CapturedOutput() }
      return contents
    }
    return Self.lines(contents)
  }

  /// Reads the available bytes, and returns `false` at the end of the pipe.
  private func read(into contents: inout CapturedOutput) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    // The number of reads is limited, because a host that writes continuously would otherwise hold the lock forever.
    for _ in 0..<64 {
      let count = Foundation.read(descriptor.number, &buffer, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      let room = max(0, Self.most - contents.head.count)
      contents.head += buffer[..<min(room, count)]
      contents.tail += buffer[min(room, count)..<count]
      if contents.tail.count > 2 * Self.most {
        contents.omitted += contents.tail.count - Self.most
        contents.tail.removeFirst(contents.tail.count - Self.most)
      }
    }
    return true
  }

  private static func lines(_ contents: CapturedOutput) -> [String] {
    guard !contents.head.isEmpty else { return [] }
    guard contents.omitted > 0 else { return lines(contents.head + contents.tail) }
    return lines(contents.head) + [Wording.leftOut(bytes: contents.omitted)] + lines(contents.tail)
  }

  /// Splits text into lines, and replaces control characters, which could move a terminal's cursor.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;:?]*[A-Za-z]/, with: "")
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.map {
            $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? "\u{FFFD}" : $0
          }
        )
      )
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// A formatter that shows the output of a host below a verdict.
package struct HostOutputText {
  /// The path of the host's executable, whose symbol table supplies function names.
  private let host: String

  package init(host: String) { self.host = host }

  /// The maximum number of lines to show by default, so that a report fits on a screen.
  private static let mostLines = 10
  private static let mostFrames = 5

  /// Formats the output of a host.
  ///
  /// Unless `isVerbose` is `true`, the result contains only the first and last lines, and stacks contain only the app's
  /// own functions.
  ///
  /// - Parameters:
  ///   - output: The lines that the host wrote to standard error.
  ///   - isVerbose: Whether to show all lines, or `nil` if the command has no such option.
  /// - Returns: A title and the lines, or no lines if there is no output.
  package func lines(_ output: [String], isVerbose: Bool?) -> [String] {
    guard !output.isEmpty else { return [] }
    guard isVerbose != true else { return [Wording.hostWrote] + output.map { "  \($0)" } }
    let (brief, left) = cut(output)
    var lines = Array(brief.prefix(Self.mostLines))
    // The message of a trap is at the end, so the last lines are shown too.
    if brief.count > Self.mostLines {
      lines =
        brief.prefix(Self.mostLines / 2) + [Wording.ellipsis] + brief.suffix(Self.mostLines / 2)
    }
    let shown = min(brief.count, Self.mostLines)
    let rest = left + brief.count - shown
    return [Wording.hostWrote] + lines.map { "  \($0)" }
      + (rest > 0 ? ["  " + Wording.linesLeftOut(rest, canBeShown: isVerbose != nil)] : [])
  }

  /// Returns the lines with shortened stacks, and the number of omitted lines.
  private func cut(_ output: [String]) -> (lines: [String], left: Int) {
    var lines: [String] = []
    var left = 0
    var symbols: HostSymbols?
    var rest = output[...]
    while let line = rest.popFirst() {
      guard line == StackFrame.title else {
        lines.append(line)
        continue
      }
      let frames = rest.prefix { StackFrame($0) != nil }
      rest = rest.dropFirst(frames.count)
      let known = symbols ?? HostSymbols(of: host)
      symbols = known
      let own = frames.compactMap { StackFrame($0).flatMap { known.ownFunction(of: $0) } }
      let shown = own.prefix(Self.mostFrames).map { "  " + Wording.inFunction($0) }
      lines += shown
      left += 1 + frames.count - shown.count
    }
    return (lines, left)
  }
}

extension HostFailure {
  /// The lines that a host wrote to standard error before it ended without an event, formatted for people.
  package var standardErrorLines: [String] {
    guard case .silent(let host, _, let said) = self else { return [] }
    return HostOutputText(host: host).lines(said, isVerbose: nil)
  }
}

/// Messages about the output of hosts.
extension Wording {
  fileprivate static let hostWrote = "the host wrote:"

  fileprivate static let ellipsis = "…"

  fileprivate static func inFunction(_ name: String) -> String { "in \(name)" }

  fileprivate static func linesLeftOut(_ count: Int, canBeShown: Bool) -> String {
    "(\(count == 1 ? "1 more line" : "\(count) more lines")\(canBeShown ? "; --verbose shows all" : ""))"
  }

  fileprivate static func leftOut(bytes: Int) -> String { "… \(bytes) bytes are left out here …" }
}
