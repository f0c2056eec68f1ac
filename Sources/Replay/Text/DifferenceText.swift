import ActionLog

/// A formatter that shows differences as a diff, with the expected and the actual value for each path.
package struct DifferenceText {
  private let style: Style

  package init(style: Style = .plain) { self.style = style }

  /// Returns the lines that show the differences at one action, grouped by cause.
  package func lines(_ differences: [LogDifference]) -> [String] {
    var lines: [String] = []
    var last: LogDifference?
    for difference in differences.prefix(Self.most) {
      if difference.cause != last?.cause { lines.append(Wording.name(difference.cause)) }
      // Two consecutive differences can show the old and new case of one enum. The enum's path is then printed once.
      let isOtherCase =
        difference.places.changedCase != nil && last?.places.changedCase != nil
        && difference.places.place == last?.places.place && !style.notation.isRaw
      lines += self.lines(difference).dropFirst(isOtherCase ? 1 : 0).map { "  " + $0 }
      last = difference
    }
    if differences.count > Self.most {
      lines.append(Wording.more(differences.count - Self.most))
    }
    return lines
  }

  /// Returns one line that shows a difference: `count  − 3  + 1`.
  package func line(_ difference: LogDifference) -> String {
    if difference.cause == .sequence, difference.message == nil {
      return lines(difference).joined(separator: " ")
    }
    var parts = [Wording.locationText(difference, style.notation)]
    if let message = difference.message { parts.append(Notation.visible(message)) }
    if let expected = difference.expected {
      parts.append(style.red("− \(style.notation.value(expected))"))
    }
    if let actual = difference.actual {
      parts.append(style.green("+ \(style.notation.value(actual))"))
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The maximum number of differences that are shown, which fill one or two screens.
  private static let most = 40

  private func lines(_ difference: LogDifference) -> [String] {
    if difference.cause == .sequence, difference.message == nil,
      let expected = difference.expected?.string, let found = difference.actual?.string
    {
      return wrapped(Wording.outOfStep(expected: expected, found: found), indent: "")
    }
    var lines: [String] = []
    let place = Wording.locationText(difference, style.notation)
    if !place.isEmpty { lines.append(place) }
    let indent = place.isEmpty ? "" : "  "
    if let message = difference.message {
      lines += wrapped(Notation.visible(message), indent: indent)
    }
    if let place = Wording.movedTo(difference, style.notation) {
      // One value is enough to name the element, because a changed member of the element is a separate difference.
      let element = style.notation.value(difference.expected ?? .null)
      return lines + [style.dim("\(indent)\(Wording.moved(to: place)): \(element)")]
    }
    if let expected = difference.expected {
      lines += signed("−", expected, difference).map { style.red(indent + $0) }
    }
    if let actual = difference.actual {
      lines += signed("+", actual, difference).map { style.green(indent + $0) }
    }
    return lines
  }

  /// Wraps a message, which is never truncated, unlike values.
  private func wrapped(_ message: String, indent: String) -> [String] {
    style.wrapped(indent + message, indent: indent + "  ", margin: Self.margin)
      .split(separator: "\n").map(String.init)
  }

  /// The number of columns by which a report indents each difference.
  private static let margin = 4

  /// Returns the lines that show an expected or actual value after its sign.
  private func signed(_ sign: String, _ value: JSON, _ difference: LogDifference) -> [String] {
    let lines = Wording.lines(value, of: difference, style.notation)
    return lines.enumerated().map { "\($0.offset == 0 ? sign : " ") \($0.element)" }
  }
}
