/// A value whose members are known by name and key path.
///
/// `@ObservableState` and `@LogValue` write the table, by which a binding action's key path becomes a name in the log and
/// comes back from it.
///
/// ```swift
/// @LogValue
/// struct User { var name = "" }          // conforms to LogMembers
///
/// LogMember<User>.names(of: \User.name)  // ["name"]
/// ```
public protocol LogMembers: LogValue {
  /// The variables of this type.
  static var _$logMembers: [LogMember<Self>] { get }
}

/// A member of a value: its name and its key path.
///
/// ```swift
/// LogMember<User>("name", \.name).keyPath              // \User.name
/// LogMember<User>.keyPath(named: ["address", "city"])  // \User.address.city
/// ```
public struct LogMember<Root>: Sendable {
  /// The name as the user wrote it.
  public let name: String
  private let sendableKeyPath: SendableKeyPath<PartialKeyPath<Root>>

  /// The way to the member.
  public var keyPath: PartialKeyPath<Root> { sendableKeyPath.path }

  /// Names a member.
  public init<Value>(_ name: String, _ keyPath: KeyPath<Root, Value>) {
    self.name = name
    sendableKeyPath = SendableKeyPath(keyPath)
  }
}

extension LogMember where Root: LogMembers {
  /// The names that lead to a member, also of a member; `nil` for key paths through anything but stored variables.
  ///
  /// ```swift
  /// LogMember.names(of: \State.user.name)  // ["user", "name"]
  /// ```
  public static func names(of keyPath: PartialKeyPath<Root>) -> [String]? {
    Root.names(of: keyPath)
  }

  /// The key path to the member at the end of some names, of type `WritableKeyPath` where it can be set.
  public static func keyPath(named names: [String]) -> PartialKeyPath<Root>? {
    Root.keyPath(named: names)
  }
}

extension LogMembers {
  /// The names that lead to a member, also of a member; nil for key paths through anything but stored variables.
  ///
  /// `\State.user.name` is `["user", "name"]`.
  package static func names(of keyPath: PartialKeyPath<Self>) -> [String]? {
    names(of: keyPath) { $0 }
  }

  /// The key path to the member at the end of some names, of type `WritableKeyPath` where it can be set.
  package static func keyPath(named names: [String]) -> PartialKeyPath<Self>? {
    var names = names[...]
    guard let name = names.popFirst(),
      let member = _$logMembers.first(where: { $0.name == name })
    else { return nil }
    if names.isEmpty { return member.keyPath }
    guard let type = Self.memberType(of: member),
      let rest = type.erasedKeyPath(named: Array(names))
    else { return nil }
    return (member.keyPath as AnyKeyPath).appending(path: rest) as? PartialKeyPath<Self>
  }

  private static func erasedKeyPath(named names: [String]) -> AnyKeyPath? {
    keyPath(named: names)
  }

  private static func names<Root>(
    of keyPath: PartialKeyPath<Root>,
    appended: (PartialKeyPath<Self>) -> AnyKeyPath?
  ) -> [String]? {
    for member in _$logMembers {
      guard let whole = appended(member.keyPath) else { continue }
      if whole == keyPath { return [member.name] }
      let below = Self.memberType(of: member)?.erasedNames(of: keyPath, after: whole)
      if let below { return [member.name] + below }
    }
    return nil
  }

  private static func erasedNames<Root>(
    of keyPath: PartialKeyPath<Root>,
    after prefix: AnyKeyPath
  ) -> [String]? {
    names(of: keyPath) { prefix.appending(path: $0) }
  }

  private static func memberType(of member: LogMember<Self>) -> (any LogMembers.Type)? {
    type(of: member.keyPath).valueType as? any LogMembers.Type
  }
}

/// Reads the payload of a case and makes the case of it.
public func _$decode<Payload, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}

/// Reads the payload of a case, of a type that describes itself, and makes the case of it.
public func _$decode<Payload: LogValue, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}

extension LogDecoder {
  /// Reads a case without associated values.
  public func _$case<Enum>(empty value: Enum) throws -> Enum {
    try members(of: Enum.self).finish()
    return value
  }

  /// Reads a case with one associated value.
  public func _$case<Payload, Enum>(
    _ make: (Payload) -> Enum,
    as label: String = "_0",
    over template: Payload? = nil
  ) throws -> Enum {
    let members = try members(of: Enum.self)
    let value = make(try members.value(label, Payload.self, over: template))
    members.finish()
    return value
  }

  /// Reads a case with one associated value of a type that describes itself.
  public func _$case<Payload: LogValue, Enum>(
    _ make: (Payload) -> Enum,
    as label: String = "_0",
    over template: Payload? = nil
  ) throws -> Enum {
    let members = try members(of: Enum.self)
    let value = make(try members.value(label, Payload.self, over: template))
    members.finish()
    return value
  }
}

/// Reads a member whose type is a tuple: an object with its elements under their labels, else `_0`, `_1`, ...
public func _$decodeTuple<Tuple>(
  _ members: LogDecoder.Members,
  _ name: String,
  over template: Tuple?,
  _ read: (LogDecoder.Members, Tuple?) throws -> Tuple
) throws -> Tuple {
  let place = try members.value(name, over: template.map { _ in DecodedPlace(decoder: nil) })
  guard let decoder = place.decoder else {
    // Without a place in the log there is a template.
    return try template ?? read(members, nil)
  }
  let elements = try decoder.members(of: Tuple.self)
  let tuple = try read(elements, template)
  elements.finish()
  return tuple
}

/// A place in the log that is read later; none where the log has nothing.
private struct DecodedPlace: LogValue {
  let decoder: LogDecoder?

  func encode(to encoder: inout LogEncoder) { encoder.encodeNull() }

  static func decode(from decoder: LogDecoder, over template: Self?) -> Self {
    Self(decoder: decoder)
  }
}
