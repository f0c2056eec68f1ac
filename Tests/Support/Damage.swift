extension Array {
  /// The elements after a few random slips: some left out, said twice, said in another place, cut off at the end, or
  /// replaced by others.
  ///
  /// - Parameters:
  ///   - slips: How many slips there are.
  ///   - others: What comes in from outside.
  ///   - random: Where the slips come from.
  /// - Returns: The elements as they are then.
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
  /// The text after a few random slips of a pen, with characters of these.
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
