public import Observation

/// Notifies observers of an observable state's properties of changes.
///
/// ```swift
/// // What `@ObservableState` writes for `var count: Int`, in short.
/// var count: Int {
///   get {
///     _$observationRegistrar.access(self, keyPath: \.count)
///     return _count
///   }
///   set {
///     _$observationRegistrar._$willModify()
///     _$observationRegistrar.mutate(self, keyPath: \.count, &_count, newValue, _$isIdentityEqual)
///   }
///   _modify {
///     _$observationRegistrar._$willModify()
///     let old = _$observationRegistrar.willModify(self, keyPath: \.count, &_count)
///     defer { _$observationRegistrar.didModify(self, keyPath: \.count, &_count, old, _$isIdentityEqual) }
///     yield &_count
///   }
/// }
/// ```
///
/// A state that replaces another one is the same, a changed copy, or another state. Another state notifies the observers of
/// the property. A changed copy notifies the observers of its own properties: as it changes, if they observe it then, else
/// when it replaces the old one.
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
  /// Whether states may have observers: what a replay reduces has none, so that no change needs to be looked at.
  ///
  /// A task that a reducer starts inherits it. No effect runs in a replay, so that is code which no reducer should have.
  @TaskLocal package static var isObservable = true

  /// Whether states may have observers, for code of other modules.
  @usableFromInline
  static var notifiesObservers: Bool { isObservable }

  /// Notes that a property is read.
  public func access<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>
  ) {
    registrar.access(subject, keyPath: keyPath)
  }

  /// Notifies the observers of a property.
  @usableFromInline
  func notify<Subject: Observable, Member>(_ subject: Subject, keyPath: KeyPath<Subject, Member>) {
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
  ///   - notify: Notifies observers of changed copies among the same states, but only of changes up to `beginning`.
  func mutate<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool,
    notify: (_ registrar: Self, _ new: Value, _ old: Value, _ beginning: UInt64) -> Void
  ) {
    if !Self.isObservable || !shouldNotifyObservers(value, newValue) {
      value = newValue
    } else if isIdentityEqual(value, newValue) {
      notify(self, newValue, value, ObservableStateID.beginningOfWork)
      value = newValue
    } else {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
    }
  }

  /// Notifies observers of the differences between a state and the changed copy that replaces it.
  @usableFromInline
  func notifyOfChangedCopy<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ new: Value,
    replacing old: Value,
    since beginning: UInt64
  ) {
    guard new._$id.isChangedCopy(of: old._$id, since: beginning),
      !ChangedCopy.notifyMembers(of: new, replacing: old)
    else { return }
    notify(subject, keyPath: keyPath)
  }
}

// MARK: - Properties of any type

extension ObservationStateRegistrar {
  /// Sets a property, and notifies its observers unless both functions find the new value to be the old one.
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
        $0.notify(subject, keyPath: keyPath)
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

  /// Notifies the observers of a property if it has become another value in place.
  public func didModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    guard Self.isObservable else { return }
    if isIdentityEqual(oldValue, member),
      !ChangedCopy.isPart(of: member, replacing: oldValue, since: id.change)
    {
      return
    }
    notify(subject, keyPath: keyPath)
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
      $0.notifyOfChangedCopy(subject, keyPath: keyPath, $1, replacing: $2, since: $3)
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

  /// Notifies the observers of a property if it has become another state in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    guard Self.isObservable else { return }
    if isIdentityEqual(oldValue, member) {
      notifyOfChangedCopy(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    } else {
      notify(subject, keyPath: keyPath)
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
      $0.notifyOfChangedCopy(subject, keyPath: keyPath, new, replacing: old, since: $3)
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
      $0.notifyOfChangedCopy(subject, keyPath: keyPath, new, replacing: old, since: $3)
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

  /// Notifies the observers of a property if it has become another state in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?,
    _ oldValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool
  ) {
    guard Self.isObservable else { return }
    if !isIdentityEqual(oldValue, member) {
      notify(subject, keyPath: keyPath)
    } else if let member, let oldValue {
      notifyOfChangedCopy(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    }
  }

  /// Notifies the observers of a presented state if it has become another in place, or those of the state of a changed copy.
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>,
    _ oldValue: PresentationState<Value>,
    _ isIdentityEqual: (PresentationState<Value>, PresentationState<Value>) -> Bool
  ) {
    guard Self.isObservable else { return }
    if !isIdentityEqual(oldValue, member) {
      notify(subject, keyPath: keyPath)
    } else if let member = member.wrappedValue, let oldValue = oldValue.wrappedValue {
      notifyOfChangedCopy(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
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
