/// The members of an event's line while the event is read.
///
/// As long as they come in the order in which the event asks for them, written as encoders write, they are read where they stand, in
/// one pass. Another line is read once more: as any JSON, into a table of its members.
///
/// What takes a name is inlined, so that the name is compared as machine words.
struct EventMembers {
  private var bytes = LogBytes()
  private var line = 0..<0
  /// The position of the opening brace.
  private var start = 0
  /// Stands after the last member, as long as they come in order.
  private var parser = JSON.Parser(bytes: UnsafeBufferPointer(start: nil, count: 0))
  private var table: Table?
  /// Whether the line has to be read as a table.
  private var isOutOfOrder = false
  private var kindText = 0..<0

  /// No members.
  init() {}

  /// Reads an event from the line that holds it.
  ///
  /// - Returns: The event; `nil` when the line holds no object.
  /// - Throws: `LogEvent.SyntaxError`.
  mutating func event(
    _ bytes: LogBytes,
    _ line: Range<Int>
  ) throws(LogEvent.SyntaxError) -> LogEvent? {
    // The parser has their address alone.
    defer { withExtendedLifetime(bytes) {} }
    reset(bytes, line)
    if let event = try? LogEvent(&self), isAtEnd { return event }
    guard readTable() else { return nil }
    return try LogEvent(&self)
  }

  /// Reads the description of an effect.
  ///
  /// - Returns: The description; `nil` when the value is no object.
  /// - Throws: `LogEvent.SyntaxError`.
  static func effect(_ text: JSONText) throws(LogEvent.SyntaxError) -> EffectDescription? {
    var members = EventMembers()
    if !text.isValue {
      let (bytes, range) = text.place
      defer { withExtendedLifetime(bytes) {} }
      members.reset(bytes, range)
      if let effect = try? EffectDescription(&members), members.isAtEnd { return effect }
    }
    // As a tree, so that the effects of a group are not read once more for each group around it.
    guard let object = text.json.object else { return nil }
    members.table = Table(object)
    return try EffectDescription(&members)
  }

  /// The largest whole number that every reader of JSON keeps exactly (RFC 8259, section 6); adding to it is safe.
  static let largestSeq = 9_007_199_254_740_991
}

// MARK: - Members in order

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

  /// Passes over the name of the next member, when it is this one.
  @inline(__always)
  private mutating func takeName(_ name: StaticString) -> Bool {
    let position = parser.position
    guard !isOutOfOrder, parser.consume(UInt8(ascii: position == start ? "{" : ",")),
      parser.consume(UInt8(ascii: "\"")), parser.consume(name), parser.consume(#"":"#)
    else {
      parser.position = position
      return false
    }
    return true
  }

  /// The text from a position of the parser to the one where it stands.
  private func text(from start: Int) -> Range<Int> {
    line.lowerBound + start..<line.lowerBound + parser.position
  }

  /// Whether all members were read in order, and there are no more.
  private var isAtEnd: Bool {
    !isOutOfOrder && parser.position == parser.bytes.count - 1
      && parser.bytes[parser.position] == UInt8(ascii: "}")
  }

  /// Ends reading in order: what follows does not count.
  private mutating func giveUp() { isOutOfOrder = true }

  /// Reads all members as any JSON.
  ///
  /// - Returns: `false` when the line holds no object.
  private mutating func readTable() -> Bool {
    table = Table(bytes, line)
    return table != nil
  }

  /// What the event is.
  var kind: String {
    get { table?.kind ?? String(decoding: bytes.bytes(kindText), as: UTF8.self) }
    set { table?.kind = newValue }
  }

  /// Reads what the event is from its member `kind`, the first one.
  mutating func readKind() throws(LogEvent.SyntaxError) {
    if table != nil {
      guard let kind = text("kind")?.string else { throw error("kind", "a string") }
      self.kind = kind
    } else if takeName("kind"), parser.consume(UInt8(ascii: "\"")) {
      let start = parser.position
      _ = parser.passPlainBytes()
      kindText = text(from: start)
      if !parser.consume(UInt8(ascii: "\"")) { giveUp() }
    } else {
      giveUp()
    }
  }

  /// Whether the event is of this kind.
  @inline(__always)
  func isKind(_ kind: StaticString) -> Bool {
    let text = UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount)
    if let table { return table.kind.hasBytes(text) }
    return bytes.bytes(kindText).hasSameBytes(as: text)
  }
}

