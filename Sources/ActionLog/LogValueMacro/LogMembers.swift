/// A value with a table of the names and key paths of its members.
///
/// `@ObservableState` and `@LogValue` generate the table. It maps the key path in a binding action to names in the log,
/// and names to key paths.
///
/// ```swift
/// @LogValue
/// struct User { var name = "" }          // conforms to LogMembers
///
/// LogMember<User>.names(of: \User.name)  // ["name"]
/// ```
public protocol LogMembers: LogValue {
  /// The stored properties of the type, with their key paths.
  static var _$logMembers: [LogMember<Self>] { get }
}

/// A member of a value: its name and its key path.
///
/// ```swift
/// LogMember<User>("name", \.name).keyPath              // \User.name
/// LogMember<User>.keyPath(named: ["address", "city"])  // \User.address.city
/// ```
public struct LogMember<Root>: Sendable {
  /// The member's name in the source code.
  public let name: String
  private let sendableKeyPath: SendableKeyPath<PartialKeyPath<Root>>

  /// The key path from the value to the member.
  public var keyPath: PartialKeyPath<Root> { sendableKeyPath.path }

  /// Creates a member from its name and its key path.
  public init<Value>(_ name: String, _ keyPath: KeyPath<Root, Value>) {
    self.name = name
    sendableKeyPath = SendableKeyPath(keyPath)
  }
}

extension LogMember where Root: LogMembers {
  /// Returns the names on the path to a member, or `nil` if the key path contains more than stored properties.
  ///
  /// ```swift
  /// LogMember.names(of: \State.user.name)  // ["user", "name"]
  /// ```
  public static func names(of keyPath: PartialKeyPath<Root>) -> [String]? {
    Root.names(of: keyPath)
  }

  /// Returns the key path that a list of names describes, or `nil` if there is no such member.
  ///
  /// The result is a `WritableKeyPath` if the member can be set.
  public static func keyPath(named names: [String]) -> PartialKeyPath<Root>? {
    Root.keyPath(named: names)
  }
}

extension LogMembers {
  /// Returns the names on the path to a member, or `nil` if the key path contains more than stored properties.
  ///
  /// For `\State.user.name`, the names are `["user", "name"]`.
  package static func names(of keyPath: PartialKeyPath<Self>) -> [String]? {
    names(of: keyPath) { $0 }
  }

  /// Returns the key path that a list of names describes, or `nil` if there is no such member.
  ///
  /// The result is a `WritableKeyPath` if the member can be set.
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

/// Decodes a case's payload and creates the case with it.
public func _$decode<Payload, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}

/// Decodes a case's payload, whose type conforms to `LogValue`, and creates the case with it.
public func _$decode<Payload: LogValue, Enum>(
  _ members: LogDecoder.Members,
  _ name: String,
  _ make: (Payload) -> Enum,
  over template: Payload? = nil
) throws -> Enum {
  make(try members.value(name, Payload.self, over: template))
}

extension LogDecoder {
  /// Decodes a case without associated values.
  public func _$case<Enum>(empty value: Enum) throws -> Enum {
    try members(of: Enum.self).finish()
    return value
  }

  /// Decodes a case with one associated value.
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

  /// Decodes a case with one associated value whose type conforms to `LogValue`.
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

/// Decodes a tuple from an object whose names are the tuple's labels, or `_0`, `_1`, … for elements without a label.
public func _$decodeTuple<Tuple>(
  _ members: LogDecoder.Members,
  _ name: String,
  over template: Tuple?,
  _ read: (LogDecoder.Members, Tuple?) throws -> Tuple
) throws -> Tuple {
  let place = try members.value(name, over: template.map { _ in DeferredDecoding(decoder: nil) })
  guard let decoder = place.decoder else {
    // The log has no value here, so `template` is not `nil`.
    return try template ?? read(members, nil)
  }
  let elements = try decoder.members(of: Tuple.self)
  let tuple = try read(elements, template)
  elements.finish()
  return tuple
}

/// A value in the log that is decoded later, or `nil` if the log has no value.
private struct DeferredDecoding: LogValue {
  let decoder: LogDecoder?

  func encode(to encoder: inout LogEncoder) { encoder.encodeNull() }

  static func decode(from decoder: LogDecoder, over template: Self?) -> Self {
    Self(decoder: decoder)
  }
}
