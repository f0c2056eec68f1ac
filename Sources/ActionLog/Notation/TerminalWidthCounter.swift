/// A counter for the terminal columns of text, which is read scalar by scalar.
///
/// ```swift
/// var columns = TerminalWidthCounter()
/// "日本".unicodeScalars.reduce(0) { $0 + columns.width(of: $1) }  // 4
/// ```
///
/// East Asian wide and full-width characters and emoji take two columns. Combining marks, joiners, and scalars that are
/// joined to an emoji take none (Unicode Standard Annex 11 and Unicode Technical Standard 51). Escape sequences for
/// colors take none, either.
package struct TerminalWidthCounter: Sendable {
  private enum PrecedingScalar: Sendable { case none, narrow, wide, emoji, joiner, indicator }
  private var last = PrecedingScalar.none
  private var isInSequence = false

  package init() {}

  /// Returns the number of columns that the next scalar adds.
  package mutating func width(of scalar: Unicode.Scalar) -> Int {
    if scalar == "\u{1B}" { isInSequence = true }
    guard !isInSequence else {
      // A letter ends the escape sequence.
      isInSequence = !scalar.properties.isAlphabetic
      return 0
    }
    if scalar.value >= 0x20, scalar.value < 0x7F {
      last = .narrow
      return 1
    }
    switch scalar.value {
    // A zero-width joiner has a meaning only between emoji.
    case 0x200D:
      last = last == .emoji ? .joiner : last
      return 0
    // This variation selector turns a narrow character into an emoji.
    case 0xFE0F:
      defer { if last != .none { last = .emoji } }
      return last == .narrow ? 1 : 0
    // These scalars are skin tones, which change the preceding emoji.
    case 0x1F3FB...0x1F3FF where last == .emoji: return 0
    // Two regional indicators form a flag.
    case 0x1F1E6...0x1F1FF:
      let isSecond = last == .indicator
      last = isSecond ? .emoji : .indicator
      return isSecond ? 0 : 2
    default: break
    }
    if scalar.takesNoColumn { return 0 }
    let isEmoji = scalar.properties.isEmojiPresentation
    if last == .joiner, isEmoji || scalar.properties.isEmoji {
      last = .emoji
      return 0
    }
    let isWide = isEmoji || scalar.isEastAsianWide
    last = isEmoji ? .emoji : isWide ? .wide : .narrow
    return isWide ? 2 : 1
  }

  /// Returns the number of columns that a string takes.
  package static func count(_ text: some StringProtocol) -> Int {
    var columns = TerminalWidthCounter()
    return text.unicodeScalars.reduce(0) { $0 + columns.width(of: $1) }
  }
}
