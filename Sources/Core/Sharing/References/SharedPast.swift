internal import ActionLog
import Foundation
import Synchronization

/// The shared values that a store shows as they were at a moment of the past.
///
/// Their own values stay where they are: effects read and change those, and no key is asked. Everything else, such as a view, reads
/// the shown values and cannot change them.
package final class SharedPast: Sendable {
  /// The values that are being moved to another moment: whatever is written is shown, and not changed.
  @TaskLocal static var moving: SharedPast?

  /// How many are in use: while there is none, a read or a write costs one look at this.
  private static let used = Atomic(0)

  static var isInUse: Bool { used.load(ordering: .acquiring) > 0 }

  private let references = Mutex<[ObjectIdentifier: any PastReference]>([:])
  private let refused = Atomic(false)
  private let refuse: @Sendable (_ name: String) -> Void

  /// No values.
  ///
  /// - Parameter refuse: Called with the name of the first value that something wants to change.
  init(refuse: @escaping @Sendable (_ name: String) -> Void) {
    self.refuse = refuse
    Self.used.wrappingAdd(1, ordering: .releasing)
  }

  /// No values.
  ///
  /// - Parameter location: The store, which issues name.
  convenience init(of location: IssueLocation) {
    self.init { name in reportIssue(Messages.changedInThePast(name), at: location) }
  }

  deinit { Self.used.wrappingSubtract(1, ordering: .releasing) }

  /// Notes a reference whose value is shown.
  func register(_ reference: some PastReference) {
    references.withLock { $0[ObjectIdentifier(reference)] = reference }
  }

  /// Shows the values that a state has now, whatever effects make of them.
  func capture<State>(with state: State) {
    guard !TypeCapabilities.of(State.self).isPlain else { return }
    let marking = SharedMarking(isVisible: false)
    SharedMarking.$current.withValue(marking) { _ = JSON(logging: state) }
    for reference in marking.references {
      (reference.root as? any PastReference)?.beginPast(self)
    }
  }

  /// Tells of a write that is refused.
  func noteRefusal(_ name: String) {
    if !refused.exchange(true, ordering: .relaxed) { refuse(name) }
  }

  /// Shows the values themselves again.
  ///
  /// - Parameter isKept: Whether the values become those that were shown, which keys save then.
  func release(keepingShown isKept: Bool) {
    let ended = references.withLock { references in
      defer { references = [:] }
      return references
    }
    for reference in ended.values { reference.endPast(keepingShown: isKept) }
  }
}

/// A reference that can show another value than its own.
protocol PastReference: AnyObject, Sendable {
  /// Shows the value of now until the past ends.
  func beginPast(_ past: SharedPast)
  /// Shows its own value again, or takes the shown one.
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

  /// A write in the past: it is shown when a timeline moves, an effect's own is the value's, and any other is refused.
  ///
  /// - Returns: The result of the write; `nil` for one that is made as always.
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

  /// Whether a save waits for the end of the past.
  func defersSave() -> Bool {
    SharedPast.isInUse
      && lock.withLock {
        shown?.needsSave = true
        return shown != nil
      }
  }
}
