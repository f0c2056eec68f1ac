// Most members are one of these, and most have not changed: nothing is written of where they stand.
extension PatchBuilder {
  /// Replaces a member that is another integer.
  public mutating func member(_ name: String, _ old: Int, _ new: Int) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a member that is another truth value.
  public mutating func member(_ name: String, _ old: Bool, _ new: Bool) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a member that is another number.
  public mutating func member(_ name: String, _ old: Double, _ new: Double) {
    // What is not a number is written alike, whatever its bits.
    if old.bitPattern != new.bitPattern, !old.isNaN || !new.isNaN {
      replaceMember(name, with: new)
    }
  }

  /// Replaces a member that is another string.
  public mutating func member(_ name: String, _ old: String, _ new: String) {
    guard !hasSameBits(old, new), !old.hasSameBytes(as: new) else { return }
    nested(name) { $0.replace(old, with: new, at: $0.depth) }
  }

  private mutating func replaceMember<Value: LogValue>(_ name: String, with new: Value) {
    nested(name) { $0.replace(with: new, at: $0.depth) }
  }
}

extension PatchBuilder {
  /// Whether the values of a type hold nothing that changes behind their back, so that copies that nobody has changed are
  /// the same.
  package mutating func isPlain<Value>(_ type: Value.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if plainTypes.contains(id) { return true }
    guard LogTraits.of(type).contains(.plain) else { return false }
    if plainTypes.count < Self.mostKnownTypes { plainTypes.append(id) }
    return true
  }

  /// So many types are looked through sooner than one is found where all are known.
  static var mostKnownTypes: Int { 32 }

  /// Whether two values are copies that nobody has changed, and hold nothing that changes behind their back.
  package mutating func isUnchanged<Value>(_ old: Value, _ new: Value) -> Bool {
    hasSameBits(old, new) && isPlain(Value.self)
  }
}
