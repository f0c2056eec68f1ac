extension DumpShape {
  /// Looks at a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isRoot: Whether cases are written with the name of their enum, because nothing around tells it.
  init(of value: Any, isRoot: Bool = false) {
    let value = Self.represented(value)
    if let value = value as? any CustomDumpReflectable {
      self.init(value.customDumpMirror, of: value, isRoot: isRoot)
    } else if let text = Self.text(of: value) {
      self = text
    } else {
      self.init(Mirror(reflecting: value), of: value, isRoot: isRoot)
    }
  }

  /// The value that stands for another one; more levels than anyone needs are not followed.
  static func represented(_ value: Any) -> Any {
    var value = value
    for _ in 0..<64 {
      if let object = value as? any _CustomDiffObject {
        value = object._customDiffValues.1
      } else if let representable = value as? any CustomDumpRepresentable {
        value = representable.customDumpValue
      } else {
        break
      }
    }
    return value
  }

  private static func text(of value: Any) -> DumpShape? {
    switch value {
    case let value as any CustomDumpStringConvertible: .text(value.customDumpDescription)
    case let value as String: .string(value)
    case let value as Substring: .string(String(value))
    case let value as Character: .text(DumpText.quoted(String(value)))
    case let value as Unicode.Scalar: .text(DumpText.quoted(String(value)))
    case let value as any StringProtocol: .string(String(value))
    case let type as Any.Type: .text("\(DumpTypeName.full(type)).self")
    case let keyPath as AnyKeyPath: .text(DumpText.of(keyPath))
    default: nil
    }
  }

  private init(_ mirror: Mirror, of value: Any, isRoot: Bool) {
    let type = mirror.subjectType
    switch mirror.displayStyle {
    case .optional:
      self = Self.optional(mirror, isRoot: isRoot)
    case .enum:
      self = Self.enumCase(mirror, of: value, isRoot: isRoot)
    case .tuple:
      self = .members("(", mirror.children.map { Self.member($0.label, $0.value) }, ")")
    case .collection:
      self = .elements("[", mirror.children.map(\.value), "]")
    case .set:
      self = .set(mirror.children.map(\.value), isOrdered: !(value is any DumpUnordered))
    case .dictionary:
      self = .entries(mirror.children.map(\.value), isOrdered: !(value is any DumpUnordered))
    case .class:
      let members = Self.members(of: mirror, isObservable: value is any Observable)
      var shape = DumpContainer.members("\(DumpTypeName.short(type))(", members, ")")
      // Only what is an object: a mirror may say so of other values too.
      if Swift.type(of: value) is AnyClass { shape.object = value as AnyObject }
      self = .container(shape)
    case .struct, .foreignReference:
      let members = Self.members(of: mirror, isObservable: value is any Observable)
      self = .members("\(DumpTypeName.short(type))(", members, ")")
    default:
      self = Self.plain(mirror, of: value)
    }
  }

  /// A value whose mirror does not say what it is: numbers and functions, or a type's own mirror.
  private static func plain(_ mirror: Mirror, of value: Any) -> DumpShape {
    guard mirror.children.isEmpty else {
      let members = members(of: mirror, isObservable: false)
      return .members("\(DumpTypeName.short(mirror.subjectType))(", members, ")")
    }
    let text = String(describing: value)
    return .text(text == "(Function)" ? DumpTypeName.full(mirror.subjectType) : text)
  }

  private static func optional(_ mirror: Mirror, isRoot: Bool) -> DumpShape {
    guard let wrapped = mirror.children.first?.value else { return .text("nil") }
    let shape = DumpShape(of: wrapped, isRoot: isRoot)
    // An optional that holds nothing, inside another one.
    if case .text("nil") = shape, Mirror(reflecting: wrapped).displayStyle == .optional {
      return .text(".some(nil)")
    }
    return shape
  }

  private static func enumCase(_ mirror: Mirror, of value: Any, isRoot: Bool) -> DumpShape {
    let child = mirror.children.first
    let type = isRoot ? DumpTypeName.short(mirror.subjectType) : ""
    let name = "\(type).\(child?.label ?? DumpText.caseName(of: value))"
    guard let payload = child?.value else { return .text(name) }
    let tuple = Mirror(reflecting: payload)
    guard tuple.displayStyle == .tuple else {
      return .members("\(name)(", [DumpChild(value: payload)], ")")
    }
    return .members("\(name)(", tuple.children.map { member($0.label, $0.value) }, ")")
  }

  /// The members of a type, those of its superclass first.
  private static func members(of mirror: Mirror, isObservable: Bool) -> [DumpChild] {
    let inherited =
      mirror.superclassMirror.map { members(of: $0, isObservable: isObservable) } ?? []
    return inherited
      + mirror.children.compactMap { child in
        guard let label = child.label else { return DumpChild(value: child.value) }
        guard label.hasPrefix("_") else { return member(label, child.value) }
        // Storage behind a property: macros and wrappers add the underscore.
        if isObservable && label.hasPrefix("_$") { return nil }
        let isStorage = isObservable || child.value is any DumpPropertyWrapper
        return member(isStorage ? String(label.dropFirst()) : label, child.value)
      }
  }

  private static func member(_ label: String?, _ value: Any) -> DumpChild {
    // The places in a tuple are `.0`, `.1` and so on.
    DumpChild(label: label.flatMap { $0.hasPrefix(".") ? nil : $0 }, value: value)
  }
}
