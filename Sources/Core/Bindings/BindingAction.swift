public import ActionLog

/// An action that sets one property of the state, typically sent by a control in a view.
///
/// ```swift
/// store.send(.binding(.set(\.name, "Blob")))
/// ```
///
/// Two binding actions are equal if they set the same property to equal values.
public struct BindingAction<Root>: Sendable {
  /// The key path to the property that the action sets.
  ///
  /// Unsafe, but key paths of properties are immutable.
  nonisolated(unsafe) public let keyPath: PartialKeyPath<Root>
  /// The new value of the property.
  ///
  /// Unsafe: `set(_:_:)` requires a `Sendable` value, but the compiler can't verify this for values that are decoded
  /// from a log.
  @usableFromInline nonisolated(unsafe) let value: Any
  /// A function that assigns the value to the property.
  ///
  /// Unsafe, but the function captures just the key path and the value.
  @usableFromInline nonisolated(unsafe) let set: (inout Root) -> Void
  /// A receipt that reports an issue if no reducer handles the action; `nil` if the action wasn't created by a store.
  @usableFromInline var receipt: UnhandledBindingDetector?

  @inlinable
  init<Value>(keyPath: WritableKeyPath<Root, Value>, value: Value) {
    self.keyPath = keyPath
    self.value = value
    set = { $0[keyPath: keyPath] = value }
  }

  /// Creates an action that sets a property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the property, relative to the state.
  ///   - value: The new value of the property.
  /// - Returns: An action that assigns `value` to the property.
  @inlinable
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self {
    Self(keyPath: keyPath, value: value)
  }

  /// Returns whether an action sets the property at a key path, for patterns such as `case .binding(\.name):`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, Value>,
    action: Self
  ) -> Bool {
    keyPath == action.keyPath
  }
}

extension BindingAction: Equatable {
  /// Returns whether both actions set the same property to equal values.
  ///
  /// Actions whose values aren't `Equatable` are never equal.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { rhs.value as? Value == value }
    return lhs.keyPath == rhs.keyPath && (lhs.value as? any Equatable).map { isEqual($0) } == true
  }
}

extension BindingAction: CustomStringConvertible {
  /// The action in a format like that of source code, such as `.set(\.name, Blob)`.
  public var description: String { ".set(\\.\(ChildLocation(keyPath).name), \(value))" }
}

extension BindingAction: CasePathable {
  /// The case paths of binding actions, one for each property of the state: `\.binding.name`.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The case path of the actions that set the property at a key path.
    public subscript<Value: Equatable & Sendable>(
      dynamicMember keyPath: WritableKeyPath<Root, Value>
    ) -> AnyCasePath<BindingAction, Value> {
      let keyPath = SendableKeyPath(keyPath)
      return AnyCasePath(
        embed: { .set(keyPath.path, $0) },
        extract: { $0.keyPath == keyPath.path ? $0.value as? Value : nil }
      )
    }
  }

  /// The case paths of binding actions, one for each property of the state.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// An action type that can set properties of the state.
///
/// ```swift
/// enum Action: BindableAction {
///   case binding(BindingAction<State>)
/// }
/// ```
public protocol BindableAction<State> {
  /// The feature's state, whose properties binding actions set.
  associatedtype State

  /// Returns an action that wraps a binding action.
  static func binding(_ action: BindingAction<State>) -> Self

  /// The binding action that this action wraps; `nil` for other actions.
  var binding: BindingAction<State>? { get }
}

extension BindableAction {
  /// The payload of the case `binding`; `nil` if the action has another case.
  public var binding: BindingAction<State>? {
    enumCase(of: self).flatMap { $0.label == "binding" ? $0.payload as? BindingAction<State> : nil }
  }

  /// Creates an action that sets a property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the property, relative to the state.
  ///   - value: The new value of the property.
  /// - Returns: An action that wraps the binding action.
  @inlinable
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>,
    _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}

extension BindableAction
where
  Self: CasePathable,
  AllCasePaths: _$BindingCasePaths<Self>,
  AllCasePaths._$BindingRoot == State
{
  /// The payload of the case `binding`; `nil` if the action has another case.
  @inlinable
  public var binding: BindingAction<State>? { Self.allCasePaths.binding.extract(from: self) }
}

