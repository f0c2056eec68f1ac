/// The members of an event's line, while the event is decoded.
///
/// Reads members in a single pass while they have the encoder's order and layout. For any other line, decoding
/// restarts from a table of all members.
///
/// Functions that take a name are inlined, so that names are compared as machine words.
struct EventMembers {
  private var bytes = LogBytes()
  private var line = 0..<0
  /// The position of the opening brace in the parser's bytes.
  private var start = 0
  /// The parser, positioned after the last member that was read in order.
  private var parser = JSON.Parser(bytes: UnsafeBufferPointer(start: nil, count: 0))
  private var table: LineMembers?
  /// Whether the line deviates from the encoder's order or layout, so that the table has to be used.
  private var isOutOfOrder = false
  private var kindText = 0..<0

  init() {}

  /// Decodes an event from its line.
  ///
  /// - Returns: The event, or `nil` if the line is not a JSON object.
  /// - Throws: A `LogEvent.SyntaxError` if a member is missing or invalid.
  mutating func event(
    _ bytes: LogBytes,
    _ line: Range<Int>
  ) throws(LogEvent.SyntaxError) -> LogEvent? {
    // The parser holds an unmanaged pointer to the bytes.
    defer { withExtendedLifetime(bytes) {} }
    reset(bytes, line)
    if let event = try? LogEvent(&self), isAtEnd { return event }
    guard readTable() else { return nil }
    return try LogEvent(&self)
  }

  /// Decodes the description of an effect.
  ///
  /// - Returns: The description, or `nil` if the value is not a JSON object.
  /// - Throws: A `LogEvent.SyntaxError` if a member is missing or invalid.
  static func effect(_ text: JSONText) throws(LogEvent.SyntaxError) -> EffectDescription? {
    var members = EventMembers()
    if !text.isValue {
      let (bytes, range) = text.place
      defer { withExtendedLifetime(bytes) {} }
      members.reset(bytes, range)
      if let effect = try? EffectDescription(&members), members.isAtEnd { return effect }
    }
    // With a single parse of the tree, nested effects aren't parsed once more for each enclosing group.
    guard let object = text.json.object else { return nil }
    members.table = LineMembers(object)
    return try EffectDescription(&members)
  }

  /// The largest valid action number, 2^53 - 1.
  ///
  /// Every JSON reader represents integers up to this limit exactly (RFC 8259, section 6). The sum of two such numbers
  /// can't overflow.
  static let largestSeq = 9_007_199_254_740_991
}

// MARK: - Reading members in order

extension EventMembers {
  private mutating func reset(_ bytes: LogBytes, _ line: Range<Int>) {
    self.bytes = bytes
    self.line = line
    parser = JSON.Parser(bytes: bytes.bytes(line))
    parser.isCompact = true
    parser.depth = 1
    start = 0
    table = nil
    isOutOfOrder = false
    kindText = 0..<0
  }

  /// Consumes the name of the next member if it equals `name`.
  @inline(__always)
  private mutating func consumeName(_ name: StaticString) -> Bool {
    let position = parser.position
    guard !isOutOfOrder, parser.consume(UInt8(ascii: position == start ? "{" : ",")),
      parser.consume(UInt8(ascii: "\"")), parser.consume(name), parser.consume(#"":"#)
    else {
      parser.position = position
      return false
    }
    return true
  }

  /// Returns the line's range from a parser position to the current position.
  private func text(from start: Int) -> Range<Int> {
    line.lowerBound + start..<line.lowerBound + parser.position
  }

  /// Whether all members were read in order and no other member follows.
  private var isAtEnd: Bool {
    !isOutOfOrder && parser.position == parser.bytes.count - 1
      && parser.bytes[parser.position] == UInt8(ascii: "}")
  }

  /// Stops reading in order.
  ///
  /// The caller discards all results and restarts from the table.
  private mutating func giveUp() { isOutOfOrder = true }

  /// Reads all members into a table.
  ///
  /// - Returns: `false` if the line is not a JSON object.
  private mutating func readTable() -> Bool {
    table = LineMembers(bytes, line)
    return table != nil
  }

  var kind: String {
    get { table?.kind ?? String(decoding: bytes.bytes(kindText), as: UTF8.self) }
    set { table?.kind = newValue }
  }

  /// Reads the event's kind from the member `kind`.
  ///
  /// Reading in order requires that this member is the first one.
  mutating func readKind() throws(LogEvent.SyntaxError) {
    if table != nil {
      guard let kind = text("kind")?.string else { throw error("kind", "a string") }
      self.kind = kind
    } else if consumeName("kind"), parser.consume(UInt8(ascii: "\"")) {
      let start = parser.position
      _ = parser.passPlainBytes()
      kindText = text(from: start)
      if !parser.consume(UInt8(ascii: "\"")) { giveUp() }
    } else {
      giveUp()
    }
  }

  /// Whether the event has the given kind.
  @inline(__always)
  func isKind(_ kind: StaticString) -> Bool {
    let text = UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount)
    if let table { return table.kind.hasBytes(text) }
    return bytes.bytes(kindText).hasSameBytes(as: text)
  }
}

