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

  /// Compares the entries of two dictionaries whose keys have names that differ.
  mutating func entries<Key, Value>(
    from old: [Key: Value],
    to new: [Key: Value],
    named name: (Key) -> String
  ) {
    guard !isCopying else { return }
    var changes: [(name: String, old: Value?, new: Value?)] = []
    for (key, value) in old {
      let oldName = name(key)
      guard let index = new.index(forKey: key) else {
        changes.append((oldName, value, nil))
        continue
      }
      let entry = new[index]
      if hasSameBits(value, entry.value), hasSameBits(key, entry.key) { continue }
      let newName = name(entry.key)
      // Equal keys can have different bytes.
      if oldName.hasSameBytes(as: newName) {
        changes.append((oldName, value, entry.value))
      } else {
        changes += [(oldName, value, nil), (newName, nil, entry.value)]
      }
    }
    for (key, value) in new where old.index(forKey: key) == nil {
      changes.append((name(key), nil, value))
    }
    // A dictionary has another order in every process.
    changes.sort { $0.name.precedesInBytes($1.name) }
    for change in changes {
      nested(change.name) { patch in
        switch (change.old, change.new) {
        case (let old?, let new?): patch.value(old, new)
        case (nil, let new?): patch.add(new)
        case (_, nil): patch.remove()
        }
      }
    }
  }
}
