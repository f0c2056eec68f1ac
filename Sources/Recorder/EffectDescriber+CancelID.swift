import ActionLog
internal import TCACore

extension EffectDescriber {
  /// The name of a cancellation id in a log: its type, and its value as far as it has one that every process knows.
  mutating func describe(_ id: CancelID) -> EffectDescription.CancelID {
    EffectDescription.CancelID(
      type: LogTypeName.of(type(of: id.key.base)),
      value: value(of: id.key),
      path: describe(id.path)
    )
  }

  /// The way from the root feature to another one.
  mutating func describe(_ path: [NavigationID]) -> [JSON] {
    path.map { step in
      var object = JSON.Object()
      object["place"] = step.place.map { value(of: $0) }
      object["id"] = step.identity.map { value(of: $0) }
      return .object(object)
    }
  }

  private mutating func value(of key: CancelKey) -> JSON {
    if let json = Self.stableValue(key.base) { return json }
    let ordinal = ordinals[key] ?? ordinals.count + 1
    ordinals[key] = ordinal
    return ["$ordinal": .number(JSON.Number(ordinal))]
  }

  /// A value as the log writes it, or as its cases and members show; nil when a part of it is no plain value.
  private static func stableValue(_ value: Any) -> JSON? {
    if let erased = value as? AnyHashable, type(of: value) == AnyHashable.self {
      return stableValue(erased.base)
    }
    let json = JSON(logging: value)
    if !json.isOpaque { return json }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: return enumValue(value, mirror)
    case .struct, .tuple: return members(of: mirror)
    default: return nil
    }
  }

  private static func enumValue(_ value: Any, _ mirror: Mirror) -> JSON? {
    guard let child = mirror.children.first else {
      // A type that describes itself may say anything, so its text is no name.
      guard !(value is any CustomStringConvertible) else { return nil }
      return [String(describing: value): [:]]
    }
    guard let name = child.label else { return nil }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple { return members(of: payload).map { [name: $0] } }
    return stableValue(child.value).map { [name: ["_0": $0]] }
  }

  private static func members(of mirror: Mirror) -> JSON? {
    var object = JSON.Object()
    for (index, child) in mirror.children.enumerated() {
      guard let value = stableValue(child.value) else { return nil }
      let label = child.label.map { $0.hasPrefix(".") ? "_\(index)" : $0 }
      object[label ?? "_\(index)"] = value
    }
    return .object(object)
  }
}

extension JSON {
  /// Whether the value, or a part of it, could not be written.
  fileprivate var isOpaque: Bool {
    switch self {
    case .object(let object):
      object.position(of: "$opaque") != nil || object.values.contains(where: \.isOpaque)
    case .array(let elements): elements.contains(where: \.isOpaque)
    default: false
    }
  }
}
