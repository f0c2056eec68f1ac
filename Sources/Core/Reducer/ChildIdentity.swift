/// The identity of a child: its enum case, and the id of an identifiable value or payload.
///
/// Two states with different identities belong to different children.
struct ChildIdentity: Hashable, Sendable {
  let caseName: String?
  /// Unsafe because `AnyHashable` is not `Sendable`.
  ///
  /// The id is a value that this type just compares and describes.
  nonisolated(unsafe) private let id: AnyHashable?
  /// Whether the id differs in each process, so that logs must omit it.
  private let isTransient: Bool

  /// Reads the identity of a value; `nil` if all values of its type are the same child.
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
  /// Encodes the id, or an object that names the case.
  func encode(to encoder: inout LogEncoder) {
    let id = isTransient ? nil : id?.base
    guard let caseName else { return encoder.value(id) }
    encoder.beginObject()
    encoder.member("case", caseName)
    if let id { encoder.member("id", id) }
    encoder.endObject()
  }

  /// Throws an error, because identities are read from states and never from a log.
  static func decode(from decoder: LogDecoder, over _: ChildIdentity?) throws -> ChildIdentity {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

/// Returns the case and the payload of an enum value, as reflection describes them; `nil` for other values.
func enumCase(of value: Any) -> (label: String, payload: Any?)? {
  // The type is checked first, because a mirror is slower. Shared and other custom-reflectable values mirror their
  // contents.
  guard LogTypeSurvey.isEnum(type(of: value)) || value is any CustomReflectable else { return nil }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  guard let child = mirror.children.first else { return (DumpText.caseName(of: value), nil) }
  return child.label.map { ($0, child.value) }
}

/// The cancellation id of all effects of a child, which are cancelled when the child is removed.
private struct ChildEffects: Hashable, Sendable {}

extension ChildEffects: LogValue {
  /// Encodes an empty object, because all values are equal.
  func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.endObject()
  }

  /// Throws an error, because operators make these ids and no code reads them from a log.
  static func decode(from decoder: LogDecoder, over _: ChildEffects?) throws -> ChildEffects {
    throw decoder.error(.notDecodable, type: Self.self)
  }
}

extension CancelID {
  /// Returns the id of all effects of a child.
  static func child(at path: [NavigationID]) -> CancelID {
    CancelID(ChildEffects(), path: path)
  }
}

extension NavigationID {
  /// Identifies an optional child or a case.
  init<Value>(child: Value, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: ChildIdentity(of: child).map { CancelKey($0) })
  }

  /// Identifies an element of a collection.
  init<ID: Hashable & Sendable>(element: ID, at place: ChildPlace) {
    self.init(place: CancelKey(place), identity: CancelKey(element))
  }

  /// The path from the root feature to this child of the running reducer.
  var path: [NavigationID] { DependencyValues._current.navigationPath + [self] }
}

extension Reducer {
  /// Runs a child's reducer at a deeper path, which gives its effects a namespace for their ids.
  ///
  /// - Parameters:
  ///   - state: The child's state.
  ///   - action: The child's action.
  ///   - path: The path to the child.
  ///   - prepare: Sets dependencies for the child.
  /// - Returns: The child's effects, which are cancelled with the child.
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
  /// Makes an effect cancellable with a child.
  func ofChild(at path: [NavigationID]) -> Effect {
    if isNone { return self }
    return Effect(operation: .cancellable(self, .child(at: path), cancelInFlight: false))
  }

  /// Returns an effect that cancels the effects of a removed child and its descendants, and removes their store data.
  static func cancelChild(at path: [NavigationID], _ location: IssueLocation) -> Effect {
    DependencyValues._current.storeContext?.childDidGo(at: path)
    return Effect(operation: .cancel(.child(at: path), location))
  }
}

extension Optional {
  /// Calls a function with the wrapped value, in place, and returns its result; `nil` if there is no value.
  mutating func modifyIfPresent<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    // Moves the value out. A second reference would make the change copy its storage.
    self = nil
    defer { self = value }
    return body(&value)
  }
}
