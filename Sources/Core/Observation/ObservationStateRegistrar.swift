public import Observation

/// Tells observers of an observable state's properties that these change.
public struct ObservationStateRegistrar: Sendable {
  /// The identity of the state that owns this registrar.
  public private(set) var id = ObservableStateID()
  private let registrar = ObservationRegistrar()

  /// Makes the registrar of a new value.
  public init() {}

  /// Notes that the state is about to be changed in place.
  public mutating func _$willModify() {
    id._$willModify()
  }
}

extension ObservationStateRegistrar {
  /// Notes that a property is read.
  public func access<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>
  ) {
    registrar.access(subject, keyPath: keyPath)
  }

  /// Sets a property, and tells its observers unless the new value is the old one in the eyes of both functions.
  public func mutate<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    if isIdentityEqual(value, newValue) || !shouldNotifyObservers(value, newValue) {
      value = newValue
    } else {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
    }
  }

  /// Sets a property that is an observable state itself.
  ///
  /// A copy that was taken before the property changed in place has the property's identity, but not its content. It
  /// comes back as a value of its own, for observers of its content would not hear of it otherwise.
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    if !shouldNotifyObservers(value, newValue) {
      value = newValue
    } else if !isIdentityEqual(value, newValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
    } else if value._$id.isSameGeneration(as: newValue._$id) {
      value = newValue
    } else {
      registrar.withMutation(of: subject, keyPath: keyPath) {
        value = newValue
        value._$detach()
      }
    }
  }
}

extension ObservationStateRegistrar {
  /// Prepares a change in place and returns what is to be compared afterwards.
  public func willModify<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Member
  ) -> Member {
    member
  }

  /// Prepares a change in place of an observable state.
  public func willModify<Subject: Observable, Member: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Member
  ) -> Member {
    member._$willModify()
    return member
  }

  /// Tells the observers of a property if it has become another value in place.
  public func didModify<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Member,
    _ oldValue: Member,
    _ isIdentityEqual: (Member, Member) -> Bool
  ) {
    guard !isIdentityEqual(oldValue, member) else { return }
    registrar.withMutation(of: subject, keyPath: keyPath) {}
  }
}

extension ObservationStateRegistrar: Equatable, Hashable, Codable {
  /// Registrars are no part of a state's value.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }

  /// Registrars are no part of a state's value.
  public func hash(into hasher: inout Hasher) {}

  /// Makes a new registrar and reads nothing.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Writes nothing.
  public func encode(to encoder: any Encoder) throws {}
}
