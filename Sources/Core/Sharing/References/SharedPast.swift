internal import ActionLog
import Foundation
import Synchronization

/// The shared values that a store shows while a timeline is in the past.
///
/// The actual values remain: effects read and change them, and no key is called. All other code, such as a view, reads
/// the shown values and can't change them.
package final class SharedPast: Sendable {
  /// The instance whose timeline is moving.
  ///
  /// During a move, writes change the shown values instead of the actual ones.
  @TaskLocal static var moving: SharedPast?

  /// The number of instances in use.
  ///
  /// While it is zero, a read or a write costs a single atomic load.
  private static let used = Atomic(0)

  static var isInUse: Bool { used.load(ordering: .acquiring) > 0 }

  private let references = Mutex<[ObjectIdentifier: any PastReference]>([:])
  private let refused = Atomic(false)
  private let refuse: @Sendable (_ name: String) -> Void

  /// Creates an instance that shows no values.
  ///
  /// - Parameter refuse: Called with the name of the first value whose change is refused.
  init(refuse: @escaping @Sendable (_ name: String) -> Void) {
    self.refuse = refuse
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// Creates an instance that shows no values and reports refused changes as an issue.
  ///
  /// - Parameter location: The source location of the store, which the issue names.
  convenience init(of location: IssueLocation) {
    self.init { name in reportIssue(Messages.changedInThePast(name), at: location) }
  }

  deinit { Self.used.wrappingSubtract(1, ordering: .releasing) }

  /// Records a reference whose value is shown.
  func register(_ reference: some PastReference) {
    references.withLock { $0[ObjectIdentifier(reference)] = reference }
  }

  /// Shows the current values of a state, regardless of later changes by effects.
  func capture<State>(with state: State) {
    guard !TypeCapabilities.of(State.self).isPlain else { return }
    let marking = SharedMarking(isVisible: false)
    SharedMarking.$current.withValue(marking) { _ = JSON(logging: state) }
    for reference in marking.references {
      (reference.root as? any PastReference)?.beginPast(self)
    }
  }

  /// Reports a refused write.
  ///
  /// Only the first one of an instance is reported.
  func noteRefusal(_ name: String) {
    if !refused.exchange(true, ordering: .relaxed) { refuse(name) }
  }

  /// Shows the actual values again.
  ///
  /// - Parameter isKept: Whether the shown values become the actual ones. Keys then save them.
  func release(keepingShown isKept: Bool) {
    let ended = references.withLock { references in
      defer { references = [:] }
      return references
    }
    for reference in ended.values { reference.endPast(keepingShown: isKept) }
  }
}

/// A reference that can show a past value in place of its own.
protocol PastReference: AnyObject, Sendable {
  /// Shows the current value until the past ends.
  func beginPast(_ past: SharedPast)
  /// Shows the actual value again, or replaces it with the shown one.
  func endPast(keepingShown isKept: Bool)
}

extension SharedRoot: PastReference {
  func beginPast(_ past: SharedPast) {
    let begins = lock.withLock {
      guard shown == nil else { return false }
      shown = Shown(value: value, past: past)
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

  /// Handles a write while a timeline is in the past.
  ///
  /// A move of the timeline changes the shown value. An effect changes the actual value. Any other write is refused.
  ///
  /// - Returns: The result of the write, or `nil` if the caller must write to the actual value.
  func changeInPast<R>(_ change: (inout Value) throws -> R) rethrows -> R? {
    if let past = SharedPast.moving {
      let (result, old, new) = try lock.withLock {
        let old = shown?.value ?? value
        var changed = old
        let result = try change(&changed)
        shown = Shown(value: changed, past: past, needsSave: shown?.needsSave ?? false)
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

  /// Whether a save must wait until the past ends.
  func defersSave() -> Bool {
    SharedPast.isInUse
      && lock.withLock {
        shown?.needsSave = true
        return shown != nil
      }
  }
}
