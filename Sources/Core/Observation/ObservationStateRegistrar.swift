public import Observation

/// The identity and the observers of an observable state.
///
/// ```swift
/// // The code that `@ObservableState` generates for `var count: Int`, abbreviated.
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
/// A state that replaces another one is either the same value, a changed copy, or a different state. A different
/// state notifies the observers of the property. A changed copy notifies the observers of its own properties at the
/// time of the change. Observers that are added after the change are notified when the copy replaces the old state.
public struct ObservationStateRegistrar: Sendable {
  /// The identity of the state that contains this registrar.
  public private(set) var id = ObservableStateID()
  @usableFromInline let registrar = ObservationRegistrar()

  /// Creates the registrar of a new state.
  public init() {}

  /// Assigns a new change number to the state before it is changed in place.
  public mutating func _$willModify() {
    id._$willModify()
  }
}

extension ObservationStateRegistrar {
  /// Whether states in the current task can have observers.
  ///
  /// A replay sets the value to `false`, so that states aren't compared.
  ///
  /// Tasks that a reducer starts inherit the value. This is harmless, because a replay runs no effects, and reducers
  /// should not start tasks.
  @TaskLocal package static var isObservable = true

  /// The value of `isObservable` for code that is inlined into other modules.
  @usableFromInline
  static var notifiesObservers: Bool { isObservable }

  /// Registers the current observer for changes to a property that the observer reads.
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

  /// Sets a property that contains states, and notifies the observers if necessary.
  ///
  /// Values that contain the same states are not compared otherwise, because only changed copies notify observers then.
  ///
  /// - Parameters:
  ///   - subject: The state that contains the property.
  ///   - keyPath: The key path to the property.
  ///   - value: The storage of the property.
  ///   - newValue: The new value of the property.
  ///   - isIdentityEqual: A function that returns whether two values contain the same states.
  ///   - shouldNotifyObservers: A function that returns whether two values differ.
  ///   - notify: A function that notifies the observers of changed copies. Only changes up to `beginning` count.
  @inlinable
  func mutateStates<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool,
    notify: (_ new: Value, _ old: Value, _ beginning: UInt64) -> Void
  ) {
    if Self.notifiesObservers {
      if isIdentityEqual(value, newValue) {
        notify(newValue, value, ObservableStateID.beginningOfWork)
      } else if shouldNotifyObservers(value, newValue) {
        registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
        return
      }
    }
    value = newValue
  }

  /// Notifies the observers of the differences between a state and a changed copy that replaces it.
  @inlinable
  func notifyOfChangedCopy<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ new: Value,
    replacing old: Value,
    since beginning: UInt64
  ) {
    guard new._$id.isChangedCopy(of: old._$id, since: beginning) else { return }
    notifyMembers(subject, keyPath: keyPath, of: new, replacing: old)
  }

  @usableFromInline
  func notifyMembers<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    of new: Value,
    replacing old: Value
  ) {
    if ChangedCopyNotifier.notifyMembers(of: new, replacing: old) { return }
    notify(subject, keyPath: keyPath)
  }
}

// MARK: - Properties of any type

extension ObservationStateRegistrar {
  /// Sets a property of any type.
  ///
  /// Notifies the observers unless the values count as equal, or contain the same states without a changed copy.
  public func mutate<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    // Compares the values first, because it is slower to find out whether a value of any type contains states.
    guard Self.isObservable, shouldNotifyObservers(value, newValue) else {
      value = newValue
      return
    }
    guard isIdentityEqual(value, newValue) else {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
      return
    }
    let beginning = ObservableStateID.beginningOfWork
    if ChangedCopyNotifier.isPart(of: newValue, replacing: value, since: beginning) {
      notify(subject, keyPath: keyPath)
    }
    value = newValue
  }

  /// Returns the value of a property before a change in place, to be passed to `didModify`.
  public func willModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member
  }

  /// Notifies the observers of a property after its value has been changed in place.
  ///
  /// The observers are not notified if the value contains the same states without a changed copy.
  public func didModify<Subject: Observable, Member, Value>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    guard Self.isObservable else { return }
    if isIdentityEqual(oldValue, member),
      !ChangedCopyNotifier.isPart(of: member, replacing: oldValue, since: id.change)
    {
      return
    }
    notify(subject, keyPath: keyPath)
  }
}

