/// A printer of dumps, which counts the written values in order to limit their number.
struct DumpPrinter {
  /// The maximum number of nested levels in a dump, which bounds the stack depth of the recursion.
  static let deepest = 100
  /// The maximum number of values in a dump, which bounds the time and memory that a large value takes.
  static let most = 50_000
  /// The maximum length, in characters, of a container that is written on one line, unless its only member is a leaf.
  private static let widest = 80

  /// The tracker whose snapshots are shown in place of shared values; `nil` to show current values.
  private let tracker: SharedChangeTracker?
  /// The number of values that the printer may still write.
  var remaining = most
  /// The objects that enclose the value being written, outermost first.
  private var enclosing: [ObjectIdentifier] = []
  /// The objects found so far, with their numbers.
  ///
  /// The printer retains them, because the address of a released object may be reused.
  private var objects: [ObjectIdentifier: (number: Int, object: AnyObject)] = [:]
  /// The objects that the dump refers to by number, which are therefore written with their numbers.
  private var referenced: Set<ObjectIdentifier> = []
  /// Whether references replace all repeated objects.
  ///
  /// If `false`, a reference replaces an object only inside the object itself.
  private let refersToAll: Bool
  /// Whether the dump refers to an object that was written without its number.
  private var needsNumbers = false

  init(snapshotsOf tracker: SharedChangeTracker? = nil) {
    self.tracker = tracker
    refersToAll = false
  }

  private init(referringTo referenced: Set<ObjectIdentifier>) {
    tracker = nil
    refersToAll = true
    self.referenced = referenced
  }

  /// Returns the lines of a value and its contents, with each object written out once.
  static func wholeBlock(of child: DumpChild, depth: Int) -> DumpBlock {
    var printer = DumpPrinter(referringTo: [])
    let block = printer.block(of: child, isRoot: true, depth: depth)
    guard printer.needsNumbers else { return block }
    // The first pass finds the repeated objects. A second pass is necessary to write them with their numbers.
    var numbering = DumpPrinter(referringTo: printer.referenced)
    return numbering.block(of: child, isRoot: true, depth: depth)
  }

  /// Returns the lines of a value and its contents.
  ///
  /// - Parameters:
  ///   - child: The value and its label.
  ///   - isRoot: Whether no enclosing value shows the type of the value.
  ///   - depth: The number of levels to write.
  /// - Returns: The lines, of which the first begins with the label.
  mutating func block(of child: DumpChild, isRoot: Bool = false, depth: Int) -> DumpBlock {
    let shape = shape(of: child.value, isRoot: isRoot)
    if isRoot, child.label == nil, depth > 0, case .string(let string) = shape,
      string.unicodeScalars.contains("\n")
    {
      return .ofString(string, indent: 0)
    }
    return block(of: shape, depth: min(depth, Self.deepest)).labelled(child.label)
  }

  /// Returns the shape of a value, or a reference if the value is an object that is already being written.
  ///
  /// If `refersToAll` is `true`, a reference also replaces an object that occurred before.
  mutating func shape(of value: Any, isRoot: Bool) -> DumpShape {
    let shape =
      tracker?.assert { DumpShape(of: value, isRoot: isRoot) }
      ?? DumpShape(of: value, isRoot: isRoot)
    guard case .container(let container) = shape, let object = container.object else {
      return shape
    }
    let id = ObjectIdentifier(object)
    guard let known = objects[id] else {
      objects[id] = (objects.count + 1, object)
      return shape
    }
    let isAround = enclosing.contains(id)
    guard isAround || refersToAll else { return shape }
    if !isAround, !referenced.contains(id) { needsNumbers = true }
    referenced.insert(id)
    return .text("#\(known.number) \(container.open)↩︎)")
  }

  /// Marks a container as enclosing the values that are written next.
  mutating func enter(_ container: DumpContainer) {
    if let object = container.object { enclosing.append(ObjectIdentifier(object)) }
  }

  /// Ends the innermost container.
  ///
  /// - Returns: The container's number in the form `#1 ` if the dump refers to it, otherwise an empty string.
  mutating func leave(_ container: DumpContainer) -> String {
    if container.object != nil { enclosing.removeLast() }
    return number(of: container)
  }

  private func number(of container: DumpContainer) -> String {
    guard let object = container.object.map(ObjectIdentifier.init), referenced.contains(object),
      let number = objects[object]?.number
    else { return "" }
    return "#\(number) "
  }

  private mutating func block(of shape: DumpShape, depth: Int) -> DumpBlock {
    remaining -= 1
    switch shape {
    case .text(let text): return .ofText(text)
    case .string(let string):
      guard string.unicodeScalars.contains("\n") else {
        return DumpBlock(line: DumpText.quoted(string))
      }
      guard depth > 0 else { return DumpBlock(line: "\"…\"") }
      return .ofString(string)
    case .container(let container):
      return block(of: container, depth: depth)
    }
  }

  private mutating func block(of container: DumpContainer, depth: Int) -> DumpBlock {
    guard depth > 0, remaining > 0, !container.children.isEmpty else {
      return DumpBlock(line: number(of: container) + container.collapsed)
    }
    enter(container)
    let members = blocks(of: container.children, depth: depth - 1)
    let open = leave(container) + container.open
    return singleLine(of: container, open: open, members)
      ?? DumpBlock(open, members, container.close)
  }

  /// Returns the container on a single line, or `nil` if it needs several lines.
  ///
  /// The line can contain one member, or up to four unlabeled leaves. Its length is limited unless the only member is a
  /// leaf.
  private func singleLine(
    of container: DumpContainer,
    open: String,
    _ members: [DumpBlock]
  ) -> DumpBlock? {
    guard container.arrangement == .members, members.count <= 4 else { return nil }
    let texts = members.compactMap(\.singleLine)
    guard texts.count == members.count else { return nil }
    let areLeaves = container.children.allSatisfy { isLeaf($0.value) }
    let isShort = texts.reduce(open.count) { $0 + $1.count } <= Self.widest
    let isUnlabelled = container.children.allSatisfy { $0.label == nil }
    guard members.count == 1 ? areLeaves || isShort : areLeaves && isShort && isUnlabelled else {
      return nil
    }
    return DumpBlock(line: open + texts.joined(separator: ", ") + container.close)
  }

  /// Returns whether the dump of a container is a single line.
  ///
  /// If so, a difference replaces the line as a unit.
  func isSingleLine(_ container: DumpContainer) -> Bool {
    guard container.arrangement == .members, container.children.count <= 4 else { return false }
    var printer = self
    printer.remaining = 64
    return printer.block(of: container, depth: 8).lines.count == 1
  }

  private mutating func blocks(of children: [DumpChild], depth: Int) -> [DumpBlock] {
    var blocks: [DumpBlock] = []
    for (index, child) in children.enumerated() {
      guard remaining > 0 else {
        blocks.append(DumpBlock(line: "… (\(children.count - index) more)"))
        break
      }
      blocks.append(
        block(of: shape(of: child.value, isRoot: false), depth: depth).labelled(child.label)
      )
    }
    return blocks
  }

  private func isLeaf(_ value: Any) -> Bool {
    if case .container(let container) = DumpShape(of: value) { return container.children.isEmpty }
    return true
  }
}

extension DumpBlock {
  /// Returns the lines of text that is written as is, such as a custom description.
  static func ofText(_ text: String) -> DumpBlock {
    guard text.contains(where: \.isNewline) else { return DumpBlock(line: text) }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return DumpBlock(lines.map { DumpLine(text: String($0)) })
  }

  /// Returns the lines of a string literal.
  ///
  /// All lines after the first are indented to show that they belong to the string.
  static func ofString(_ string: String, indent: Int = 2) -> DumpBlock {
    let lines = DumpText.lines(of: string)
    return DumpBlock(lines.enumerated().map { DumpLine(text: $1, indent: $0 == 0 ? 0 : indent) })
  }
}

/// A line of a dump or of a difference between two values.
struct DumpLine {
  enum LineSide { case first, second, both }

  var text: String
  var indent = 0
  var mark = LineSide.both
  /// A comma if another member follows, otherwise empty.
  var separator = ""
  /// A comment at the end of the line.
  var note: String?

  private var content: String {
    let indentation = text.isEmpty ? "" : String(repeating: " ", count: indent)
    return indentation + text + separator + (note.map { " // \($0)" } ?? "")
  }

  /// The line without the mark for the first or second value.
  var plainText: String { content }

  /// Returns the line with the mark that the format assigns to it.
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

/// The lines of a value, or of the difference between two values.
struct DumpBlock {
  var lines: [DumpLine]
  /// The indices of the lines that get a comma if another member follows: two indices if one value replaces another.
  private var ends: [Int]
  /// Whether any line belongs to only one of two compared values.
  var isDifference = false

  init(_ lines: [DumpLine]) {
    self.lines = lines
    ends = [lines.count - 1]
  }

  init(line: String) {
    self.init([DumpLine(text: line)])
  }

  /// Creates a block in which the second value replaces the first.
  init(first: DumpBlock, second: DumpBlock) {
    let first = first.marked(.first)
    let second = second.marked(.second)
    lines = first.lines + second.lines
    ends = [first.lines.count - 1, lines.count - 1]
    isDifference = true
  }

  /// The text of the block if it is a single line without a comment, otherwise `nil`.
  var singleLine: String? {
    guard lines.count == 1, lines[0].note == nil else { return nil }
    return lines[0].text
  }

  func indented(by indent: Int) -> DumpBlock {
    var copy = self
    for index in copy.lines.indices { copy.lines[index].indent += indent }
    return copy
  }

  func marked(_ mark: DumpLine.LineSide) -> DumpBlock {
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

  /// Returns the block with a comment on its first line.
  func noted(_ note: String?) -> DumpBlock {
    guard let note, !lines.isEmpty else { return self }
    var copy = self
    copy.lines[0].note = note
    return copy
  }

  /// Inserts a line before all others.
  mutating func insert(_ line: DumpLine) {
    lines.insert(line, at: 0)
    ends = ends.map { $0 + 1 }
  }

  private func separated() -> DumpBlock {
    var copy = self
    for end in ends where copy.lines.indices.contains(end) { copy.lines[end].separator = "," }
    return copy
  }
}

extension DumpBlock {
  /// Creates a block of members between the opening and the closing line of their container.
  init(_ open: String, _ members: [DumpBlock], _ close: String) {
    var lines = [DumpLine(text: open)]
    for (index, member) in members.enumerated() {
      let isLast = index == members.count - 1
      let start = lines.count
      lines += (isLast ? member : member.separated()).lines
      // Mutates the lines in place, because each line passes here once for every level that encloses it.
      for line in start..<lines.count { lines[line].indent += 2 }
    }
    lines.append(DumpLine(text: close))
    self.init(lines)
    isDifference = members.contains(where: \.isDifference)
  }
}