// MARK: - Reading members of any type

extension EventMembers {
  /// The members that have not been read, because the event doesn't know them.
  ///
  /// Valid after all known members have been read. Empty if the members are read in order.
  var rest: JSON.Object { table?.rest ?? JSON.Object() }

  /// The members in `rest`, in a representation of one word.
  var unknown: UnknownMembers {
    table.map { UnknownMembers($0.rest) } ?? UnknownMembers()
  }

  /// Returns all members, including unknown ones.
  ///
  /// Stops reading in order, because only the table has all members.
  mutating func all() -> JSON.Object {
    giveUp()
    return table?.all ?? JSON.Object()
  }

  /// Returns the value of a member, or `nil` if it is missing.
  @inline(__always)
  mutating func text(_ name: StaticString) -> JSONText? {
    if table != nil { return table?.text(name) }
    guard consumeName(name) else { return nil }
    let start = parser.position
    guard parser.skipValue() else {
      giveUp()
      return nil
    }
    return JSONText(bytes, text(from: start))
  }

  /// Returns the value of a required member, and throws an error if the member is missing.
  mutating func requiredText(_ name: StaticString) throws(LogEvent.SyntaxError) -> JSONText {
    guard let text = text(name) else { throw error(name, "a value") }
    return text
  }

  /// Returns the value of a member as a tree, or `nil` if the member is missing.
  mutating func json(_ name: StaticString) -> JSON? { text(name)?.json }

  mutating func required<Value>(
    _ name: StaticString,
    _ expected: @autoclosure () -> String,
    _ read: (JSONText) -> Value?
  ) throws(LogEvent.SyntaxError) -> Value {
    guard let text = text(name), let value = read(text) else { throw error(name, expected()) }
    return value
  }

  mutating func optional<Value>(
    _ name: StaticString,
    _ expected: @autoclosure () -> String,
    _ read: (JSONText) -> Value?
  ) throws(LogEvent.SyntaxError) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = read(text) else { throw error(name, expected()) }
    return value
  }

  /// Returns the action number in the member `seq`, in the range from 0 to `largestSeq`.
  mutating func seq() throws(LogEvent.SyntaxError) -> Int {
    if table == nil, let number = plainNumber("seq") { return number }
    return try required("seq", "a whole number from 0 to \(Self.largestSeq)") {
      $0.int.flatMap { (0...Self.largestSeq).contains($0) ? $0 : nil }
    }
  }

  /// Returns a count in the range from 0 to `largestSeq`, or `nil` if the member is missing.
  mutating func count(_ name: StaticString) throws(LogEvent.SyntaxError) -> Int? {
    let count = try number(name)
    guard let count, !(0...Self.largestSeq).contains(count) else { return count }
    throw error(name, "a whole number from 0 to \(Self.largestSeq)")
  }

  /// Returns an integer, or `nil` if the member is missing.
  @inline(__always)
  mutating func number(_ name: StaticString) throws(LogEvent.SyntaxError) -> Int? {
    if table == nil { return plainNumber(name) }
    return try optional(name, "a whole number") { $0.int }
  }

  /// Returns the next member's value if the member has this name and its number has the encoder's layout.
  @inline(__always)
  private mutating func plainNumber(_ name: StaticString) -> Int? {
    guard consumeName(name) else { return nil }
    guard let number = parser.wholeNumber() else {
      giveUp()
      return nil
    }
    return number
  }

  func error(_ name: StaticString, _ expected: @autoclosure () -> String) -> LogEvent.SyntaxError {
    // Errors while reading in order are discarded. Reading from the table determines the final error.
    guard let table else {
      return LogEvent.SyntaxError(kind: nil, member: "", expected: "", found: nil)
    }
    return LogEvent.SyntaxError(
      kind: table.kind.isEmpty ? nil : table.kind,
      member: "\(name)",
      expected: expected(),
      found: table.json(name)
    )
  }
}

