import ActionLog

/// A formatter that shows verdicts to people.
package struct VerdictText {
  private let style: Style

  package init(style: Style = .plain) { self.style = style }

  /// Returns one line that states the verdict on a replay whose last compared action is `seq`.
  package func line(_ verdict: Verdict, through seq: Int) -> String {
    let text = Wording.line(verdict, through: seq, style.notation)
    return verdict.isSame ? text : style.bold(text)
  }

  /// Returns lines that explain a verdict: its action, the chain of causes, and the differences of a divergence.
  ///
  /// - Parameters:
  ///   - verdict: The verdict to explain.
  ///   - links: The chain of causes. A divergence contains its own chain.
  /// - Returns: The lines. There are none if the verdict refers to no action, or if it is no divergence and `links` is
  ///   empty.
  package func details(_ verdict: Verdict, causes links: [Verdict.Divergence.Link] = []) -> [String]
  {
    guard case .diverged(let divergence) = verdict else {
      guard let at = verdict.at, !links.isEmpty else { return [] }
      return causes(links, of: at)
    }
    var lines = causes(divergence.causes, of: divergence.at)
    lines += ["", Wording.legend(first: "recorded", second: "replayed")]
    lines += DifferenceText(style: style).lines(divergence.differences)
    lines += context(divergence)
    return lines
  }

  /// Returns lines with the recorded reads of the action, and with its recorded effects.
  ///
  /// Reads are omitted if the differences include reads, and effects if the differences include effects.
  private func context(_ divergence: Verdict.Divergence) -> [String] {
    var lines: [String] = []
    let shown = Set(divergence.differences.map(\.cause))
    if !divergence.reads.isEmpty, !shown.contains(.reads) {
      lines += ["", Wording.recordedReads]
      lines += divergence.reads.map { read in
        "  \(Notation.visible(read.key))  \(style.notation.value(read.value))"
      }
    }
    let effects = divergence.effects.flatMap(\.own)
    if !effects.isEmpty, !shown.contains(.effects) {
      lines += ["", Wording.recordedEffects]
      lines += effects.flatMap { $0.lines(indent: "  ", style.notation) }
    }
    return lines
  }

  /// Returns lines with an action and its chain of causes, back to an action from outside.
  package func causes(_ links: [Verdict.Divergence.Link], of seq: Int) -> [String] {
    guard let first = links.first, let last = links.last else {
      return [Wording.actionNotInLog(seq)]
    }
    var lines = ["action \(first.seq)  \(style.notation.action(first.action))"]
    for (link, cause) in zip(links, links.dropFirst()) {
      guard link.origin.cause == cause.seq else {
        lines.append("  …")
        continue
      }
      let origin = origin(link, of: cause.seq, isFirst: link.seq == first.seq)
      lines.append("  \(origin)  \(style.notation.action(cause.action))")
    }
    lines.append("  \(origin(last, of: nil, isFirst: last.seq == first.seq))")
    return lines
  }
}

extension VerdictText {
  /// Returns text that names the sender of an action in the chain.
  ///
  /// The text starts with the action's number, except for the first action, which the caller has already shown.
  private func origin(
    _ link: Verdict.Divergence.Link,
    of cause: Int?,
    isFirst: Bool
  ) -> String {
    let origin = Wording.origin(link.origin, of: cause)
    return isFirst ? origin : "action \(link.seq) \(origin)"
  }
}

extension EffectDescription {
  /// Returns one line for the effect, and one for each of its parts.
  package func lines(indent: String, _ notation: Notation) -> [String] {
    [indent + Wording.title(self, notation)]
      + effects.flatMap { $0.lines(indent: indent + "  ", notation) }
  }
}
