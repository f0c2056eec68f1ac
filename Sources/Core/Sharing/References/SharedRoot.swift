import Foundation
import Observation
import Synchronization

/// A value that is shared, and what is known of its key.
///
/// Unchecked, and no `Mutex`: the lock is recursive, because what runs under it is the user's and may read the value.
final class SharedRoot<Value>: @unchecked Sendable, Observable {
  private let lock = NSRecursiveLock()
  private var value: Value { didSet { written = SharedStamp.next() } }
  /// Which write the value comes from.
  private var written = SharedStamp.next()
  private var isChanging = false
  private var changes = SharedHistory()
  /// The last own change that the key has; not under the lock, which keys must not wait for.
  private let handedOver = Atomic(0)

  /// What logs and tests call the reference.
  let name: String
  /// The key, unless it must not be asked.
  let key: (any SharedReaderKey<Value>)?
  /// The value that holds when the key has none.
  let initialValue: Value
  let status = LockIsolated(SharedStatus())
  let registrar = ObservationRegistrar()
  private let identity = StateIdentity<Value>.make()
  private let startLock = NSRecursiveLock()
  private var isStarted = false
  /// What runs when the last reference is gone.
  private let didEnd: (@Sendable () -> Void)?

  init(
    _ value: Value,
    key: (any SharedReaderKey<Value>)? = nil,
    isConnected: Bool = true,
    didEnd: (@Sendable () -> Void)? = nil
  ) {
    self.value = value
    self.key = isConnected ? key : nil
    name = key.map { SharedKeyName.of($0) } ?? "\(Value.self)"
    initialValue = value
    self.didEnd = didEnd
  }

  deinit {
    status.withValue { $0.subscription }?.cancel()
    didEnd?()
  }

  /// Loads and subscribes, the first time.
  ///
  /// Others wait for that, but not for a load that ends later.
  ///
  /// - Parameter loads: Whether to load, and not to leave that to a call of `load()`.
  func start(loads: Bool) {
    startLock.withLock {
      guard !isStarted else { return }
      isStarted = true
      startKey(loads: loads)
    }
  }
}

extension SharedRoot: SharedRootReference {
  var erasedValue: Any { real }

  func access() { registrar.access(self, keyPath: \.real) }

  func tellOfReplacement() { registrar.withMutation(of: self, keyPath: \.real) {} }
}

extension SharedRoot: WritableReference {
  var root: any SharedRootReference { self }
  var parts: [SharedPart]? { [] }

  var current: Value { SharedChangeTracker.asserting?.snapshot(of: self) ?? real }

  /// The value, whatever a test asserts.
  var real: Value { lock.withLock { value } }

  var stamp: UInt64? {
    // What a test asserts is written to a snapshot.
    SharedChangeTracker.asserting == nil ? lock.withLock { written } : nil
  }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    if let tracker = SharedChangeTracker.asserting {
      return try tracker.changeSnapshot(of: self, change)
    }
    let tracker = DependencyValues._current[key: SharedChangeTrackerKey.self] ?? nil
    let beginning = ObservableStateID.lastChange
    var values: (old: Value, new: Value)?
    defer {
      // The observers of an observable state's properties have heard of it from these.
      let hasTold =
        values.flatMap { identity?.hasTold($0.new, replacing: $0.old, since: beginning) } ?? false
      didChange(isNews: !hasTold, isOwn: true)
    }
    return try lock.withLock {
      if isChanging { reportIssue(Messages.changedInsideOwnLock(name)) }
      let isNested = isChanging
      isChanging = true
      // A copy, so that a read from inside the closure is no overlapping access.
      let before = value
      var changed = value
      defer {
        value = changed
        changes.addOwn()
        isChanging = isNested
        values = (before, changed)
        tracker?.note(self, before: before)
      }
      return try change(&changed)
    }
  }

  /// Takes a value that comes from elsewhere.
  func replace(with newValue: Value) {
    replace(with: newValue) { _ in true }
  }

  /// Takes a value that comes from elsewhere, if it is still wanted when nothing can change the value.
  ///
  /// - Returns: Whether it was.
  @discardableResult
  func replace(with newValue: Value, where isWanted: (SharedHistory) -> Bool) -> Bool {
    let isTaken = lock.withLock {
      guard isWanted(changes) else { return false }
      value = newValue
      changes.add()
      return true
    }
    if isTaken { didChange(isNews: true, isOwn: false) }
    return isTaken
  }

  private func didChange(isNews: Bool, isOwn: Bool) {
    // Afterwards and not under the lock: whoever begins to observe meanwhile reads the new value, and observers may do
    // what they like.
    if isNews { registrar.withMutation(of: self, keyPath: \.real) {} }
    if isOwn { saveChange() }
  }
}

/// Numbers for the writes of all shared values, none of which is given twice.
private enum SharedStamp {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// How often a shared value has changed.
struct SharedHistory: Sendable {
  /// The number of changes.
  private(set) var version = 0
  /// The last change that was made here, and not taken from elsewhere.
  fileprivate private(set) var lastOwn = 0

  /// Whether the value has been changed here.
  var isChanged: Bool { lastOwn > 0 }

  fileprivate mutating func add() { version += 1 }

  fileprivate mutating func addOwn() {
    version += 1
    lastOwn = version
  }
}

extension SharedRoot {
  /// How often the value has changed until now.
  var history: SharedHistory { lock.withLock { changes } }

  /// The value and its history, at one moment.
  var valueWithHistory: (Value, SharedHistory) { lock.withLock { (value, changes) } }

  /// Notes that the key has all own changes of a history.
  func handOver(_ history: SharedHistory) {
    handedOver.max(history.lastOwn, ordering: .acquiringAndReleasing)
  }

  /// Whether the key has all own changes of a history.
  func isHandedOver(_ history: SharedHistory) -> Bool {
    handedOver.load(ordering: .acquiring) >= history.lastOwn
  }
}