// MARK: - States

extension ObservationStateRegistrar {
  /// Sets a property that is an observable state.
  ///
  /// Notifies observers only if the new state is a different one, or a changed copy of the old one.
  @inlinable
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool,
    _ shouldNotifyObservers: (Value, Value) -> Bool = { _, _ in true }
  ) {
    mutateStates(
      subject,
      keyPath: keyPath,
      &value,
      newValue,
      isIdentityEqual,
      shouldNotifyObservers
    ) {
      notifyOfChangedCopy(subject, keyPath: keyPath, $0, replacing: $1, since: $2)
    }
  }

  /// Assigns a new change number to a state and returns it, to be passed to `didModify` after a change in place.
  @inlinable
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value
  ) -> Value {
    member._$willModify()
    return member
  }

  /// Notifies the observers after a property that is an observable state has been changed in place.
  ///
  /// If the property contains another state, the observers of the property are notified. If the state is a changed
  /// copy, the observers of the state's own properties are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
    if isIdentityEqual(oldValue, member) {
      notifyOfChangedCopy(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    } else {
      notify(subject, keyPath: keyPath)
    }
  }
}

// MARK: - Optional and presented states

extension ObservationStateRegistrar {
  /// Sets a property that is an optional observable state.
  ///
  /// Notifies observers only if the new state is a different one, or a changed copy of the old one.
  @inlinable
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Value?,
    _ newValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool,
    _ shouldNotifyObservers: (Value?, Value?) -> Bool = { _, _ in true }
  ) {
    mutateStates(
      subject,
      keyPath: keyPath,
      &value,
      newValue,
      isIdentityEqual,
      shouldNotifyObservers
    ) {
      guard let new = $0, let old = $1 else { return }
      notifyOfChangedCopy(subject, keyPath: keyPath, new, replacing: old, since: $2)
    }
  }

  /// Sets the storage of a presented state.
  ///
  /// Notifies observers only if the new state is a different one, or a changed copy of the old one.
  @inlinable
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
    mutateStates(
      subject,
      keyPath: keyPath,
      &value,
      newValue,
      isIdentityEqual,
      shouldNotifyObservers
    ) {
      guard let new = $0.wrappedValue, let old = $1.wrappedValue else { return }
      notifyOfChangedCopy(subject, keyPath: keyPath, new, replacing: old, since: $2)
    }
  }

  /// Assigns a new change number to an optional state and returns it, to be passed to `didModify` after a change in
  /// place.
  @inlinable
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?
  ) -> Value? {
    member?._$willModify()
    return member
  }

  /// Assigns a new change number to a presented state and returns it, to be passed to `didModify` after a change in
  /// place.
  @inlinable
  public func willModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>
  ) -> PresentationState<Value> {
    member.wrappedValue?._$willModify()
    return member
  }

  /// Notifies the observers after a property that is an optional observable state has been changed in place.
  ///
  /// If the property contains another state, the observers of the property are notified. If the state is a changed
  /// copy, the observers of the state's own properties are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Value?,
    _ oldValue: Value?,
    _ isIdentityEqual: (Value?, Value?) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
    if !isIdentityEqual(oldValue, member) {
      notify(subject, keyPath: keyPath)
    } else if let member, let oldValue {
      notifyOfChangedCopy(subject, keyPath: keyPath, member, replacing: oldValue, since: id.change)
    }
  }

  /// Notifies the observers after a presented state has been changed in place.
  ///
  /// If the presentation contains another state, the observers of the property are notified. If the state is a changed
  /// copy, the observers of the state's own properties are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout PresentationState<Value>,
    _ oldValue: PresentationState<Value>,
    _ isIdentityEqual: (PresentationState<Value>, PresentationState<Value>) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
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

  /// Creates a new registrar without reading data from the decoder.
  public init(from decoder: any Decoder) throws { self.init() }

  /// Encodes no data.
  public func encode(to encoder: any Encoder) throws {}
}
