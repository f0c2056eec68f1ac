/// A value with a separate id, so that an identified array can contain values that aren't `Identifiable`.
///
/// ```swift
/// var names: IdentifiedArrayOf<Identified<UUID, String>> = []
/// names.append(Identified("Blob", id: uuid()))
/// names[0].count  // 4: a member of the value
/// ```
@LogValue
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
  /// The id that identifies the value.
  public let id: ID
  /// The identified value.
  public var value: Value

  /// Creates an identified value from a value and its id.
  public init(_ value: Value, id: ID) {
    self.id = id
    self.value = value
  }

  /// Creates an identified value whose id a closure computes from the value.
  public init(_ value: Value, id: (Value) -> ID) {
    self.init(value, id: id(value))
  }

  /// Creates an identified value whose id is at a key path of the value: `Identified(name, id: \.self)`.
  public init(_ value: Value, id: KeyPath<Value, ID>) {
    self.init(value, id: value[keyPath: id])
  }

  /// A writable member of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  /// A member of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }
}

extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
extension Identified: Sendable where ID: Sendable, Value: Sendable {}
extension Identified: Encodable where ID: Encodable, Value: Encodable {}
extension Identified: Decodable where ID: Decodable, Value: Decodable {}

/// An action of one row in a list of features.
///
/// ```swift
/// enum Action { case rows(IdentifiedActionOf<Row>) }
/// store.send(\.rows[id: 1].toggle)
/// ```
@CasePathable
public indirect enum IdentifiedAction<ID: Hashable & Sendable, Action> {
  /// An action of the row with the given id.
  case element(id: ID, action: Action)
}

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Sendable where Action: Sendable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}

extension IdentifiedAction.AllCasePaths {
  /// The case path to the actions of the row with an id: `\.rows[id: 1].toggle`.
  public subscript(id id: ID) -> AnyCasePath<IdentifiedAction, Action> {
    AnyCasePath(
      embed: { .element(id: id, action: $0) },
      extract: {
        guard case .element(id, let action) = $0 else { return nil }
        return action
      }
    )
  }
}

/// The action type for a list of rows with the given feature.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable
