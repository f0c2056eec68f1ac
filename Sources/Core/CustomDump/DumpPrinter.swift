/// Writes dumps and counts the values that it has written.
struct DumpPrinter {
  /// The maximum number of levels.
  ///
  /// Bounds the stack depth of the recursion.
  static let deepest = 100
  /// The maximum number of values that a dump contains.
  ///
  /// Bounds the time and memory of large dumps.
  static let most = 50_000
  /// The maximum length of a line in characters.
  ///
  /// Longer values are broken into several lines.
  private static let widest = 80

  /// The tracker whose snapshots replace shared values.
  ///
  /// If `nil`, the dump shows current values.
  private let tracker: SharedChangeTracker?
  /// The number of values that may still be written.
  var remaining = most
  /// The objects that enclose the current value.
  private var enclosing: [ObjectIdentifier] = []
  /// The objects found so far with their numbers.
  ///
  /// Retained, because a released object's address may be reused.
  private var objects: [ObjectIdentifier: (number: Int, object: AnyObject)] = [:]
  /// The objects with references in the dump, which are therefore written with their numbers.
  private var referenced: Set<ObjectIdentifier> = []
  /// Whether references replace all repeated objects, and not only recursive ones.
  private let refersToAll: Bool
  /// Whether an object was written without its number and referenced later.
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

  /// Returns the lines of a value and its contents.
  ///
  /// Each object is written out once.
  static func wholeBlock(of child: DumpChild, depth: Int) -> DumpBlock {
    var printer = DumpPrinter(referringTo: [])
    let block = printer.block(of: child, isRoot: true, depth: depth)
    guard printer.needsNumbers else { return block }
    // The first pass finds the repeated objects. The second one numbers them.
    var numbering = DumpPrinter(referringTo: printer.referenced)
    return numbering.block(of: child, isRoot: true, depth: depth)
  }

  /// Returns the lines of a value.
  ///
  /// - Parameters:
  ///   - child: The value and its label.
  ///   - isRoot: Whether the context doesn't show the type of the value.
  ///   - depth: The number of levels to write.
  /// - Returns: The lines.
  mutating func block(of child: DumpChild, isRoot: Bool = false, depth: Int) -> DumpBlock {
    let shape = shape(of: child.value, isRoot: isRoot)
    if isRoot, child.label == nil, depth > 0, case .string(let string) = shape,
      string.unicodeScalars.contains("\n")
    {
      return .ofString(string, indent: 0)
    }
    return block(of: shape, depth: min(depth, Self.deepest)).labelled(child.label)
  }

  /// Returns the shape of a value, or a reference if the value is an object that is being written.
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

  /// Begins a container, which encloses the values that follow.
  mutating func enter(_ container: DumpContainer) {
    if let object = container.object { enclosing.append(ObjectIdentifier(object)) }
  }

  /// Ends a container.
  ///
  /// - Returns: The number of the container if the dump refers to it, otherwise an empty string.
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

  /// Returns a single line if the container has one member or a few unlabeled leaves that fit.
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

  /// Whether the dump of a container is a single line.
  ///
  /// A difference replaces such a line completely.
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
  /// Returns the lines of a type's custom text.
  static func ofText(_ text: String) -> DumpBlock {
    guard text.contains(where: \.isNewline) else { return DumpBlock(line: text) }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return DumpBlock(lines.map { DumpLine(text: String($0)) })
  }

  /// Returns the lines of a string.
  ///
  /// All lines after the first are indented to show that they are its content.
  static func ofString(_ string: String, indent: Int = 2) -> DumpBlock {
    let lines = DumpText.lines(of: string)
    return DumpBlock(lines.enumerated().map { DumpLine(text: $1, indent: $0 == 0 ? 0 : indent) })
  }
}

/// A line of a dump or of a difference.
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

  /// The line without its mark.
  var plainText: String { content }

  /// The line with its mark.
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
  /// The indices of the lines that end the block and receive the comma: two if a value replaces another.
  private var ends: [Int]
  /// Whether a line belongs to only one of the values.
  var isDifference = false

  init(_ lines: [DumpLine]) {
    self.lines = lines
    ends = [lines.count - 1]
  }

  init(line: String) {
    self.init([DumpLine(text: line)])
  }

  /// Creates a block in which a value replaces another.
  init(first: DumpBlock, second: DumpBlock) {
    let first = first.marked(.first)
    let second = second.marked(.second)
    lines = first.lines + second.lines
    ends = [first.lines.count - 1, lines.count - 1]
    isDifference = true
  }

  /// The text if the block is a single line without a comment, otherwise `nil`.
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
      // Mutates in place, because this runs once per level for each nested line.
      for line in start..<lines.count { lines[line].indent += 2 }
    }
    lines.append(DumpLine(text: close))
    self.init(lines)
    isDifference = members.contains(where: \.isDifference)
  }
}
