import Foundation
public import Observation

// Each change to a row passes through this code, which compares the rows once and with their static type if possible.

/// The kind of difference between a list of states and the list that it replaces.
@usableFromInline
enum StateListChange {
  /// The list contains other states, or the same states in another order.
  case otherStates
  /// The list contains the same states, which have already notified their observers of all changes.
  case sameStates
  /// The list contains the same states, and some are changed copies whose observers must be notified.
  case changedCopies
}

extension StateListChange {
  /// Compares a run of a list with the run that it replaces, and updates the kind of change.
  ///
  /// - Returns: Whether the run contains the same states.
  @inlinable
  mutating func inspect<State: ObservableState>(
    _ new: Span<State>,
    replacing old: Span<State>,
    since beginning: UInt64
  ) -> Bool {
    for index in differingRange(new, old) {
      let (newID, oldID) = (new[index]._$id, old[index]._$id)
      if newID != oldID {
        if isEqualWithoutIdentity(new[index], old[index]) { continue }
        self = .otherStates
        return false
      }
      if newID.isChangedCopy(of: oldID, since: beginning) { self = .changedCopies }
    }
    return true
  }
}

/// Returns a range outside of which the elements of two runs of equal length have the same bits, and thus are copies.
@inlinable
func differingRange<Element>(_ new: Span<Element>, _ old: Span<Element>) -> Range<Int> {
  new.withUnsafeBufferPointer { new in
    old.withUnsafeBufferPointer { old in
      guard let start = new.baseAddress, let oldStart = old.baseAddress else { return 0..<0 }
      return differingElements(
        start,
        oldStart,
        count: new.count,
        stride: MemoryLayout<Element>.stride,
        size: MemoryLayout<Element>.size
      )
    }
  }
}

@usableFromInline
func differingElements(
  _ new: UnsafeRawPointer,
  _ old: UnsafeRawPointer,
  count: Int,
  stride: Int,
  size: Int
) -> Range<Int> {
  func isSame(_ index: Int) -> Bool {
    memcmp(new + index * stride, old + index * stride, size) == 0
  }
  var (start, end) = (0, count)
  while start < end, isSame(start) { start += 1 }
  while start < end, isSame(end - 1) { end -= 1 }
  return start..<end
}

extension Array where Element: ObservableState {
  @inlinable
  func change(from old: [Element], since beginning: UInt64) -> StateListChange {
    guard count == old.count else { return .otherStates }
    var change = StateListChange.sameStates
    if !span.isIdentical(to: old.span) {
      _ = change.inspect(span, replacing: old.span, since: beginning)
    }
    return change
  }
}

extension StackState where Element: ObservableState {
  /// Returns the kind of change from an old stack to this one.
  @inlinable
  func change(from old: StackState, since beginning: UInt64) -> StateListChange {
    guard ids == old.ids else { return .otherStates }
    return elements.change(from: old.elements, since: beginning)
  }
}

extension IdentifiedArray where Element: ObservableState {
  /// Returns the kind of change from an old array to this one.
  ///
  /// Storage that both arrays share is skipped.
  @inlinable
  func change(from old: IdentifiedArray, since beginning: UInt64) -> StateListChange {
    guard ids == old.ids else { return .otherStates }
    var change = StateListChange.sameStates
    _ = storage.allRuns(with: old.storage) {
      change.inspect($0, replacing: $1, since: beginning)
    }
    return change
  }
}

extension ObservationStateRegistrar {
  /// Notifies the observers of a list that contains other states, or the observers of the changed copies in the list.
  @inlinable
  func notify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ change: StateListChange,
    of new: @autoclosure () -> [Value],
    replacing old: @autoclosure () -> [Value],
    since beginning: UInt64
  ) {
    switch change {
    case .otherStates: notify(subject, keyPath: keyPath)
    case .sameStates: break
    case .changedCopies:
      for (new, old) in zip(new(), old()) {
        notifyOfChangedCopy(subject, keyPath: keyPath, new, replacing: old, since: beginning)
      }
    }
  }
}