// MARK: - The members

extension EventMembers {
  /// The members that were not asked for: they are kept and ignored.
  var rest: JSON.Object { table?.rest ?? JSON.Object() }

  /// The members that were not asked for, in one word.
  var unknown: UnknownMembers {
    table.map { UnknownMembers($0.rest) } ?? UnknownMembers()
  }

  /// All members.
  mutating func all() -> JSON.Object {
    giveUp()
    return table?.all ?? JSON.Object()
  }

  /// The value of a member.
  @inline(__always)
  mutating func text(_ name: StaticString) -> JSONText? {
    if table != nil { return table?.text(name) }
    guard takeName(name) else { return nil }
    let start = parser.position
    guard parser.skipValue() else {
      giveUp()
      return nil
    }
    return JSONText(bytes, text(from: start))
  }

  /// The value of a member that an event of the kind must have.
  mutating func requiredText(_ name: StaticString) throws(LogEvent.SyntaxError) -> JSONText {
    guard let text = text(name) else { throw error(name, "a value") }
    return text
  }

  /// The value of a member as a tree.
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

  /// A number of an action.
  mutating func seq() throws(LogEvent.SyntaxError) -> Int {
    if table == nil, let number = plainNumber("seq") { return number }
    return try required("seq", "a whole number from 0 to \(Self.largestSeq)") {
      $0.int.flatMap { (0...Self.largestSeq).contains($0) ? $0 : nil }
    }
  }

  /// How many there are of something, which may be missing.
  mutating func count(_ name: StaticString) throws(LogEvent.SyntaxError) -> Int? {
    let count = try number(name)
    guard let count, !(0...Self.largestSeq).contains(count) else { return count }
    throw error(name, "a whole number from 0 to \(Self.largestSeq)")
  }

  /// A whole number that may be missing.
  @inline(__always)
  mutating func number(_ name: StaticString) throws(LogEvent.SyntaxError) -> Int? {
    if table == nil { return plainNumber(name) }
    return try optional(name, "a whole number") { $0.int }
  }

  /// The next member, when it is a number that is read where it stands.
  @inline(__always)
  private mutating func plainNumber(_ name: StaticString) -> Int? {
    guard takeName(name) else { return nil }
    guard let number = parser.wholeNumber() else {
      giveUp()
      return nil
    }
    return number
  }

