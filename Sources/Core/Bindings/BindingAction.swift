/// The change of one property of a state, as a control of a view makes it.
///
/// ```swift
/// store.send(.binding(.set(\.name, "Blob")))
/// ```
///
/// Two are equal if they set the same property to equal values.
public struct BindingAction<Root>: Sendable {
  /// Key paths to properties never change; Swift does not know them to be `Sendable`.
  nonisolated(unsafe) public let keyPath: PartialKeyPath<Root>
  /// Only `Sendable` values come in, but one that was read from a log can't be known to be.
  nonisolated(unsafe) let value: Any
  /// Holds nothing but the two above.
  nonisolated(unsafe) let set: (inout Root) -> Void
  /// Notices whether the change reaches a reducer, for those that a store makes.
  var receipt: BindingReceipt?

  init<Value>(keyPath: WritableKeyPath<Root, Value>, value: Value) {
    self.keyPath = keyPath
    self.value = value
    set = { $0[keyPath: keyPath] = value }
  }

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: What it is set to.
  /// - Returns: The action.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self {
    Self(keyPath: keyPath, value: value)
  }

  /// Whether an action sets a property, so that `switch` understands `case .binding(\.name):`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, Value>,
    action: Self
  ) -> Bool {
    keyPath == action.keyPath
  }
}

extension BindingAction: Equatable {
  /// Whether both set the same property to equal values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { rhs.value as? Value == value }
    return lhs.keyPath == rhs.keyPath && (lhs.value as? any Equatable).map { isEqual($0) } == true
  }
}

extension BindingAction: CustomStringConvertible {
  /// The change as it is written in code.
  public var description: String { ".set(\\.\(ChildPlace(keyPath).name), \(value))" }
}

extension BindingAction: CasePathable {
  /// A case path for each property: `\.binding.name`.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The changes of a property.
    public subscript<Value: Equatable & Sendable>(
      dynamicMember keyPath: WritableKeyPath<Root, Value>
    ) -> AnyCasePath<BindingAction, Value> {
      nonisolated(unsafe) let keyPath = keyPath
      return AnyCasePath(
        embed: { .set(keyPath, $0) },
        extract: { $0.keyPath == keyPath ? $0.value as? Value : nil }
      )
    }
  }

  /// A case path for each property.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
