extension DumpShape {
  static func members(_ open: String, _ children: [DumpChild], _ close: String) -> DumpShape {
    .container(.members(open, children, close))
  }

  /// Elements with their indices.
  static func elements(_ open: String, _ values: [Any], _ close: String) -> DumpShape {
    let children = values.enumerated().map { index, value in
      DumpChild(label: "[\(index)]", value: value, identity: DumpIdentity.of(value))
    }
    return .container(
      DumpContainer(open: open, close: close, arrangement: .ordered, children: children)
    )
  }

  static func set(_ values: [Any], isOrdered: Bool) -> DumpShape {
    let children = values.map { DumpChild(value: $0, identity: DumpIdentity.hashable($0)) }
    return .sorted("Set([", children, "])", isOrdered: isOrdered)
  }

  /// Pairs of keys and values; the key is the label.
  static func entries(_ pairs: [Any], isOrdered: Bool) -> DumpShape {
    guard !pairs.isEmpty else { return .members("[", [DumpChild](), ":]") }
    let children = pairs.map { pair in
      let parts = Mirror(reflecting: pair).children.map(\.value)
      guard parts.count == 2 else { return DumpChild(value: pair) }
      return DumpChild(
        label: DumpText.key(parts[0]),
        value: parts[1],
        identity: DumpIdentity.hashable(parts[0])
      )
    }
    return .sorted("[", children, "]", isOrdered: isOrdered)
  }

  private static func sorted(
    _ open: String,
    _ children: [DumpChild],
    _ close: String,
    isOrdered: Bool
  ) -> DumpShape {
    let isUnordered = !isOrdered && children.allSatisfy { $0.identity != nil }
    return .container(
      DumpContainer(
        open: open,
        close: close,
        arrangement: isUnordered ? .unordered : .ordered,
        children: isUnordered ? DumpIdentity.sorted(children) : children
      )
    )
  }
}

extension DumpContainer {
  static func members(_ open: String, _ children: [DumpChild], _ close: String) -> DumpContainer {
    DumpContainer(open: open, close: close, arrangement: .members, children: children)
  }
}

/// Collections whose order differs from run to run.
protocol DumpUnordered {}

extension Set: DumpUnordered {}
extension Dictionary: DumpUnordered {}

/// Wrappers whose storage stands in a mirror under the name of the property with an underscore.
protocol DumpPropertyWrapper {}

/// What tells elements from one another.
enum DumpIdentity {
  /// The id of a value that has one.
  static func of(_ value: Any) -> AnyHashable? {
    func id<Value: Identifiable>(_ value: Value) -> AnyHashable { AnyHashable(value.id) }
    // An object that has no id of its own is told apart by its address.
    guard !(type(of: value) is AnyClass) else { return nil }
    return (value as? any Identifiable).map { id($0) }
  }

  /// A value that can be a key.
  static func hashable(_ value: Any) -> AnyHashable? {
    value as? AnyHashable
  }

  /// Elements by the order of their identities, else by their text; the same in every process.
  static func sorted(_ children: [DumpChild]) -> [DumpChild] {
    guard let first = children.first?.identity?.base as? any Comparable,
      let sorted = sorted(children, like: first)
    else {
      let texts = children.map { ($0.identity.map { DumpText.key($0.base) } ?? "", $0) }
      return texts.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return sorted
  }

  private static func sorted<Key: Comparable>(
    _ children: [DumpChild],
    like _: Key
  ) -> [DumpChild]? {
    var keyed: [(Key, DumpChild)] = []
    for child in children {
      guard let key = child.identity?.base as? Key else { return nil }
      keyed.append((key, child))
    }
    return keyed.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
