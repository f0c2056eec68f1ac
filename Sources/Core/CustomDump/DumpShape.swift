/// The shape of a value in a dump: text that is written as is, a string, or a container.
enum DumpShape {
  /// Text that is written as is, such as a number or a date.
  case text(String)
  /// The content of a string.
  case string(String)
  /// A value with members or elements.
  case container(DumpContainer)
}

/// A value with members or elements, such as a structure, an enum payload, or a collection.
struct DumpContainer {
  enum Arrangement {
    /// The members of a type, a tuple, or a payload, identified by their labels.
    case members
    /// Elements whose order is significant.
    case ordered
    /// Elements without order, which dumps sort by their identities.
    case unordered
  }

  var open: String
  var close: String
  var arrangement: Arrangement
  var children: [DumpChild]
  /// The object that the container shows, which may contain itself; `nil` if the value isn't an object.
  var object: AnyObject?

  /// Returns whether a difference can compare the contents with those of another container.
  ///
  /// The opening and the closing text of both containers must be equal.
  func isComparable(to other: DumpContainer) -> Bool {
    open == other.open && close == other.close
  }

  /// The container on one line, with `…` in place of its contents.
  var collapsed: String {
    children.isEmpty ? empty : "\(open)…\(close)"
  }

  private var empty: String { open + close }
}

/// A value in a container, with its label and identity.
struct DumpChild {
  var label: String?
  var value: Any
  /// The stable identity of an element, such as the id of a row or the key of a dictionary entry; `nil` if it has none.
  var identity: AnyHashable?
}

extension DumpShape {
  /// Determines the shape of a value.
  ///
  /// - Parameters:
  ///   - value: The value to dump.
  ///   - isRoot: Whether to write an enum case with the name of its enum, because no enclosing value shows the name.
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

  /// Returns the value that represents another value in dumps.
  ///
  /// The function follows at most 64 representations, in case values represent each other.
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
      // A custom mirror may claim the class style for a value that isn't an object, so the type decides.
      if Swift.type(of: value) is AnyClass { shape.object = value as AnyObject }
      self = .container(shape)
    case .struct, .foreignReference:
      let members = Self.members(of: mirror, isObservable: value is any Observable)
      self = .members("\(DumpTypeName.short(type))(", members, ")")
    default:
      self = Self.plain(mirror, of: value)
    }
  }

  /// Returns the shape of a value whose mirror has no display style, such as a number, a function, or a custom mirror.
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
    // The wrapped value is itself an optional that is `nil`.
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

  /// Returns the members of a value, with those of its superclass first.
  private static func members(of mirror: Mirror, isObservable: Bool) -> [DumpChild] {
    let inherited =
      mirror.superclassMirror.map { members(of: $0, isObservable: isObservable) } ?? []
    return inherited
      + mirror.children.compactMap { child in
        guard let label = child.label else { return DumpChild(value: child.value) }
        guard label.hasPrefix("_") else { return member(label, child.value) }
        // Macros and property wrappers prefix the name of the stored property with an underscore.
        if isObservable && label.hasPrefix("_$") { return nil }
        let isStorage = isObservable || child.value is any DumpedUnderWrappedName
        return member(isStorage ? String(label.dropFirst()) : label, child.value)
      }
  }

  private static func member(_ label: String?, _ value: Any) -> DumpChild {
    // Unlabeled elements of a tuple have the labels `.0`, `.1`, and so on, which dumps omit.
    DumpChild(label: label.flatMap { $0.hasPrefix(".") ? nil : $0 }, value: value)
  }
}

extension DumpShape {
  static func members(_ open: String, _ children: [DumpChild], _ close: String) -> DumpShape {
    .container(.members(open, children, close))
  }

  /// Returns the shape of elements that are labeled with their indices.
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

  /// Returns the shape of key-value pairs that are labeled with their keys.
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

/// A collection whose iteration order differs between processes.
private protocol DumpUnordered {}

extension Set: DumpUnordered {}
extension Dictionary: DumpUnordered {}

/// A property wrapper, which a dump shows under the name of the wrapped property, without the underscore.
protocol DumpedUnderWrappedName {}

/// The functions that find the identities of elements.
enum DumpIdentity {
  /// Returns the id of an `Identifiable` value, or `nil` if the value has no stable id.
  static func of(_ value: Any) -> AnyHashable? {
    func id<Value: Identifiable>(_ value: Value) -> AnyHashable { AnyHashable(value.id) }
    // The default id of an object is its address, which isn't a stable identity.
    guard !(type(of: value) is AnyClass) else { return nil }
    return (value as? any Identifiable).map { id($0) }
  }

  /// Returns the value as `AnyHashable`, or `nil` if it isn't `Hashable`.
  static func hashable(_ value: Any) -> AnyHashable? {
    value as? AnyHashable
  }

  /// Sorts elements by their identities, or by the text of the identities if those can't be compared.
  ///
  /// The order is the same in every process.
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
