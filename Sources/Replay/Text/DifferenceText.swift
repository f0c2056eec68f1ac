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
