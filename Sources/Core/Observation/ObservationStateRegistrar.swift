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
      // Taken out, changed, which told its observers, and put back.
      value = newValue
    } else {
      registrar.withMutation(of: subject, keyPath: keyPath) {
        value = newValue
        value._$detach()
      }
    }
  }

  /// Sets a property that is an observable state now and then.
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value?,
    _ newValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool,
    _ shouldNotifyObservers: (Value?, Value?) -> Bool = { _, _ in true }
  ) {
    if !isIdentityEqual(value, newValue), shouldNotifyObservers(value, newValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
    } else if isOlderCopy(newValue, of: value) {
      registrar.withMutation(of: subject, keyPath: keyPath) {
        value = newValue
        value?._$detach()
      }
    } else {
      value = newValue
    }
  }

  /// Whether a value has the identity of another one that has changed in place since they were copies, and is not equal to it.
  private func isOlderCopy<Value: ObservableState>(_ copy: Value?, of value: Value?) -> Bool {
    guard let copy, let value, copy._$id == value._$id,
      !copy._$id.isSameGeneration(as: value._$id)
    else { return false }
    return DumpEquality.equated(copy, value) != true
  }
}

extension ObservationStateRegistrar {
  /// Prepares a change in place and returns what is to be compared afterwards.
  public func willModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member
  }

  /// Prepares a change in place of an observable state.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member._$willModify()
    return member
  }

  /// Prepares a change in place of an observable state that is there now and then.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?
  ) -> Value? {
    member?._$willModify()
    return member
  }

  /// Prepares a change in place of what is presented.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>
  ) -> PresentationState<Value> {
    member.wrappedValue?._$willModify()
    return member
  }

  /// Tells the observers of a property if it has become another value in place.
  public func didModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    guard !isIdentityEqual(oldValue, member) else { return }
    registrar.withMutation(of: subject, keyPath: keyPath) {}
  }

  /// Tells the observers of a property if it has become another value in place, or an older copy of itself.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if !isIdentityEqual(oldValue, member) {
      registrar.withMutation(of: subject, keyPath: keyPath) {}
    } else if isOlderCopy(member, of: oldValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { member._$detach() }
    }
  }

  /// Tells the observers of a property if it has become another value in place, or an older copy of itself.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?,
    _ oldValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool
  ) {
    if !isIdentityEqual(oldValue, member) {
      registrar.withMutation(of: subject, keyPath: keyPath) {}
    } else if isOlderCopy(member, of: oldValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { member?._$detach() }
    }
  }

  /// Tells the observers of what is presented if it has become another value in place, or an older copy of itself.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>,
    _ oldValue: PresentationState<Value>,
    _ isIdentityEqual: (PresentationState<Value>, PresentationState<Value>) -> Bool
  ) {
    if !isIdentityEqual(oldValue, member) {
      registrar.withMutation(of: subject, keyPath: keyPath) {}
    } else if isOlderCopy(member.wrappedValue, of: oldValue.wrappedValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { member.wrappedValue?._$detach() }
    }
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
