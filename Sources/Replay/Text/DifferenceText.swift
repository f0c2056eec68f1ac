import ActionLog

/// Writes differences as a diff: for each place the values of both sides.
package struct DifferenceText {
  private let style: Style

  package init(style: Style = .plain) { self.style = style }

  /// The differences of one place in the log, under the names of their causes.
  package func lines(_ differences: [LogDifference]) -> [String] {
    var lines: [String] = []
    var cause: LogDifference.Cause?
    for difference in differences.prefix(Self.most) {
      if difference.cause != cause { lines.append(Wording.name(difference.cause)) }
      cause = difference.cause
      lines += self.lines(difference).map { "  " + $0 }
    }
    if differences.count > Self.most {
      lines.append(Wording.more(differences.count - Self.most))
    }
    return lines
  }

  /// The number of differences that are shown: a screen or two.
  private static let most = 40

  private func lines(_ difference: LogDifference) -> [String] {
    if difference.cause == .sequence, difference.message == nil,
      let expected = difference.expected?.string, let found = difference.actual?.string
    {
      return [Wording.outOfStep(expected: expected, found: found)]
    }
    var lines: [String] = []
    let place = Wording.place(difference)
    if !place.isEmpty { lines.append(place) }
    let indent = place.isEmpty ? "" : "  "
    if let message = difference.message { lines.append(indent + message) }
    if let place = difference.movedTo {
      // One of the two is enough: a changed member of the element is a difference of its own.
      let element = (difference.expected ?? .null).abbreviated
      return lines + [style.dim("\(indent)\(Wording.moved(to: place)): \(element)")]
    }
    if let expected = difference.expected {
      lines.append(style.red("\(indent)− \(expected.abbreviated)"))
    }
    if let actual = difference.actual {
      lines.append(style.green("\(indent)+ \(actual.abbreviated)"))
    }
    return lines
  }
}

/// Colors for a terminal, or none.
package struct Style: Sendable {
  package let hasColor: Bool

  package init(hasColor: Bool) { self.hasColor = hasColor }

  package static let plain = Style(hasColor: false)

  package func red(_ text: String) -> String { escaped(text, "31") }
  package func green(_ text: String) -> String { escaped(text, "32") }
  package func bold(_ text: String) -> String { escaped(text, "1") }
  package func dim(_ text: String) -> String { escaped(text, "2") }

  package enum Color { case bold, dim, red, green }

  /// The sequence that switches a color on, for text that is written piece by piece.
  package func opening(_ color: Color) -> StaticString {
    guard hasColor else { return "" }
    return switch color {
    case .bold: "\u{1B}[1m"
    case .dim: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    }
  }

  /// The sequence that ends a color.
  package var closing: StaticString { hasColor ? "\u{1B}[0m" : "" }

  private func escaped(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
