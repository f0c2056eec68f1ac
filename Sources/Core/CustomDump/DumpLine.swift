/// A line of a dump or of a difference.
struct DumpLine {
  enum Mark { case first, second, both }

  var text: String
  var indent = 0
  var mark = Mark.both
  /// A comma, where another member follows.
  var separator = ""
  /// A comment behind the line.
  var note: String?

  private var content: String {
    let indentation = text.isEmpty ? "" : String(repeating: " ", count: indent)
    return indentation + text + separator + (note.map { " // \($0)" } ?? "")
  }

  /// The line without its mark.
  var plainText: String { content }

  /// The line behind its mark.
  func text(in format: DiffFormat) -> String {
    let sign =
      switch mark {
      case .first: format.first
      case .second: format.second
      case .both: format.both
      }
    return content.isEmpty ? (mark == .both ? "" : sign) : "\(sign) \(content)"
  }
}

/// The lines of one value or of one pair of values.
struct DumpBlock {
  var lines: [DumpLine]
  /// Which lines end the block, and get the comma: two where a value stands in for another.
  private var ends: [Int]
  /// Whether any line is there on one side only.
  var isDifference = false

  init(_ lines: [DumpLine]) {
    self.lines = lines
    ends = [lines.count - 1]
  }

  init(line: String) {
    self.init([DumpLine(text: line)])
  }

  /// One block in place of another.
  init(first: DumpBlock, second: DumpBlock) {
    let first = first.marked(.first)
    let second = second.marked(.second)
    lines = first.lines + second.lines
    ends = [first.lines.count - 1, lines.count - 1]
    isDifference = true
  }

  /// The text, if it is but one line without a comment.
  var singleLine: String? {
    guard lines.count == 1, lines[0].note == nil else { return nil }
    return lines[0].text
  }

  func indented(by indent: Int) -> DumpBlock {
    var copy = self
    for index in copy.lines.indices { copy.lines[index].indent += indent }
    return copy
  }

  func marked(_ mark: DumpLine.Mark) -> DumpBlock {
    var copy = self
    for index in copy.lines.indices { copy.lines[index].mark = mark }
    copy.isDifference = mark != .both
    return copy
  }

  func labelled(_ label: String?) -> DumpBlock {
    guard let label, let first = lines.first else { return self }
    var copy = self
    copy.lines[0].text = "\(label): \(first.text)"
    return copy
  }

  /// Adds a comment to the first line.
  func noted(_ note: String?) -> DumpBlock {
    guard let note, !lines.isEmpty else { return self }
    var copy = self
    copy.lines[0].note = note
    return copy
  }

  /// Puts a line in front of all others.
  mutating func insert(_ line: DumpLine) {
    lines.insert(line, at: 0)
    ends = ends.map { $0 + 1 }
  }

  func separated() -> DumpBlock {
    var copy = self
    for end in ends where copy.lines.indices.contains(end) { copy.lines[end].separator = "," }
    return copy
  }
}

extension DumpBlock {
  /// Blocks between the opening and the closing line of what holds them.
  init(_ open: String, _ members: [DumpBlock], _ close: String) {
    var lines = [DumpLine(text: open)]
    for (index, member) in members.enumerated() {
      let isLast = index == members.count - 1
      let start = lines.count
      lines += (isLast ? member : member.separated()).lines
      // In place: what is deep inside goes through here once a level.
      for line in start..<lines.count { lines[line].indent += 2 }
    }
    lines.append(DumpLine(text: close))
    self.init(lines)
    isDifference = members.contains(where: \.isDifference)
  }
}
