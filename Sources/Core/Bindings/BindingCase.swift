/// A property on the way to a property of its own: `\.binding.card` in `\.binding.card.title`.
///
/// ```swift
/// await store.send(\.binding.card.title, "Paint") {
///   $0.card.title = "Paint"
/// }
/// ```
@dynamicMemberLookup
public struct BindingCase<Root, Value>: Sendable {
  private let binding: Case<BindingAction<Root>>
  /// Key paths to properties never change; Swift does not know them to be `Sendable`.
  nonisolated(unsafe) private let keyPath: WritableKeyPath<Root, Value>

  fileprivate init(binding: Case<BindingAction<Root>>, keyPath: WritableKeyPath<Root, Value>) {
    self.binding = binding
    self.keyPath = keyPath
  }

  /// The changes of a property of the property.
  public subscript<Member: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Case<Member> {
    let keyPath = self.keyPath.appending(path: keyPath)
    return binding.appending(BindingAction.allCasePaths[dynamicMember: keyPath])
  }

  /// Goes on to a property of the property.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> BindingCase<Root, Member> {
    BindingCase<Root, Member>(binding: binding, keyPath: self.keyPath.appending(path: keyPath))
  }
}

extension Case {
  /// Goes on to a property of a property: `\.binding.card.title`.
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
