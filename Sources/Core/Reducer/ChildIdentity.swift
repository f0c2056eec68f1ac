import ActionLog

/// The identity of a child state: its enum case, and the id of an identifiable state or payload.
///
/// Two states with different identities belong to different children.
@usableFromInline
struct ChildIdentity: Hashable, Sendable {
  let caseName: String?
  /// The id of the state or its payload; `nil` if it has none.
  ///
  /// Unsafe, because `AnyHashable` isn't `Sendable`. The id is a value, and this type only compares and describes it.
  nonisolated(unsafe) private let id: AnyHashable?
  /// Whether the id differs between processes, so that logs must omit it.
  private let isTransient: Bool

  /// The identity of all values of a type that has neither cases nor ids.
  static let only = ChildIdentity(caseName: nil, id: nil, isTransient: false)

  /// Whether all values of the type belong to the same child.
  var isOnly: Bool { caseName == nil && id == nil }

  private init(caseName: String?, id: AnyHashable?, isTransient: Bool) {
    self.caseName = caseName
    self.id = id
    self.isTransient = isTransient
  }

  /// Creates the identity of a state.
  @usableFromInline
  init<Value>(of value: Value) {
    if LogTypeSurvey.isStruct(Value.self), !(Value.self is any Identifiable.Type),
      !(Value.self is any CustomReflectable.Type)
    {
      // The values of other structs are the same child, which their type says without a mirror.
      self = .only
      return
    }
    var payload: Any = value
    var caseName: String?
    if let name = enumCase(of: value) {
      caseName = name.label
      payload = name.payload ?? value
    }
    self.init(
      caseName: caseName,
      id: Self.id(of: value) ?? (caseName == nil ? nil : Self.id(of: payload)),
      isTransient: payload is any _EphemeralState
    )
  }

  private static func id(of value: Any) -> AnyHashable? {
    func id<Child: Identifiable>(_ child: Child) -> AnyHashable { AnyHashable(child.id) }
    return (value as? any Identifiable).map { id($0) }
  }
}

extension ChildIdentity: LogValue {
  /// Encodes the id, or, for an enum, an object with the name of the case and the id.
  @usableFromInline
  func encode(to encoder: inout LogEncoder) {
    let id = isTransient ? nil : id?.base
    guard let caseName else { return encoder.value(id) }
    encoder.beginObject()
    encoder.member("case", caseName)
    if let id { encoder.member("id", id) }
    encoder.endObject()
  }

  /// Throws an error, because identities are derived from states and never read from a log.
  @usableFromInline
  static func decode(from decoder: LogDecoder, over _: ChildIdentity?) throws -> ChildIdentity {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

/// Returns the name and the payload of an enum value's case, as reflection shows them, or `nil` for other values.
func enumCase(of value: Any) -> (label: String, payload: Any?)? {
  // Checks the type before creating a mirror, which is slower. The mirror of a shared or other custom-reflectable value
  // shows its contents, which may be an enum.
  guard LogTypeSurvey.isEnum(type(of: value)) || value is any CustomReflectable else { return nil }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  guard let child = mirror.children.first else { return (DumpText.caseName(of: value), nil) }
  return child.label.map { ($0, child.value) }
}

/// Returns the name of an enum value's case, or `nil` for other values.
func enumCaseName<Value>(of value: Value) -> String? {
  guard LogTypeSurvey.isEnum(Value.self), !(Value.self is any CustomReflectable.Type) else {
    return enumCase(of: value)?.label
  }
  return DumpText.caseName(of: value)
}

/// The cancellation id that all effects of a child share, which is canceled when the child is removed.
private struct ChildEffects: Hashable, Sendable {}

extension ChildEffects: LogValue {
  /// Encodes an empty object, because all values are equal.
  func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.endObject()
  }

  /// Throws an error, because these ids are created by operators and never read from a log.
  static func decode(from decoder: LogDecoder, over _: ChildEffects?) throws -> ChildEffects {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

extension CancelID {
  /// Returns the cancellation id that all effects of the child at a path share.
  static func child(at path: [NavigationID]) -> CancelID {
    CancelID(ChildEffects(), path: path)
  }
}

/// The path from the root feature to a child, in the tree of presented and pushed features.
@usableFromInline
struct ChildPath: Sendable {
  let ids: [NavigationID]

  /// Creates the path to an optional child, or to a child in a case, which belongs to the running reducer's feature.
  @usableFromInline
  init(to child: ChildIdentity, at place: ChildLocation) {
    self.init(
      NavigationID(
        place: CancelKey(place),
        identity: child.isOnly ? nil : CancelKey(child)
      )
    )
  }

  /// Creates the path to an element of a collection, which belongs to the running reducer's feature.
  @usableFromInline
  init<ID: Hashable & Sendable>(toElement id: ID, at place: ChildLocation) {
    self.init(NavigationID(place: CancelKey(place), identity: CancelKey(id)))
  }

  private init(_ id: NavigationID) {
    ids = DependencyValues._current.navigationPath + [id]
  }

  /// Returns the current dependencies for the child at this path.
  @usableFromInline
  func dependencies(isPresented: Bool) -> DependencyValues {
    var dependencies = DependencyValues._current
    dependencies.navigationPath = ids
    if isPresented { dependencies.presents(ids) }
    return dependencies
  }
}

extension Reducer {
  /// Runs a child's reducer at the path of the child, which serves as the namespace of its cancellation ids.
  ///
  /// - Parameters:
  ///   - state: The state of the child.
  ///   - action: The action of the child.
  ///   - path: The path to the child.
  ///   - isPresented: Whether the child can dismiss itself.
  /// - Returns: The effect of the child, which is canceled when the child is removed.
  @inlinable
  func reduceChild(
    _ state: inout State,
    action: Action,
    at path: ChildPath,
    isPresented: Bool = false
  ) -> Effect<Action> {
    let dependencies = path.dependencies(isPresented: isPresented)
    return DependencyValues.$_current.withValue(dependencies) {
      _reduce(into: &state, action: action)
    }
    .ofChild(at: path)
  }
}

extension Effect {
  /// Returns an effect that is canceled when the child at a path is removed.
  @usableFromInline
  func ofChild(at path: ChildPath) -> Effect {
    if isNone { return self }
    return Effect(operation: .cancellable(self, .child(at: path.ids), cancelInFlight: false))
  }

  /// Returns an effect that cancels the effects of a removed child and of its descendants.
  ///
  /// The function also removes the data that the store keeps for the child.
  @usableFromInline
  static func cancelChild(at path: ChildPath, _ location: IssueLocation) -> Effect {
    DependencyValues._current.storeContext?.childDidGo(at: path.ids)
    return Effect(operation: .cancel(.child(at: path.ids), location))
  }
}

extension Optional {
  /// Calls a function with the wrapped value, which it can change in place.
  ///
  /// - Returns: The result of the function, or `nil` if there is no value.
  @inlinable
  mutating func modifyIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    // Moves the value out of the optional, because a second reference would make a change copy the value's storage.
    self = nil
    defer { self = value }
    return body(&value)
  }
}
