extension Array {
  /// Returns the elements after a few random mistakes.
  ///
  /// Some elements are omitted, repeated, moved, cut off at the end, or replaced by others.
  ///
  /// - Parameters:
  ///   - slips: The number of mistakes.
  ///   - others: The source of inserted elements.
  ///   - random: The source of randomness.
  /// - Returns: The damaged elements.
  package func damaged(
    _ slips: ClosedRange<Int> = 1...4,
    with others: [Element],
    using random: inout some RandomNumberGenerator
  ) -> [Element] {
    var elements = self
    for _ in 0..<Int.random(in: slips, using: &random) {
      let place = Int.random(in: 0...elements.count, using: &random)
      let isInside = place < elements.count
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<4 where isInside: elements.remove(at: place)
      case 4..<9 where isInside:
        if let other = others.randomElement(using: &random) { elements[place] = other }
      case 9 where isInside: elements.insert(elements[place], at: place)
      case 10 where isInside:
        elements.swapAt(place, Int.random(in: 0..<elements.count, using: &random))
      case 11: elements.removeSubrange(place...)
      default:
        if let other = others.randomElement(using: &random) { elements.insert(other, at: place) }
      }
    }
    return elements
  }
}

extension String {
  /// Returns the text after a few random typing errors with the given characters.
  package func damaged(
    _ slips: ClosedRange<Int> = 1...4,
    with others: String,
    using random: inout some RandomNumberGenerator
  ) -> String {
    var text = String.UnicodeScalarView()
    text.append(
      contentsOf: Array(unicodeScalars)
        .damaged(slips, with: Array(others.unicodeScalars), using: &random)
    )
    return String(text)
  }
}