extension ObservationStateRegistrar {
  /// Sets a property that is a list of states, and notifies the observers if necessary.
  ///
  /// The lists are compared by the identities of their states first, which is faster than a comparison of their contents.
  @inlinable
  func mutateList<Subject: Observable, Member, List, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout List,
    _ newValue: List,
    _ shouldNotifyObservers: (List, List) -> Bool,
    change: (_ new: List, _ old: List, _ beginning: UInt64) -> StateListChange,
    elements: (List) -> [Value]
  ) {
    guard Self.notifiesObservers else {
      value = newValue
      return
    }
    let beginning = ObservableStateID.beginningOfWork
    let change = change(newValue, value, beginning)
    if case .otherStates = change, shouldNotifyObservers(value, newValue) {
      registrar.withMutation(of: subject, keyPath: keyPath) { value = newValue }
      return
    }
    if case .changedCopies = change {
      notify(
        subject,
        keyPath: keyPath,
        change,
        of: elements(newValue),
        replacing: elements(value),
        since: beginning
      )
    }
    value = newValue
  }
}

// MARK: - Arrays

extension ObservationStateRegistrar {
  /// Sets a property that is an array of states.
  ///
  /// Notifies observers only if the new array contains other states or changed copies.
  @inlinable
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout [Value],
    _ newValue: [Value],
    _ isIdentityEqual: ([Value], [Value]) -> Bool,
    _ shouldNotifyObservers: ([Value], [Value]) -> Bool = { _, _ in true }
  ) {
    mutateList(subject, keyPath: keyPath, &value, newValue, shouldNotifyObservers) {
      $0.change(from: $1, since: $2)
    } elements: {
      $0
    }
  }

  /// Notifies the observers after an array of states has been changed in place.
  ///
  /// If states were added, removed, replaced, or reordered, the observers of the property are notified. Otherwise, the
  /// observers of the changed copies in the array are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout [Value],
    _ oldValue: [Value],
    _: ([Value], [Value]) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
    let new = member
    let change = new.change(from: oldValue, since: id.change)
    notify(subject, keyPath: keyPath, change, of: new, replacing: oldValue, since: id.change)
  }
}

// MARK: - Identified arrays

extension ObservationStateRegistrar {
  /// Sets a property that is an identified array of states.
  ///
  /// Notifies observers only if the new array contains other states or changed copies.
  @inlinable
  public func mutate<Subject: Observable, Member, ID, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout IdentifiedArray<ID, Value>,
    _ newValue: IdentifiedArray<ID, Value>,
    _ isIdentityEqual: (IdentifiedArray<ID, Value>, IdentifiedArray<ID, Value>) -> Bool,
    _ shouldNotifyObservers: (IdentifiedArray<ID, Value>, IdentifiedArray<ID, Value>) -> Bool = {
      _,
      _ in true
    }
  ) {
    mutateList(subject, keyPath: keyPath, &value, newValue, shouldNotifyObservers) {
      $0.change(from: $1, since: $2)
    } elements: {
      $0.elements
    }
  }

  /// Notifies the observers after an identified array of states has been changed in place.
  ///
  /// If states were added, removed, replaced, or reordered, the observers of the property are notified. Otherwise, the
  /// observers of the changed copies in the array are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, ID, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout IdentifiedArray<ID, Value>,
    _ oldValue: IdentifiedArray<ID, Value>,
    _: (IdentifiedArray<ID, Value>, IdentifiedArray<ID, Value>) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
    let new = member
    notify(
      subject,
      keyPath: keyPath,
      member.change(from: oldValue, since: id.change),
      of: new.elements,
      replacing: oldValue.elements,
      since: id.change
    )
  }
}

// MARK: - Stacks

extension ObservationStateRegistrar {
  /// Sets a property that is a stack of states.
  ///
  /// Notifies observers only if the new stack contains other states or changed copies.
  @inlinable
  public func mutate<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout StackState<Value>,
    _ newValue: StackState<Value>,
    _ isIdentityEqual: (StackState<Value>, StackState<Value>) -> Bool,
    _ shouldNotifyObservers: (StackState<Value>, StackState<Value>) -> Bool = { _, _ in true }
  ) {
    mutateList(subject, keyPath: keyPath, &value, newValue, shouldNotifyObservers) {
      $0.change(from: $1, since: $2)
    } elements: {
      $0.elements
    }
  }

  /// Notifies the observers after a stack of states has been changed in place.
  ///
  /// If elements were added, removed, replaced, or reordered, the observers of the property are notified. Otherwise, the
  /// observers of the changed copies in the stack are notified.
  @inlinable
  public func didModify<Subject: Observable, Member, Value: ObservableState>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout StackState<Value>,
    _ oldValue: StackState<Value>,
    _: (StackState<Value>, StackState<Value>) -> Bool
  ) {
    guard Self.notifiesObservers else { return }
    let change = member.change(from: oldValue, since: id.change)
    let (new, old) = (member.elements, oldValue.elements)
    notify(subject, keyPath: keyPath, change, of: new, replacing: old, since: id.change)
  }
}
