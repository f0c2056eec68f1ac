/// The location of a child in its parent's state: a key path or an enum case, with its name in a log.
///
/// Two locations are equal if they have equal key paths, or the same state type and case name. The text of a key path
/// to a computed property, such as an observed one, differs between processes. A log therefore contains the name of the
/// property or of the action's case, or else the type of the value.
@usableFromInline
struct ChildLocation: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case keyPath(SendableKeyPath<AnyKeyPath>)
    /// A case of a state, identified by the type of the state and the name of the case.
    case enumCase(of: ObjectIdentifier, name: String?)
  }

  private let kind: Kind
  private let givenName: (@Sendable () -> String?)?

  @usableFromInline
  init(_ keyPath: AnyKeyPath, name: (@Sendable () -> String?)? = nil) {
    kind = .keyPath(SendableKeyPath(keyPath))
    givenName = name
  }

  /// Creates the location of a child in a case of a state.
  @usableFromInline
  init(caseOf type: Any.Type, name: String?) {
    kind = .enumCase(of: ObjectIdentifier(type), name: name)
    givenName = nil
  }

  @usableFromInline
  static func == (lhs: ChildLocation, rhs: ChildLocation) -> Bool { lhs.kind == rhs.kind }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The name of the location in logs, which is the same in every process.
  var name: String {
    switch kind {
    case .keyPath(let keyPath):
      givenName?() ?? memberName ?? Self.writtenName(of: keyPath.path)
        ?? LogTypeName.of(type(of: keyPath.path).valueType)
    case .enumCase(_, let name): name ?? "self"
    }
  }

  /// The names of the properties in the key path, joined by dots.
  ///
  /// The value is `nil` for a case, and for a type without a table of its members.
  var memberName: String? {
    guard case .keyPath(let sendable) = kind else { return nil }
    let keyPath = sendable.path
    func name<Root: LogMembers>(in _: Root.Type) -> String? {
      guard let keyPath = keyPath as? PartialKeyPath<Root> else { return nil }
      return Root.names(of: keyPath)?.joined(separator: ".")
    }
    return (type(of: keyPath).rootType as? any LogMembers.Type).flatMap { name(in: $0) }
  }

  /// Returns the last component of a key path's text, such as `child` for `\State.child`.
  ///
  /// Returns `nil` if that component isn't an identifier.
  private static func writtenName(of keyPath: AnyKeyPath) -> String? {
    let text = String(reflecting: keyPath)
    let name = text.split(separator: ".").last.map(String.init)
    return name.flatMap { name in
      name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : nil
    }
  }
}

extension ChildLocation: LogValue {
  /// Encodes the name of the location as a JSON string.
  @usableFromInline
  func encode(to encoder: inout LogEncoder) {
    encoder.value(name)
  }

  /// Throws an error, because locations are created by operators and never read from a log.
  @usableFromInline
  static func decode(from decoder: LogDecoder, over _: ChildLocation?) throws -> ChildLocation {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}
