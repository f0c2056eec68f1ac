extension Unicode.Scalar {
  /// Whether a terminal combines the scalar with the previous character.
  var takesNoColumn: Bool {
    guard value >= 0x300 else { return false }
    switch value {
    // Hangul vowels and final consonants form one character with the preceding consonant.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    case 0xE0100...0xE01EF, 0xFE00...0xFE0F: return true
    default: break
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }

  /// Whether the East Asian width is wide or full (Unicode Standard Annex 11).
  var isEastAsianWide: Bool {
    guard value >= 0x1100 else { return false }
    return Self.wide.contains { $0.contains(value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Whether the scalar is invisible or changes how other text is displayed, as control and directional characters do.
  package var isHidden: Bool {
    guard value >= 0x7F else { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // Joiners are valid inside words and emoji.
    case .format: return value != 0x200C && value != 0x200D
    default: return value == 0x115F || value == 0x1160 || value == 0x3164 || value == 0xFFA0
    }
  }
}

/// A writer that replaces hidden characters and misplaced combining marks with escapes of Swift string literals.
struct EscapedText {
  /// The quote character, which is escaped in addition to hidden scalars and backslashes.
  private let quote: Unicode.Scalar
  private let escapesEllipsis: Bool
  private let escapesBackslash: Bool
  private var columns = TerminalWidthCounter()
  /// The number of zero-width scalars since the last visible one.
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

  /// The maximum number of combining marks on one character.
  ///
  /// Further marks are written as escapes.
  private static let mostMarks = 12

  /// Appends the next scalar in UTF-8.
  ///
  /// - Returns: The number of columns that the scalar takes.
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
    columns = TerminalWidthCounter()
    return output.count - start
  }

  /// Returns the number of columns that a scalar would take without surrounding text.
  func columns(of scalar: Unicode.Scalar) -> Int {
    var copy = EscapedText(quote: quote, escapesEllipsis: escapesEllipsis)
    copy.isAtStart = false
    var output: [UInt8] = []
    return copy.append(scalar, to: &output)
  }

  /// Returns a string with hidden characters made visible.
  static func of(
    _ text: some StringProtocol,
    quote: Unicode.Scalar = "\"",
    escapesBackslash: Bool = true
  ) -> String {
    var visible = EscapedText(quote: quote, escapesBackslash: escapesBackslash)
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
  /// Returns the string with each line cut to `width` terminal columns.
  ///
  /// Keeps escape sequences for colors, which take no columns.
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
  /// Returns the line, broken between words to fit into `width` columns.
  ///
  /// Text after two or more spaces starts a column of a table. Continuation lines are indented to the last column that
  /// starts in the first half of the terminal. If no column starts there, they are indented by two spaces more than the
  /// line.
  package func hanging(to width: Int) -> String {
    guard utf8.count > width else { return String(self) }
    let blanks = prefix { $0 == " " }
    var start = TerminalWidthCounter.count(blanks) + 2
    var columns = TerminalWidthCounter()
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
  /// Returns the string with long lines broken, between words where possible.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal in columns.
  ///   - indent: The prefix of continuation lines.
  /// - Returns: The lines separated by line feeds. No text is omitted.
  package func wrapped(to width: Int, indent: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.wrapped($0, width, indent) }
      .joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, _ width: Int, _ indent: String) -> String {
    guard line.utf8.count > width else { return String(line) }
    let least = TerminalWidthCounter.count(indent) + 1
    let width = Swift.max(width, least + 1)
    var lines: [String] = []
    var rest = line[...]
    var start = ""
    while let end = rest.endIndex(ofColumns: width - TerminalWidthCounter.count(start)) {
      // A word that is longer than a line is broken, so that it stays readable.
      let head = rest[..<end]
      let isBetweenWords = rest[end] == " "
      let words = head.drop { $0 == " " }
      let space = isBetweenWords ? end : words.lastIndex(of: " ")
      let breakpoint = space ?? end
      // Several spaces in a row can separate the columns of a table.
      let textEnd = rest[..<breakpoint].lastIndex { $0 != " " }.map(rest.index(after:))
      lines.append(start + rest[..<(textEnd ?? breakpoint)])
      rest = rest[breakpoint...].drop { $0 == " " }
      start = indent
    }
    return (lines + [start + rest]).joined(separator: "\n")
  }

  /// Returns the string without its middle, limited to `width` columns.
  ///
  /// Keeps more of the end than of the start, because the end is usually a file name.
  package func shortened(to width: Int) -> String {
    guard TerminalWidthCounter.count(self) > width else { return self }
    let room = Swift.max(width - 1, 0)
    let head = self[...].endIndex(ofColumns: room / 3).map { self[..<$0] } ?? self[...]
    var left = room - TerminalWidthCounter.count(head)
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      let columns = TerminalWidthCounter.count(self[before..<start])
      guard columns <= left else { break }
      left -= columns
      start = before
    }
    return "\(head)…\(self[start...])"
  }

  /// Returns the string with controls and other hidden characters made visible, except line feeds and tabs.
  ///
  /// All output for people uses this form, because a name from a log or file could otherwise change a terminal's
  /// display. If a line starts with two colons, the first one is escaped, so that GitHub Actions doesn't interpret the
  /// line as a command.
  ///
  /// - Parameter keepsColors: Whether escape sequences for colors stay unchanged.
  /// - Returns: The text, with hidden characters as escapes.
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

  /// The escape sequences for colors, without the escape character.
  private static let colors = ["[0m", "[1m", "[2m", "[31m", "[32m"]
}

extension Substring {
  /// Returns the end of the longest prefix that fits into `width` columns, or `nil` if the complete string fits.
  fileprivate func endIndex(ofColumns width: Int) -> Index? {
    // The number of columns is at most the number of bytes.
    guard utf8.count > width else { return nil }
    var columns = TerminalWidthCounter()
    var count = 0
    return unicodeScalars.indices.first { index in
      count += columns.width(of: unicodeScalars[index])
      return count > width
    }
  }
}
