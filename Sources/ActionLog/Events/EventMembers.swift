/// The members of an event while it is read; it tracks which of them the reader uses.
final class EventMembers {
  private let kind: String
  private let object: JSON.Object
  /// The positions of the members that were used, as bits; larger positions are in the set.
  private var used: UInt64 = 0
  private var usedBeyond: Set<Int> = []

  init(kind: String, object: JSON.Object) {
    self.kind = kind
    self.object = object
    _ = json("kind")
  }

  /// The largest whole number that every reader of JSON keeps exactly (RFC 8259, section 6); adding to it is safe.
  private static let largestSeq = 9_007_199_254_740_991

  /// The members that were not used: they are kept and ignored.
  var rest: JSON.Object {
    var rest = JSON.Object()
    guard used.nonzeroBitCount + usedBeyond.count < object.count else { return rest }
    for (position, name) in object.keys.enumerated() where !isUsed(position) {
      rest[name] = object.values[position]
    }
    return rest
  }

  func json(_ name: String) -> JSON? {
    guard let position = object.position(of: name) else { return nil }
    if position < UInt64.bitWidth {
      used |= 1 << UInt64(position)
    } else {
      usedBeyond.insert(position)
    }
    return object.values[position]
  }

  private func isUsed(_ position: Int) -> Bool {
    position < UInt64.bitWidth
      ? used & 1 << UInt64(position) != 0 : usedBeyond.contains(position)
  }

  func required<Value>(
    _ name: String,
    _ expected: String,
    _ read: (JSON) -> Value?
  ) throws(LogEvent.SyntaxError) -> Value {
    guard let json = json(name), let value = read(json) else {
      throw error(name, expected)
    }
    return value
  }

  func optional<Value>(
    _ name: String,
    _ expected: String,
    _ read: (JSON) -> Value?
  ) throws(LogEvent.SyntaxError) -> Value? {
    guard let json = json(name) else { return nil }
    guard let value = read(json) else { throw error(name, expected) }
    return value
  }

  func seq() throws(LogEvent.SyntaxError) -> Int {
    try required("seq", "a whole number from 0 to \(Self.largestSeq)") {
      $0.int.flatMap { (0...Self.largestSeq).contains($0) ? $0 : nil }
    }
  }

  func error(_ name: String, _ expected: String) -> LogEvent.SyntaxError {
    LogEvent.SyntaxError(kind: kind, member: name, expected: expected, found: object[name])
  }
}

extension EventMembers {
  /// The places of shared values in a member `shared`.
  func shared() throws(LogEvent.SyntaxError) -> JSON? {
    try optional("shared", "an array of places") { $0.array == nil ? nil : $0 }
  }

  /// The descriptions of effects in a member `effects`, which may be left out when there are none.
  func effects() throws(LogEvent.SyntaxError) -> [EffectDescription] {
    guard let json = json("effects") else { return [] }
    guard let elements = json.array else { throw error("effects", "an array of effects") }
    var effects: [EffectDescription] = []
    for element in elements { effects.append(try EffectDescription(json: element)) }
    return effects
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

  /// Writes a member of the format itself from text, when there is some.
  mutating func field(_ name: String, text: [UInt8]?) {
    guard let text else { return }
    key(unescaped: name)
    raw(text)
  }
}

/// The members of an event that this version does not know; takes one word for the many events without any.
struct UnknownMembers: Sendable, Equatable {
  private var box: Box?

  private final class Box: Sendable {
    let object: JSON.Object
    init(_ object: JSON.Object) { self.object = object }
  }

  /// No members.
  init() {}

  /// The members.
  var object: JSON.Object {
    get { box?.object ?? JSON.Object() }
    set { box = newValue.isEmpty ? nil : Box(newValue) }
  }

  static func == (lhs: UnknownMembers, rhs: UnknownMembers) -> Bool {
    lhs.box === rhs.box || lhs.object == rhs.object
  }
}