/// A prefix of the path to a nested property: `\.binding.card` in `\.binding.card.title`.
///
/// ```swift
/// await store.send(\.binding.card.title, "Paint") {
///   $0.card.title = "Paint"
/// }
/// ```
@dynamicMemberLookup
public struct BindingCase<Root, Value>: Sendable {
  private let binding: Case<BindingAction<Root>>
  private let sendableKeyPath: SendableKeyPath<WritableKeyPath<Root, Value>>
  private var keyPath: WritableKeyPath<Root, Value> { sendableKeyPath.path }

  fileprivate init(binding: Case<BindingAction<Root>>, keyPath: WritableKeyPath<Root, Value>) {
    self.binding = binding
    sendableKeyPath = SendableKeyPath(keyPath)
  }

  /// The case path of the actions that set a nested property.
  public subscript<Member: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Case<Member> {
    let keyPath = self.keyPath.appending(path: keyPath)
    return binding.appending(BindingAction.allCasePaths[dynamicMember: keyPath])
  }

  /// The prefix of the path to a property that is nested more deeply.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> BindingCase<Root, Member> {
    BindingCase<Root, Member>(binding: binding, keyPath: self.keyPath.appending(path: keyPath))
  }
}

extension Case {
  /// The prefix of the path to a nested property: `\.binding.card` in `\.binding.card.title`.
  @_disfavoredOverload
  public subscript<Root, Member>(
    dynamicMember keyPath: WritableKeyPath<Root, Member>
  ) -> BindingCase<Root, Member> where Value == BindingAction<Root> {
    BindingCase(binding: self, keyPath: keyPath)
  }
}

extension BindingCase: PartialCase {
  func embed(any value: Any) -> Any? {
    (value as? Value).flatMap { binding.embed(any: BindingAction(keyPath: keyPath, value: $0)) }
  }

  func extract(from root: Any) -> Any? {
    guard let action = binding.extract(from: root) as? BindingAction<Root>,
      action.keyPath == keyPath
    else { return nil }
    return action.value
  }
}

extension BindingAction: LogValue {
  /// Encodes the names in the key path and the new value: `{"set":{"_0":"user.name","_1":"Blob"}}`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.key("set")
    encoder.beginObject()
    if let names = ChildLocation(keyPath).memberName {
      encoder.assignment(of: value, to: names, in: Root.self)
    } else {
      encoder.namelessAssignment(of: value, to: keyPath)
    }
    encoder.endObject()
    encoder.endObject()
  }

  /// Decodes an action that sets the property at the recorded key path.
  ///
  /// - Throws: `LogDecodingError` if the state has no such property or the property's type isn't decodable.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    guard name == "set" else { throw decoder.error(.unknownCase(name), type: Self.self) }
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    let names = try members.value("_0", String.self)
    guard let keyPath = keyPath(named: names) else {
      throw decoder.error(
        .mismatch(expected: "the name of a variable", found: .string(names)),
        type: Root.self
      )
    }
    func read<Value>(_ type: Value.Type) throws -> Self? {
      guard let keyPath = keyPath as? WritableKeyPath<Root, Value> else { return nil }
      return Self(keyPath: keyPath, value: try members.value("_1", type))
    }
    guard let action = try _openExistential(Swift.type(of: keyPath).valueType, do: read) else {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    return action
  }

  /// Decodes an action that sets the property at the recorded key path, directly from the text of a log.
  ///
  /// - Throws: `LogText.UnexpectedFormat` if the text has another layout or the state has no such property.
  public static func _$read(from text: inout LogText) throws -> Self {
    try text.beginEnum()
    guard text.takeCase("set"), let keyPath = keyPath(named: try text.member("_0")) else {
      throw LogText.UnexpectedFormat()
    }
    func read<Value>(_ type: Value.Type) throws -> Self? {
      guard let keyPath = keyPath as? WritableKeyPath<Root, Value> else { return nil }
      return Self(keyPath: keyPath, value: try text.member("_1") as Value)
    }
    guard let action = try _openExistential(Swift.type(of: keyPath).valueType, do: read) else {
      throw LogText.UnexpectedFormat()
    }
    try text.endEnum()
    return action
  }

  private static func keyPath(named names: String) -> PartialKeyPath<Root>? {
    let names = names.split(separator: ".").map(String.init)
    func keyPath<Known: LogMembers>(in _: Known.Type) -> PartialKeyPath<Root>? {
      Known.keyPath(named: names) as? PartialKeyPath<Root>
    }
    return (Root.self as? any LogMembers.Type).flatMap { keyPath(in: $0) }
  }
}