extension EventMembers {
  /// Returns the paths of shared values in the member `shared`, or `nil` if the member is missing.
  mutating func shared() throws(LogEvent.SyntaxError) -> JSON? {
    try optional("shared", "an array of places") {
      let json = $0.json
      return json.array == nil ? nil : json
    }
  }

  /// Returns the patch in the member `patch`.
  mutating func patch() throws(LogEvent.SyntaxError) -> PatchText {
    if table == nil, consumeName("patch") {
      let start = parser.position
      if parser.skipPatch() { return PatchText(bytes, text(from: start)) }
      giveUp()
    }
    return try required("patch", "a JSON Patch (RFC 6902)") { PatchText($0) }
  }

  /// Returns the effects in the member `effects`, or an empty array if the member is missing.
  mutating func effects() throws(LogEvent.SyntaxError) -> [EffectDescription] {
    if table == nil {
      guard consumeName("effects") else { return [] }
      if let effects = effectsInOrder() { return effects }
      giveUp()
      return []
    }
    guard let text = text("effects") else { return [] }
    guard let elements = text.json.array else { throw error("effects", "an array of effects") }
    var effects: [EffectDescription] = []
    for element in elements { effects.append(try EffectDescription(JSONText(element))) }
    return effects
  }

  /// Decodes effects, including those in groups, in a single pass.
  ///
  /// - Returns: The effects, or `nil` if one of them is invalid or not in the encoder's layout.
  private mutating func effectsInOrder() -> [EffectDescription]? {
    guard parser.consume(UInt8(ascii: "[")) else { return nil }
    var effects: [EffectDescription] = []
    if parser.consume(UInt8(ascii: "]")) { return effects }
    repeat {
      var members = EventMembers()
      (members.bytes, members.line, members.parser) = (bytes, line, parser)
      members.start = parser.position
      // The array and the effect each add one level.
      members.parser.depth += 2
      guard members.parser.depth <= JSON.deepestNesting,
        let effect = try? EffectDescription(&members), !members.isOutOfOrder,
        members.parser.consume(UInt8(ascii: "}"))
      else { return nil }
      parser.position = members.parser.position
      effects.append(effect)
    } while parser.consume(UInt8(ascii: ","))
    return parser.consume(UInt8(ascii: "]")) ? effects : nil
  }
}

// MARK: - Reading members in any order

extension EventMembers {
  /// The members of a line, and a record of which members have been read.
  ///
  /// Values in the encoder's layout stay text. Other values are parsed.
  private struct LineMembers {
    private let bytes: LogBytes
    private var members: [ParsedMember] = []
    /// The indexes of the members by name, once there are too many members for a linear search.
    private var positions: [JSON.Object.Name: Int] = [:]
    private var known = 0
    /// The event's kind, for error messages.
    var kind = ""

    private struct ParsedMember {
      /// The range of the name in the line, used if `unescaped` is `nil`.
      let name: Range<Int>
      /// The name without escapes, or `nil` if the range of the name contains the same bytes.
      let unescaped: String?
      var value: JSONText
      var isKnown = false
    }

    /// Reads the members of an object, or returns `nil` if the line is not an object.
    init?(_ bytes: LogBytes, _ line: Range<Int>) {
      self.bytes = bytes
      var parser = JSON.Parser(bytes: bytes.bytes(line))
      let isObject = parser.members { name, unescaped, value in
        add(name, unescaped, value, in: line)
      }
      guard isObject else { return nil }
    }

    /// Creates a table of the members of a parsed object.
    init(_ object: JSON.Object) {
      bytes = LogBytes()
      members = object.map {
        ParsedMember(name: 0..<0, unescaped: $0.key, value: JSONText($0.value))
      }
    }

