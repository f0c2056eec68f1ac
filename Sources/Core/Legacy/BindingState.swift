public import ActionLog

/// A property that binding actions can set: `.set(\.$name, "Blob")`.
///
/// ```swift
/// struct State { @BindingState var name = "" }
/// ```
///
/// State marked `@ObservableState` doesn't need this wrapper.
@propertyWrapper
@dynamicMemberLookup
public struct BindingState<Value> {
  /// The current value of the property.
  public var wrappedValue: Value

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// The wrapper itself, to which key paths such as `\.$name` lead.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// A wrapper around a member of the value, for key paths such as `\.$user.name`.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> BindingState<Member> {
    get { BindingState<Member>(wrappedValue: wrappedValue[keyPath: keyPath]) }
    set { wrappedValue[keyPath: keyPath] = newValue.wrappedValue }
  }
}

extension BindingState: Equatable where Value: Equatable {}
extension BindingState: Hashable where Value: Hashable {}
extension BindingState: Sendable where Value: Sendable {}

extension BindingState: Decodable where Value: Decodable {
  /// Decodes the wrapped value in place of the wrapper.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension BindingState: Encodable where Value: Encodable {
  /// Encodes the wrapped value in place of the wrapper.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension BindingState: LogValue {
  /// Encodes the wrapped value in place of the wrapper.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(wrappedValue)
  }

  /// Decodes the wrapped value and wraps it.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    Self(wrappedValue: try decoder.value(Value.self, over: template.map(\.wrappedValue)))
  }

  /// Adds the differences between the wrapped values to a patch.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.value(old.wrappedValue, new.wrappedValue)
  }
}

extension BindingState: LogMembers where Value: LogMembers {
  /// The members of the wrapped value, with key paths that lead through the wrapper: `\.$user.name`.
  public static var _$logMembers: [LogMember<Self>] {
    func member<Member>(_ inner: LogMember<Value>, _: Member.Type) -> LogMember<Self>? {
      (inner.keyPath as? WritableKeyPath<Value, Member>).map {
        LogMember(inner.name, \Self.[dynamicMember: $0])
      }
    }
    return Value._$logMembers.compactMap { inner in
      func open<Member>(_ type: Member.Type) -> LogMember<Self>? { member(inner, type) }
      return _openExistential(type(of: inner.keyPath).valueType, do: open)
    }
  }
}

extension BindingState: DumpedUnderWrappedName {}

extension BindingState: CustomDumpRepresentable {
  /// The wrapped value, which a dump shows in place of the wrapper.
  public var customDumpValue: Any { wrappedValue }
}

extension BindingState: CustomReflectable {
  /// The mirror of the wrapped value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension BindingAction {
  /// Returns an action that sets a property marked `@BindingState`.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the wrapper: `\.$name`.
  ///   - value: The new value of the property.
  /// - Returns: An action that assigns `value` to the property.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, BindingState<Value>>,
    _ value: Value
  ) -> Self {
    Self(keyPath: keyPath, value: BindingState(wrappedValue: value))
  }

  /// Returns whether an action sets the property at a key path, for patterns such as `case .binding(\.$name):`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, BindingState<Value>>,
    action: Self
  ) -> Bool {
    keyPath == action.keyPath
  }

  /// Returns an action for the state that contains a view state, from an action for the view state.
  ///
  /// - Parameter keyPath: The key path from the containing state to the view state.
  /// - Returns: A binding action that sets the same property of the view state inside the containing state, or `nil` if
  ///   the property isn't writable.
  @available(*, deprecated, message: "Bind to the state itself.")
  public func pullback<NewRoot>(
    _ keyPath: WritableKeyPath<NewRoot, Root>
  ) -> BindingAction<NewRoot>? {
    func pullback<Value>(_: Value.Type) -> BindingAction<NewRoot>? {
      guard let own = self.keyPath as? WritableKeyPath<Root, Value>, let value = value as? Value
      else { return nil }
      return BindingAction<NewRoot>(keyPath: keyPath.appending(path: own), value: value)
    }
    return _openExistential(type(of: self.keyPath).valueType, do: pullback)
  }
}

extension BindableAction {
  /// Returns an action that sets a property marked `@BindingState`.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the wrapper: `\.$name`.
  ///   - value: The new value of the property.
  /// - Returns: An action that wraps the binding action.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, BindingState<Value>>,
    _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}

extension BindingAction.AllCasePaths {
  /// The case path of the actions that set a property marked `@BindingState`: `\.binding.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<Root, BindingState<Value>>
  ) -> AnyCasePath<BindingAction, Value> {
    let keyPath = SendableKeyPath(keyPath)
    return AnyCasePath(
      embed: { .set(keyPath.path, $0) },
      extract: {
        $0.keyPath == keyPath.path ? ($0.value as? BindingState<Value>)?.wrappedValue : nil
      }
    )
  }
}
