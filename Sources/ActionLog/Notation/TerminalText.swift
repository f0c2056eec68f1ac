/// The columns that text takes on a terminal, scalar by scalar.
///
/// ```swift
/// var columns = TerminalColumns()
/// "日本".unicodeScalars.reduce(0) { $0 + columns.width(of: $1) }  // 4
/// ```
///
/// East Asian wide and full-width characters and emoji take two columns; combining marks, joiners and what is joined to an emoji
/// take none (Unicode Standard Annex 11 and Unicode Technical Standard 51). Sequences that switch colors take none either.
package struct TerminalColumns: Sendable {
  private enum Last: Sendable { case none, narrow, wide, emoji, joiner, indicator }
  private var last = Last.none
  private var isInSequence = false

  package init() {}

  /// The columns by which the next scalar makes the text longer.
  package mutating func width(of scalar: Unicode.Scalar) -> Int {
    if scalar == "\u{1B}" { isInSequence = true }
    guard !isInSequence else {
      // A letter ends the sequence.
      isInSequence = !scalar.properties.isAlphabetic
      return 0
    }
    if scalar.value >= 0x20, scalar.value < 0x7F {
      last = .narrow
      return 1
    }
    switch scalar.value {
    // A joiner, which has a meaning between emoji alone.
    case 0x200D:
      last = last == .emoji ? .joiner : last
      return 0
    // The variation selector that makes an emoji of a narrow character.
    case 0xFE0F:
      defer { if last != .none { last = .emoji } }
      return last == .narrow ? 1 : 0
    // Skin tones.
    case 0x1F3FB...0x1F3FF where last == .emoji: return 0
    // Two regional indicators make a flag.
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

  /// The columns of a text.
  package static func count(_ text: some StringProtocol) -> Int {
    var columns = TerminalColumns()
    return text.unicodeScalars.reduce(0) { $0 + columns.width(of: $1) }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal shows it on the character before it.
  var takesNoColumn: Bool {
    guard value >= 0x300 else { return false }
    switch value {
    // Vowels and final consonants of Hangul, which form one character with the consonant before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    case 0xE0100...0xE01EF, 0xFE00...0xFE0F: return true
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }

  /// Whether its East Asian width is wide or full (Unicode Standard Annex 11).
  fileprivate var isEastAsianWide: Bool {
    guard value >= 0x1100 else { return false }
    return Self.wide.contains { $0.contains(value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Whether it would change how the text around it is shown, or is not to be seen: controls, directions and the like.
  package var isHidden: Bool {
    guard value >= 0x7F else { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // Joiners have their places in words and emoji.
    case .format: return value != 0x200C && value != 0x200D
    default: return value == 0x115F || value == 0x1160 || value == 0x3164 || value == 0xFFA0
    }
  }
}

/// Text with controls, directions and marks out of place made visible as Swift writes them in a literal.
struct VisibleText {
  /// What is escaped besides hidden scalars and the backslash.
  private let quote: Unicode.Scalar
  private let escapesEllipsis: Bool
  private let escapesBackslash: Bool
  private var columns = TerminalColumns()
  /// Scalars without a column since the last one that has columns.
  private var marks = 0
  private var isAtStart = true

  init(
    quote: Unicode.Scalar = "\"",
    escapesEllipsis: Bool = false,
    escapesBackslash: Bool = true
  ) {
    self.quote = quote
    self.escapesBackslash = escapesBackslash
    self.escapesEllipsis = escapesEllipsis
  }

  /// More marks on one character are no text.
  private static let mostMarks = 12

  /// Appends the next scalar to UTF-8, and returns the columns that it takes.
  mutating func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) -> Int {
    let start = output.count
    switch scalar {
    case _ where scalar == quote || scalar == "\\" && escapesBackslash:
      output.append(UInt8(ascii: "\\"))
      output.append(scalar)
    case "\n": output.append(literal: "\\n")
    case "\r": output.append(literal: "\\r")
    case "\t": output.append(literal: "\\t")
    case "\0": output.append(literal: "\\0")
    default:
      let isMark = scalar.takesNoColumn
      marks = isMark ? marks + 1 : 0
      let isOutOfPlace = isMark && (isAtStart || marks > Self.mostMarks)
      guard !scalar.isHidden, !isOutOfPlace, !(escapesEllipsis && scalar == "…") else {
        output.append("\\u{\(String(scalar.value, radix: 16, uppercase: true))}")
        break
      }
      isAtStart = false
      output.append(scalar)
      return columns.width(of: scalar)
    }
    isAtStart = false
    columns = TerminalColumns()
    return output.count - start
  }

  /// The columns that the next scalar would take, without a text around it.
  func columns(of scalar: Unicode.Scalar) -> Int {
    var copy = VisibleText(quote: quote, escapesEllipsis: escapesEllipsis)
    copy.isAtStart = false
    var output: [UInt8] = []
    return copy.append(scalar, to: &output)
  }

  /// A text made visible.
  static func of(
    _ text: some StringProtocol,
    quote: Unicode.Scalar = "\"",
    escapesBackslash: Bool = true
  ) -> String {
    var visible = VisibleText(quote: quote, escapesBackslash: escapesBackslash)
    var output: [UInt8] = []
    for scalar in text.unicodeScalars { _ = visible.append(scalar, to: &output) }
    return String(decoding: output, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a scalar in UTF-8.
  fileprivate mutating func append(_ scalar: Unicode.Scalar) {
    if let units = UTF8.encode(scalar) { append(contentsOf: units) }
  }
}

extension String {
  /// The text with each line cut where a terminal of so many columns ends.
  ///
  /// Sequences that switch colors take no column and stay.
  package func fitted(to width: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { Self.fitted($0, width) }
      .joined(separator: "\n")
  }

  private static func fitted(_ line: Substring, _ width: Int) -> String {
    guard line.endIndex(ofColumns: width) != nil, let end = line.endIndex(ofColumns: width - 1)
    else {
      return String(line)
    }
    let hasColor = line.utf8.contains(0x1B)
    return "\(line[..<end])…\(hasColor ? "\u{1B}[0m" : "")"
  }
}

extension Substring {
  /// The line broken between words, where further lines begin below its last column in the first half of the terminal.
  ///
  /// A column begins after two blanks. A line without columns goes on two columns after its beginning.
  package func hanging(to width: Int) -> String {
    guard utf8.count > width else { return String(self) }
    let blanks = prefix { $0 == " " }
    var start = TerminalColumns.count(blanks) + 2
    var columns = TerminalColumns()
    var (column, gap) = (0, 0)
    for scalar in unicodeScalars {
      if scalar != " ", gap >= 2, column > gap { start = column }
      gap = scalar == " " ? gap + 1 : 0
      column += columns.width(of: scalar)
      if column > width / 2 { break }
    }
    return String(self).wrapped(to: width, indent: String(repeating: " ", count: start))
  }
}

extension String {
  /// The text with each line longer than a terminal's broken between words, where that is possible.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal.
  ///   - indent: What the further lines begin with.
  /// - Returns: The lines with line feeds between them; nothing is cut.
  package func wrapped(to width: Int, indent: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.wrapped($0, width, indent) }
      .joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, _ width: Int, _ indent: String) -> String {
    guard line.utf8.count > width else { return String(line) }
    let least = TerminalColumns.count(indent) + 1
    let width = Swift.max(width, least + 1)
    var lines: [String] = []
    var rest = line[...]
    var start = ""
    while let end = rest.endIndex(ofColumns: width - TerminalColumns.count(start)) {
      // A word longer than a line is broken within: it is better read so than not at all.
      let head = rest[..<end]
      let isBetweenWords = rest[end] == " "
      let words = head.drop { $0 == " " }
      let space = isBetweenWords ? end : words.lastIndex(of: " ")
      let breakpoint = space ?? end
      // Between columns there are several blanks.
      let textEnd = rest[..<breakpoint].lastIndex { $0 != " " }.map(rest.index(after:))
      lines.append(start + rest[..<(textEnd ?? breakpoint)])
      rest = rest[breakpoint...].drop { $0 == " " }
      start = indent
    }
    return (lines + [start + rest]).joined(separator: "\n")
  }

  /// The text with its middle left out, so that it takes at most so many columns; most of its end stays, which is a file's name.
  package func shortened(to width: Int) -> String {
    guard TerminalColumns.count(self) > width else { return self }
    let room = Swift.max(width - 1, 0)
    let head = self[...].endIndex(ofColumns: room / 3).map { self[..<$0] } ?? self[...]
    var left = room - TerminalColumns.count(head)
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      let columns = TerminalColumns.count(self[before..<start])
      guard columns <= left else { break }
      left -= columns
      start = before
    }
    return "\(head)…\(self[start...])"
  }

  /// The text with controls and other hidden characters made visible, but for the ends of lines and tabs.
  ///
  /// What writes for people writes it so: a name from a log or a file could otherwise change what a terminal shows. A line that
  /// GitHub Actions would take for a command, because it begins with two colons, begins with an escape instead.
  ///
  /// - Parameter keepsColors: Whether the sequences stay that switch colors.
  /// - Returns: The text.
  package func withoutControls(keepsColors: Bool = false) -> String {
    let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }
    return (isPlain ? self : withVisibleControls(keepsColors: keepsColors)).withoutCommands
  }

  private var withoutCommands: String {
    guard contains("::") else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let rest = line.drop { $0 == " " || $0 == "\t" }
      guard rest.hasPrefix("::") else { return line }
      return line[..<rest.startIndex] + #"\u{3A}"# + rest.dropFirst()
    }.joined(separator: "\n")
  }

  private func withVisibleControls(keepsColors: Bool) -> String {
    var result = ""
    result.reserveCapacity(utf8.count)
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if keepsColors, scalar == "\u{1B}",
        let color = Self.colors.first(where: { rest.starts(with: $0.unicodeScalars) })
      {
        result += "\u{1B}" + color
        rest = rest.dropFirst(color.unicodeScalars.count)
      } else if scalar.isHidden, scalar != "\n", scalar != "\t" {
        result += Notation.visible(String(scalar))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// What follows the escape character in the sequences that switch colors.
  private static let colors = ["[0m", "[1m", "[2m", "[31m", "[32m"]
}

extension Substring {
  /// Where the text ends if it may take so many columns; `nil` when it takes no more.
  fileprivate func endIndex(ofColumns width: Int) -> Index? {
    // Fewer bytes can't take more columns.
    guard utf8.count > width else { return nil }
    var columns = TerminalColumns()
    var count = 0
    return unicodeScalars.indices.first { index in
      count += columns.width(of: unicodeScalars[index])
      return count > width
    }
  }
}
