public import Observation

/// Tells observers of an observable state's properties that these change.
///
/// A state that takes the place of another one is the same, a changed copy, or another state. Of another state the observers of the
/// property hear. Of a changed copy those of its own properties hear: as it changes, if they observe it then, else when it
/// takes its place.
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

  /// Tells the observers of a property.
  @usableFromInline
  func tell<Subject: Observable, Member>(_ subject: Subject, keyPath: KeyPath<Subject, Member>) {
    registrar.withMutation(of: subject, keyPath: keyPath) {}
  }

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - subject: Whose property it is.
  ///   - keyPath: The property.
  ///   - value: What it holds.
  ///   - newValue: What it is set to.
  ///   - isIdentityEqual: Whether both hold the same states.
  ///   - shouldNotifyObservers: Whether they differ.
  ///   - settle: Tells of the changed copies among the same states, of those changes alone that are no later than `beginning`.
  func mutate<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool,
    settle: (_ registrar: Self, _ new: Value, _ old: Value, _ beginning: UInt64) -> Void
  ) {
    if !shouldNotifyObservers(value, newValue) {
      value = newValue
    } else if isIdentityEqual(value, newValue) {
      settle(self, newValue, value, ObservableStateID.beginningOfWork)
      value = newValue
    } else {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
    }
  }

  /// Tells of what differs between a state and the changed copy of it that takes its place.
  @usableFromInline
  func settle<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ new: Value,
    replacing old: Value,
    since beginning: UInt64
  ) {
    guard new._$id.isChangedCopy(of: old._$id, since: beginning),
      !ChangedCopy.tellMembers(of: new, replacing: old)
    else { return }
    tell(subject, keyPath: keyPath)
  }
}

// MARK: - Properties of any type

extension ObservationStateRegistrar {
  /// Sets a property, and tells its observers unless the new value is the old one in the eyes of both functions.
  public func mutate<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    mutate(subject, keyPath: keyPath, &value, newValue, isIdentityEqual, shouldNotifyObservers) {
      if ChangedCopy.isPart(of: $1, replacing: $2, since: $3) {
        $0.tell(subject, keyPath: keyPath)
      }
    }
  }

  /// Prepares a change in place and returns what is to be compared afterwards.
  public func willModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member
  }

  /// Tells the observers of a property if it has become another value in place.
  public func didModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if isIdentityEqual(oldValue, member),
      !ChangedCopy.isPart(of: member, replacing: oldValue, since: id.change)
    {
      return
    }
    tell(subject, keyPath: keyPath)
  }
}

// MARK: - States

extension ObservationStateRegistrar {
  /// Sets a property that is an observable state itself.
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    mutate(subject, keyPath: keyPath, &value, newValue, isIdentityEqual, shouldNotifyObservers) {
      $0.settle(subject, keyPath: keyPath, $1, replacing: $2, since: $3)
    }
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

  /// Tells the observers of a property if it has become another state in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if isIdentityEqual(oldValue, member) {
      settle(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    } else {
      tell(subject, keyPath: keyPath)
    }
  }
}

// MARK: - States that are there now and then

extension ObservationStateRegistrar {
  /// Sets a property that is an observable state now and then.
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value?,
    _ newValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool,
    _ shouldNotifyObservers: (Value?, Value?) -> Bool = { _, _ in true }
  ) {
    mutate(subject, keyPath: keyPath, &value, newValue, isIdentityEqual, shouldNotifyObservers) {
      guard let new = $1, let old = $2 else { return }
      $0.settle(subject, keyPath: keyPath, new, replacing: old, since: $3)
    }
  }

  /// Sets the box of what is presented.
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout PresentationState<Value>,
    _ newValue: PresentationState<Value>,
    _ isIdentityEqual: (PresentationState<Value>, PresentationState<Value>) -> Bool,
    _ shouldNotifyObservers: (PresentationState<Value>, PresentationState<Value>) -> Bool = {
      _,
      _ in true
    }
  ) {
    mutate(subject, keyPath: keyPath, &value, newValue, isIdentityEqual, shouldNotifyObservers) {
      guard let new = $1.wrappedValue, let old = $2.wrappedValue else { return }
      $0.settle(subject, keyPath: keyPath, new, replacing: old, since: $3)
    }
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

  /// Tells the observers of a property if it has become another state in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?,
    _ oldValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool
  ) {
    if !isIdentityEqual(oldValue, member) {
      tell(subject, keyPath: keyPath)
    } else if let member, let oldValue {
      settle(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    }
  }

  /// Tells the observers of what is presented if it has become another state in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>,
    _ oldValue: PresentationState<Value>,
    _ isIdentityEqual: (PresentationState<Value>, PresentationState<Value>) -> Bool
  ) {
    if !isIdentityEqual(oldValue, member) {
      tell(subject, keyPath: keyPath)
    } else if let member = member.wrappedValue, let oldValue = oldValue.wrappedValue {
      settle(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
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
