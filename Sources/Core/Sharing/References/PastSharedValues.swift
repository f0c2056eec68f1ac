internal import ActionLog
import Foundation
import Synchronization

/// The shared values that a store shows while a timeline is in the past.
///
/// The actual values still exist. Effects read and change them, but keys aren't called. All other code, such as a view,
/// reads the shown values and can't change them.
package final class PastSharedValues: Sendable {
  /// The instance whose timeline is currently moving.
  ///
  /// During a move, writes change the shown values and not the actual ones.
  @TaskLocal static var moving: PastSharedValues?

  /// The number of instances in use.
  ///
  /// If it is zero, a read or a write costs only one atomic load.
  private static let used = Atomic(0)

  static var isInUse: Bool { used.load(ordering: .acquiring) > 0 }

  private let references = Mutex<[ObjectIdentifier: any PastValueReference]>([:])
  private let refused = Atomic(false)
  private let refuse: @Sendable (_ name: String) -> Void

  /// Creates an instance that shows no values.
  ///
  /// - Parameter refuse: A closure that is called with the name of the first value whose change is refused.
  init(refuse: @escaping @Sendable (_ name: String) -> Void) {
    self.refuse = refuse
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Creates an instance that shows no values and reports refused changes as an issue.
  ///
  /// - Parameter location: The source location of the store, to which the issue is attributed.
  convenience init(of location: IssueLocation) {
    self.init { name in reportIssue(Messages.changedInThePast(name), at: location) }
  }

  deinit { Self.used.wrappingSubtract(1, ordering: .releasing) }

  /// Stores a reference that shows a past value, so that `release(keepingShown:)` can end the past of the reference.
  func register(_ reference: some PastValueReference) {
    references.withLock { $0[ObjectIdentifier(reference)] = reference }
  }

  /// Makes the shared values of a state show their current values, regardless of later changes by effects.
  func capture<State>(with state: State) {
    guard !TypeCapabilities.of(State.self).isPlain else { return }
    let marking = SharedValueCollector(isVisible: false)
    SharedValueCollector.$current.withValue(marking) { _ = JSON(logging: state) }
    for reference in marking.references {
      (reference.root as? any PastValueReference)?.beginPast(self)
    }
  }

  /// Reports that a write was refused, if it is the first refused write of this instance.
  func noteRefusal(_ name: String) {
    if !refused.exchange(true, ordering: .relaxed) { refuse(name) }
  }

  /// Ends the past, so that shared values show their actual values again.
  ///
  /// - Parameter isKept: Whether the shown values become the actual values, which keys then save.
  func release(keepingShown isKept: Bool) {
    let ended = references.withLock { references in
      defer { references = [:] }
      return references
    }
    for reference in ended.values { reference.endPast(keepingShown: isKept) }
  }
}

/// A reference that can show a past value in place of its actual value.
protocol PastValueReference: AnyObject, Sendable {
  /// Makes the reference show its current value until `endPast` is called.
  func beginPast(_ past: PastSharedValues)
  /// Makes the reference show its actual value again.
  ///
  /// If `isKept` is `true`, the shown value first replaces the actual value.
  func endPast(keepingShown isKept: Bool)
}

extension SharedRoot: PastValueReference {
  func beginPast(_ past: PastSharedValues) {
    let begins = lock.withLock {
      guard shown == nil else { return false }
      shown = ShownValue(value: value, past: past)
      return true
    }
    if begins { past.register(self) }
  }

  func endPast(keepingShown isKept: Bool) {
    let (old, new, needsSave) = lock.withLock {
      let shown = self.shown
      self.shown = nil
      let before = value
      if isKept, let shown { takeShown(shown.value) }
      return (shown?.value ?? before, value, isKept || shown?.needsSave == true)
    }
    if isEqual(old, new) != true { notifyOfReplacement() }
    if needsSave { saveChange() }
  }

  /// Applies a write while a timeline is in the past.
  ///
  /// A move of the timeline changes the shown value. An effect changes the actual value. Any other write is refused.
  ///
  /// - Returns: The result of the closure, or `nil` if the caller must change the actual value.
  func changeInPast<R>(_ change: (inout Value) throws -> R) rethrows -> R? {
    if let past = PastSharedValues.moving {
      let (result, old, new) = try lock.withLock {
        let old = shown?.value ?? value
        var changed = old
        let result = try change(&changed)
        shown = ShownValue(value: changed, past: past, needsSave: shown?.needsSave ?? false)
        return (result, old, changed)
      }
      past.register(self)
      if identity?.hasNotified(new, replacing: old, since: 0) != true { notifyOfReplacement() }
      return result
    }
    guard EffectContext.current == nil, let shown = lock.withLock({ self.shown }) else {
      return nil
    }
    var copy = shown.value
    let result = try change(&copy)
    shown.past.noteRefusal(name)
    return result
  }

  /// Returns whether a save must wait until the past ends, and if so, marks the value to be saved then.
  func defersSave() -> Bool {
    PastSharedValues.isInUse
      && lock.withLock {
        shown?.needsSave = true
        return shown != nil
      }
  }
}
