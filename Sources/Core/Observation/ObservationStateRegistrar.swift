public import Observation

/// The identity and the observers of an observable state.
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
/// When a state replaces another one, it is either the same value, a changed copy, or a different state. A different
/// state notifies the observers of the property. A changed copy notifies the observers of its own properties:
/// immediately if they exist at the time of the change, and otherwise when it replaces the old state.
public struct ObservationStateRegistrar: Sendable {
  /// The identity of the state that owns this registrar.
  public private(set) var id = ObservableStateID()
  private let registrar = ObservationRegistrar()

  /// Creates the registrar of a new value.
  public init() {}

  /// Assigns a new change number to the state before it is changed in place.
  public mutating func _$willModify() {
    id._$willModify()
  }
}

extension ObservationStateRegistrar {
  /// Whether states can have observers.
  ///
  /// A replay sets `false`, so that changes are not compared.
  ///
  /// Tasks that a reducer starts inherit the value. This is harmless, because a replay runs no effects, and a reducer
  /// should not start tasks.
  @TaskLocal package static var isObservable = true

  /// The value of `isObservable` for code that is inlined into other modules.
  @usableFromInline
  static var notifiesObservers: Bool { isObservable }

  /// Registers a read of a property.
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

  /// Sets a property and notifies the observers.
  ///
  /// - Parameters:
  ///   - subject: The owner of the property.
  ///   - keyPath: The key path to the property.
  ///   - value: The property's storage.
  ///   - newValue: The new value.
  ///   - isIdentityEqual: Returns whether both values hold the same states.
  ///   - shouldNotifyObservers: Returns whether the values differ.
  ///   - notify: Notifies the observers of changed copies among the same states, for changes up to `beginning`.
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

  /// Notifies the observers of the differences between a state and the changed copy that replaces it.
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
  /// Sets a property and notifies its observers, unless one of the functions finds that the value has not changed.
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

  /// Prepares a change in place and returns the value to compare with afterwards.
  public func willModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member
  }

  /// Notifies the observers of a property whose value was replaced by a change in place.
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
  /// Sets a property that is an observable state and notifies the observers.
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

  /// Prepares a change in place of an observable state and returns the value to compare with afterwards.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member._$willModify()
    return member
  }

  /// Notifies the observers of a property that became another state in place, or those in the state if it is a changed
  /// copy.
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
  /// Sets a property that is an optional observable state and notifies the observers.
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

  /// Sets the storage of a presented state and notifies the observers.
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

  /// Prepares a change in place of an optional observable state and returns the value to compare with afterwards.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?
  ) -> Value? {
    member?._$willModify()
    return member
  }

  /// Prepares a change in place of a presented state and returns the value to compare with afterwards.
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>
  ) -> PresentationState<Value> {
    member.wrappedValue?._$willModify()
    return member
  }

  /// Notifies the observers of a property that became another state in place, or those in the state if it is a changed
  /// copy.
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

  /// Notifies the observers of a presented state that became another one in place, or those in it if it is a changed
  /// copy.
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
  /// Returns `true`, because registrars are not part of a state's value.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }

  /// Hashes no data, because registrars are not part of a state's value.
  public func hash(into hasher: inout Hasher) {}

  /// Creates a new registrar without reading data.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Encodes no data.
  public func encode(to encoder: any Encoder) throws {}
}