  func error(_ name: StaticString, _ expected: @autoclosure () -> String) -> LogEvent.SyntaxError {
    // In order nothing is wrong yet: the table tells.
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
  /// The places of shared values in a member `shared`.
  mutating func shared() throws(LogEvent.SyntaxError) -> JSON? {
    try optional("shared", "an array of places") {
      let json = $0.json
      return json.array == nil ? nil : json
    }
  }

  /// The patch in the member `patch`.
  mutating func patch() throws(LogEvent.SyntaxError) -> PatchText {
    if table == nil, takeName("patch") {
      let start = parser.position
      if parser.skipPatch() { return PatchText(bytes, text(from: start)) }
      giveUp()
    }
    return try required("patch", "a JSON Patch (RFC 6902)") { PatchText($0) }
  }

  /// The descriptions of effects in a member `effects`, which may be left out when there are none.
  mutating func effects() throws(LogEvent.SyntaxError) -> [EffectDescription] {
    if table == nil {
      guard takeName("effects") else { return [] }
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

  /// Reads effects where they stand, those of groups in the same pass.
  ///
  /// - Returns: The effects; `nil` when one of them is written in another layout, or is none.
  private mutating func effectsInOrder() -> [EffectDescription]? {
    guard parser.consume(UInt8(ascii: "[")) else { return nil }
    var effects: [EffectDescription] = []
    if parser.consume(UInt8(ascii: "]")) { return effects }
    repeat {
      var members = EventMembers()
      (members.bytes, members.line, members.parser) = (bytes, line, parser)
      members.start = parser.position
      // The array, and the effect in it.
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

// MARK: - Members in any order

extension EventMembers {
  /// The members of a line, and which of them the event knows.
  ///
  /// What stands in the layout of encoders stays text; what does not is read as any JSON.
  private struct Table {
    private let bytes: LogBytes
    private var members: [ParsedMember] = []
    /// The members by name, as soon as there are many.
    private var positions: [JSON.Object.Name: Int] = [:]
    private var known = 0
    /// What the event is, for messages.
    var kind = ""

    private struct ParsedMember {
      /// The name, as it stands in the line where that has no escapes.
      let name: Range<Int>
      /// The name where it has escapes.
      let unescaped: String?
      var value: JSONText
      var isKnown = false
    }

    /// The members of an object; `nil` when there is none.
    init?(_ bytes: LogBytes, _ line: Range<Int>) {
      self.bytes = bytes
      var parser = JSON.Parser(bytes: bytes.bytes(line))
      let isObject = parser.members { name, unescaped, value in
        add(name, unescaped, value, in: line)
      }
      guard isObject else { return nil }
    }

    /// The members of an object that was read as a tree.
    init(_ object: JSON.Object) {
      bytes = LogBytes()
      members = object.map {
        ParsedMember(name: 0..<0, unescaped: $0.key, value: JSONText($0.value))
      }
    }

    /// Adds a member; of two with the same name the later one counts.
    private mutating func add(
      _ name: Range<Int>,
      _ unescaped: String?,
      _ value: JSON.Parser.Skipped,
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

    /// Takes a member as one that the event knows.
    mutating func text(_ name: StaticString) -> JSONText? {
      guard let position = position(of: name) else { return nil }
      if !members[position].isKnown {
        members[position].isKnown = true
        known += 1
      }
      return members[position].value
    }

    /// The value of a member.
    func json(_ name: StaticString) -> JSON? {
      position(of: name).map { members[$0].value.json }
    }

    /// The members that were not asked for.
    var rest: JSON.Object {
      var rest = JSON.Object()
      guard known < members.count else { return rest }
      for member in members where !member.isKnown { rest[name(of: member)] = member.value.json }
      return rest
    }

    /// All members.
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
  /// Opens an event and states its kind.
  mutating func beginEvent(_ kind: String) {
    beginObject()
    field("kind", kind)
  }

  /// Closes an event, after the members that this version does not know.
  mutating func endEvent(_ rest: JSON.Object = JSON.Object()) {
    if !rest.isEmpty { for (name, value) in rest { field(name, value) } }
    endObject()
  }

  /// Writes a member of the format itself.
  mutating func field(_ name: String, _ value: some LogValue) {
    key(unescaped: name)
    self.value(value)
  }

  /// Writes a member of the format itself when there is something to write.
  mutating func field<Value: LogValue>(_ name: String, ifPresent value: Value?) {
    if let value { field(name, value) }
  }
}

/// The members of an event that this version does not know; takes one word for the many events without any.
struct UnknownMembers: Sendable, Equatable {
  private var box: ObjectBox?

  private final class ObjectBox: Sendable {
    let object: JSON.Object
    init(_ object: JSON.Object) { self.object = object }
  }

  /// No members.
  init() {}

  /// The members.
  init(_ object: JSON.Object) { self.object = object }

  /// The members.
  var object: JSON.Object {
    get { box?.object ?? JSON.Object() }
    set { box = newValue.isEmpty ? nil : ObjectBox(newValue) }
  }

  static func == (lhs: UnknownMembers, rhs: UnknownMembers) -> Bool {
    lhs.box === rhs.box || lhs.object == rhs.object
  }
}