    /// Adds a member, or replaces the value of an earlier member with the same name.
    private mutating func add(
      _ name: Range<Int>,
      _ unescaped: String?,
      _ value: JSON.Parser.SkipResult,
      in line: Range<Int>
    ) {
      let value =
        switch value {
        case .text(let range): JSONText(bytes, range.shifted(by: line.lowerBound))
        case .json(let json): JSONText(json)
        }
      let member = ParsedMember(
        name: name.shifted(by: line.lowerBound),
        unescaped: unescaped,
        value: value
      )
      if let position = position(ofNameOf: member) {
        members[position].value = value
        return
      }
      members.append(member)
      if !positions.isEmpty {
        positions[JSON.Object.Name(text: self.name(of: member))] = members.count - 1
      } else if members.count == JSON.Object.largestWithoutIndex {
        for (position, member) in members.enumerated() {
          positions[JSON.Object.Name(text: self.name(of: member))] = position
        }
      }
    }

    private func position(ofNameOf member: ParsedMember) -> Int? {
      if positions.isEmpty { return members.firstIndex { isSameName($0, member) } }
      return positions[JSON.Object.Name(text: self.name(of: member))]
    }

    private func isSameName(_ first: ParsedMember, _ second: ParsedMember) -> Bool {
      if first.unescaped == nil, second.unescaped == nil {
        return bytes.hasSame(first.name, as: bytes, second.name)
      }
      return name(of: first).hasSameBytes(as: name(of: second))
    }

    private func name(of member: ParsedMember) -> String {
      member.unescaped ?? String(decoding: bytes.bytes(member.name), as: UTF8.self)
    }

    private func position(of name: StaticString) -> Int? {
      let text = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      return members.firstIndex { member in
        if let unescaped = member.unescaped { return unescaped.hasBytes(text) }
        return bytes.bytes(member.name).hasSameBytes(as: text)
      }
    }

    /// Returns the value of a member and marks the member as known.
    mutating func text(_ name: StaticString) -> JSONText? {
      guard let position = position(of: name) else { return nil }
      if !members[position].isKnown {
        members[position].isKnown = true
        known += 1
      }
      return members[position].value
    }

    /// Returns the value of a member as a tree, or `nil` if the member is missing.
    func json(_ name: StaticString) -> JSON? {
      position(of: name).map { members[$0].value.json }
    }

    /// The members that were never read, which the event doesn't know.
    var rest: JSON.Object {
      var rest = JSON.Object()
      guard known < members.count else { return rest }
      for member in members where !member.isKnown { rest[name(of: member)] = member.value.json }
      return rest
    }

    var all: JSON.Object {
      var all = JSON.Object()
      for member in members { all[name(of: member)] = member.value.json }
      return all
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> {
    lowerBound + offset..<upperBound + offset
  }
}

extension LogEncoder {
  /// Begins an event's object and writes its kind.
  mutating func beginEvent(_ kind: String) {
    beginObject()
    field("kind", kind)
  }

  /// Writes the unknown members and closes the event's object.
  mutating func endEvent(_ rest: JSON.Object = JSON.Object()) {
    if !rest.isEmpty { for (name, value) in rest { field(name, value) } }
    endObject()
  }

  /// Writes a member whose name is part of the format and needs no escapes.
  mutating func field(_ name: String, _ value: some LogValue) {
    key(unescaped: name)
    self.value(value)
  }

  /// Writes a member unless its value is `nil`.
  mutating func field<Value: LogValue>(_ name: String, ifPresent value: Value?) {
    if let value { field(name, value) }
  }
}

/// The members of an event that this version doesn't know, in a representation of one word.
///
/// Most events have no unknown members.
struct UnknownMembers: Sendable, Equatable {
  private var box: ObjectBox?

  private final class ObjectBox: Sendable {
    let object: JSON.Object
    init(_ object: JSON.Object) { self.object = object }
  }

  init() {}

  init(_ object: JSON.Object) { self.object = object }

  var object: JSON.Object {
    get { box?.object ?? JSON.Object() }
    set { box = newValue.isEmpty ? nil : ObjectBox(newValue) }
  }

  static func == (lhs: UnknownMembers, rhs: UnknownMembers) -> Bool {
    lhs.box === rhs.box || lhs.object == rhs.object
  }
}
