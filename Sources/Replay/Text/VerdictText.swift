import ActionLog

/// A verdict for people to read.
struct VerdictText {
  var style = Style.plain

  /// The verdict on one line.
  func line(_ verdict: Verdict, through seq: Int) -> String {
    let text = Wording.line(verdict, through: seq)
    return verdict.isSame ? text : style.bold(text)
  }

  /// Of a divergence the action, what led to it, and the differences; nothing for other verdicts.
  func details(_ verdict: Verdict) -> [String] {
    guard case .diverged(let divergence) = verdict else { return [] }
    var lines = causes(divergence.causes, of: divergence.at)
    lines += ["", Wording.legend(first: "recorded", second: "replayed")]
    lines += DifferenceText(style: style).lines(divergence.differences)
    return lines
  }

  /// An action and what led to it, back to what came from outside.
  func causes(_ links: [Verdict.Divergence.Link], of seq: Int) -> [String] {
    guard let first = links.first, let last = links.last else {
      return [Wording.actionNotInLog(seq)]
    }
    var lines = ["action \(first.seq)  \(first.action.abbreviated)"]
    for (link, cause) in zip(links, links.dropFirst()) {
      guard link.origin.cause == cause.seq else {
        lines.append("  …")
        continue
      }
      let origin = Wording.origin(link.origin, of: cause.seq)
      lines.append("  \(origin)  \(cause.action.abbreviated)")
    }
    lines.append("  \(Wording.origin(last.origin, of: nil))")
    return lines
  }
}
