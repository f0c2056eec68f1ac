import ReplayEngine

/// What a host has written, for people to read below a verdict.
package struct HostOutputText {
  /// The host, whose functions are named.
  package let host: String

  package init(
    host: String
  ) {
    self.host = host
  }

  /// How many lines, and how many frames of a stack, are shown unless all are asked for.
  private static let mostLines = 10
  private static let mostFrames = 5

  /// All lines, or the first of them with stacks that are cut to the app's own functions.
  ///
  /// - Parameters:
  ///   - output: The lines.
  ///   - isVerbose: Whether all are wanted; `nil` where they cannot be asked for.
  /// - Returns: The lines for people, with a title.
  package func lines(_ output: [String], isVerbose: Bool?) -> [String] {
    guard !output.isEmpty else { return [] }
    guard isVerbose != true else { return [Wording.hostWrote] + output.map { "  \($0)" } }
    let (brief, left) = cut(output)
    var lines = Array(brief.prefix(Self.mostLines))
    // A trap has the last word.
    if brief.count > Self.mostLines {
      lines =
        brief.prefix(Self.mostLines / 2) + [Wording.ellipsis] + brief.suffix(Self.mostLines / 2)
    }
    let shown = min(brief.count, Self.mostLines)
    let rest = left + brief.count - shown
    return [Wording.hostWrote] + lines.map { "  \($0)" }
      + (rest > 0 ? ["  " + Wording.linesLeftOut(rest, canBeShown: isVerbose != nil)] : [])
  }

  /// The lines with the stacks cut, and how many that leaves out.
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
  /// What a host that did not begin had to say, for people to read.
  package var standardErrorLines: [String] {
    guard case .silent(let host, _, let said) = self else { return [] }
    return HostOutputText(host: host).lines(said, isVerbose: nil)
  }
}
