/// The identity of a child, which distinguishes values of its state: the case of an enum, and the id
/// of an identifiable value or payload.
struct ChildIdentity: Hashable, Sendable {
  let caseName: String?
  /// Not every id is `Sendable`, but it is a value that is only compared and described here.
  nonisolated(unsafe) private let id: AnyHashable?
  /// Whether the id is made up anew in every process, so that no log may hold it.
  private let isTransient: Bool

  /// Reads the identity of a value, nil when all values of its type are the same child.
  init?<Value>(of value: Value) {
    var payload: Any = value
    if let name = enumCase(of: value) {
      caseName = name.label
      payload = name.payload ?? value
    } else {
      caseName = nil
    }
    id = Self.id(of: value) ?? (caseName == nil ? nil : Self.id(of: payload))
    isTransient = payload is any _EphemeralState
    if caseName == nil && id == nil { return nil }
  }

  private static func id(of value: Any) -> AnyHashable? {
    func id<Child: Identifiable>(_ child: Child) -> AnyHashable { AnyHashable(child.id) }
    return (value as? any Identifiable).map { id($0) }
  }
}

extension ChildIdentity: LogValue {
  /// Writes the id, or an object that names the case.
  func encode(to encoder: inout LogEncoder) {
    let id = isTransient ? nil : id?.base
    guard let caseName else { return encoder.value(id) }
    encoder.beginObject()
    encoder.member("case", caseName)
    if let id { encoder.member("id", id) }
    encoder.endObject()
  }

  /// Identities are read from states, never from a log.
  static func decode(from decoder: LogDecoder, over _: ChildIdentity?) throws -> ChildIdentity {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

/// The case of an enum and its payload, as far as reflection shows them; nil for all other values.
func enumCase(of value: Any) -> (label: String, payload: Any?)? {
  // A mirror takes longer than a look at the type, but shared values and others show themselves as what they hold.
  guard LogTypeSurvey.isEnum(type(of: value)) || value is any CustomReflectable else { return nil }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  guard let child = mirror.children.first else { return (DumpText.caseName(of: value), nil) }
  return child.label.map { ($0, child.value) }
}

/// The place of a child in its parent's state: a key path or a case, and its name in a log.
///
/// Places are compared by key path, or by the state's type and the name of the case. The text of a key path differs from process to
/// process where a property is computed, as all observed ones are, so a log gets a name: that of the property or of the action's case,
/// else the type of the value there.
struct ChildPlace: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case keyPath(SendableKeyPath<AnyKeyPath>)
    /// A case of the state itself, without a key path: the type of the state, and the name of the case.
    case enumCase(of: ObjectIdentifier, name: String?)
  }

  private let kind: Kind
  private let givenName: (@Sendable () -> String?)?

  init(_ keyPath: AnyKeyPath, name: (@Sendable () -> String?)? = nil) {
    kind = .keyPath(SendableKeyPath(keyPath))
    givenName = name
  }

  /// A case of a state.
  init(caseOf type: Any.Type, name: String?) {
    kind = .enumCase(of: ObjectIdentifier(type), name: name)
    givenName = nil
  }

  static func == (lhs: ChildPlace, rhs: ChildPlace) -> Bool { lhs.kind == rhs.kind }

  func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The name, the same in every process.
  var name: String {
    switch kind {
    case .keyPath(let keyPath):
      givenName?() ?? memberName ?? Self.writtenName(of: keyPath.path)
        ?? LogTypeName.of(type(of: keyPath.path).valueType)
    case .enumCase(_, let name): name ?? "self"
    }
  }

  /// The names of the members that lead there, where the type has a table of them.
  var memberName: String? {
    guard case .keyPath(let sendable) = kind else { return nil }
    let keyPath = sendable.path
    func name<Root: LogMembers>(in _: Root.Type) -> String? {
      guard let keyPath = keyPath as? PartialKeyPath<Root> else { return nil }
      return Root.names(of: keyPath)?.joined(separator: ".")
    }
    return (type(of: keyPath).rootType as? any LogMembers.Type).flatMap { name(in: $0) }
  }

  /// The name after the last dot of `\State.child`.
  private static func writtenName(of keyPath: AnyKeyPath) -> String? {
    let text = String(reflecting: keyPath)
    let name = text.split(separator: ".").last.map(String.init)
    return name.flatMap { name in
      name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : nil
    }
  }
}

extension ChildPlace: LogValue {
  /// Writes the name.
  func encode(to encoder: inout LogEncoder) {
    encoder.value(name)
  }

  /// Places are code, and never read from a log.
  static func decode(from decoder: LogDecoder, over _: ChildPlace?) throws -> ChildPlace {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

/// The id under which all effects of a child run, so that they are cancelled when it goes away.
private struct ChildEffects: Hashable, Sendable {}

extension ChildEffects: LogValue {
  /// Writes an empty object, for there is only one such value.
  func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.endObject()
  }

  /// Ids are made by operators, and never read from a log.
  static func decode(from decoder: LogDecoder, over _: ChildEffects?) throws -> ChildEffects {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

extension CancelID {
  /// The id of all effects of a child.
  static func child(at path: [NavigationID]) -> CancelID {
    CancelID(ChildEffects(), path: path)
  }
}

extension NavigationID {
  /// A child that is there now and then, at a place.
  init<Value>(child: Value, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: ChildIdentity(of: child).map { CancelKey($0) })
  }

  /// An element of a collection at a place.
  init<ID: Hashable & Sendable>(element: ID, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: CancelKey(element))
  }

  /// The way from the root feature to this child of the reducer that is running.
  var path: [NavigationID] { DependencyValues._current.navigationPath + [self] }
}

extension Reducer {
  /// Runs a child's reducer further down, where its effects have ids of their own.
  ///
  /// - Parameters:
  ///   - state: The child's state.
  ///   - action: The child's action.
  ///   - path: The way to the child.
  ///   - prepare: Sets dependencies for the child.
  /// - Returns: The child's effects, tied to its life.
  func reduceChild(
    _ state: inout State,
    action: Action,
    at path: [NavigationID],
    _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> Effect<Action> {
    var dependencies = DependencyValues._current
    dependencies.navigationPath = path
    prepare(&dependencies)
    return DependencyValues.$_current.withValue(dependencies) {
      _reduce(into: &state, action: action)
    }
    .ofChild(at: path)
  }
}

extension Effect {
  /// Ties an effect to the life of a child.
  func ofChild(at path: [NavigationID]) -> Effect {
    if isNone { return self }
    return Effect(operation: .cancellable(self, .child(at: path), cancelInFlight: false))
  }

  /// Cancels all effects of a child that has gone, and of what was presented or pushed below it, which is forgotten.
  static func cancelChild(at path: [NavigationID], _ location: IssueLocation) -> Effect {
    DependencyValues._current.storeContext?.childDidGo(at: path)
    return Effect(operation: .cancel(.child(at: path), location))
  }
}

extension Optional {
  /// Changes the value in place, if there is one.
  mutating func modifyIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    // Moved out, so that what it holds is not copied.
    self = nil
    defer { self = value }
    return body(&value)
  }
}
