internal import ActionLog

/// A key that knows its name in logs, which is the same on every machine.
protocol NamedSharedKey {
  var logName: String { get }
}

/// The names of keys in logs.
enum SharedKeyName {
  /// The name of a key: its own, else its type and id.
  static func of(_ key: some SharedReaderKey) -> String {
    if let key = key as? any NamedSharedKey { return key.logName }
    let type = LogTypeName.of(Swift.type(of: key))
    let id = JSON(logging: key.id)
    guard id["$opaque"] != nil else { return "\(type)(\(id))" }
    // An id that is the key itself, as a rule.
    let members = Mirror(reflecting: key.id).children.map { member in
      (member.label.map { "\($0): " } ?? "") + "\(JSON(logging: member.value))"
    }
    return "\(type)(\(members.joined(separator: ", ")))"
  }
}
