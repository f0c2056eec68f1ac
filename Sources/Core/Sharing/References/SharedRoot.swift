import Foundation
import Observation
import Synchronization

/// The storage of a shared value and the status of its key.
///
/// Unchecked, and not a `Mutex`: the lock must be recursive, because code of the app that runs while the lock is held
/// may read the value.
final class SharedRoot<Value>: @unchecked Sendable, Observable {
  let lock = NSRecursiveLock()
  private(set) var value: Value {
    didSet { written = WriteStamp.next(of: ObjectIdentifier(self)) }
  }
  /// The value that readers see in place of the actual one while a timeline is in the past; `nil` in the present.
  var shown: ShownValue?

  /// A past value that a reference shows.
  struct ShownValue {
    let value: Value
    let past: PastSharedValues
    /// Whether the actual value has changed and must be saved when the past ends.
    var needsSave = false
  }

  /// The number of the last write to the value.
  private var written = WriteStamp.next(of: nil)
  private var isChanging = false
  private var changes = SharedHistory()
  /// The version of the last local change that the key has received.
  ///
  /// The lock doesn't protect this value, because keys must not wait for the lock.
  private let handedOver = Atomic(0)

  /// The name of the shared value in logs and in messages of tests.
  let name: String
  /// The key that loads and saves the value; `nil` if the value has no key, or if keys must not be called.
  private let key: (any SharedReaderKey<Value>)?
  /// The key if it also saves the value, looked up once because the cast is slow.
  private let savingKey: (any SharedKey<Value>)?
  /// The default value, which applies if the key has no value.
  private let initialValue: Value
  private let status = LockIsolated(SharedStatus())
  private let registrar = ObservationRegistrar()
  let identity = StateIdentityComparison<Value>.make()
  private let startLock = NSRecursiveLock()
  private var isStarted = false
  /// A closure that is called when the last reference to the value is released.
  private let didEnd: (@Sendable () -> Void)?

  init(
    _ value: Value,
    key: (any SharedReaderKey<Value>)? = nil,
    isConnected: Bool = true,
    didEnd: (@Sendable () -> Void)? = nil
  ) {
    self.value = value
    self.key = isConnected ? key : nil
    savingKey = isConnected ? key as? any SharedKey<Value> : nil
    name = key.map { SharedKeyName.of($0) } ?? "\(Value.self)"
    initialValue = value
    self.didEnd = didEnd
  }

  deinit {
    status.withValue { $0.subscription }?.cancel()
    didEnd?()
  }

  /// At the first call, loads the value and subscribes to changes.
  ///
  /// Concurrent callers wait until the subscription exists, but not for the end of an asynchronous load.
  ///
  /// - Parameter loads: Whether to load the value. Pass `false` if the caller calls `load()` next.
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
  var mayHoldObjects: Bool { !ReferenceTypeDetector.hasNoReferences(Value.self) }

  func access() { registrar.access(SharedObservedProperties(), keyPath: \.value) }

  func notifyOfReplacement() {
    registrar.withMutation(of: SharedObservedProperties(), keyPath: \.value) {}
  }
}

extension SharedRoot: WritableReference {
  var root: any SharedRootReference { self }
  var parts: [SharedPathComponent]? { [] }

  var current: Value { SharedChangeTracker.asserting?.snapshot(of: self) ?? real }

  /// The actual value, even during the assertion of a test.
  ///
  /// While a timeline is in the past, the property is the shown value, except in effects.
  var real: Value {
    lock.withLock {
      guard let shown, EffectContext.current == nil else { return value }
      return shown.value
    }
  }

  var stamp: UInt64? {
    // The stamp is `nil` during the assertion of a test, which writes to a snapshot.
    SharedChangeTracker.asserting == nil ? lock.withLock { written } : nil
  }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    if let tracker = SharedChangeTracker.asserting {
      return try tracker.changeSnapshot(of: self, change)
    }
    if PastSharedValues.isInUse, let result = try changeInPast(change) { return result }
    let tracker = DependencyValues._current[key: SharedChangeTrackerKey.self] ?? nil
    SharedJournal.recordWrite(self)
    let beginning = ObservableStateID.lastChange
    var values: (old: Value, new: Value)?
    defer {
      // Observers of an observable state's properties have already been notified by the state itself.
      let hasNotified =
        values.flatMap { identity?.hasNotified($0.new, replacing: $0.old, since: beginning) }
        ?? false
      didChange(notifies: !hasNotified, isOwn: true)
    }
    return try lock.withLock {
      if isChanging { reportIssue(Messages.changedInsideOwnLock(name)) }
      let isNested = isChanging
      isChanging = true
      // Copies the value, because reading it inside the closure would otherwise be an overlapping access.
      let before = value
      var changed = value
      defer {
        value = changed
        changes.addOwn()
        isChanging = isNested
        values = (before, changed)
        tracker?.recordChange(self, before: before)
      }
      return try change(&changed)
    }
  }

  /// Replaces the value with one that the app's own code didn't set, such as a loaded value.
  func replace(with newValue: Value) {
    if PastSharedValues.moving != nil, changeInPast({ $0 = newValue }) != nil { return }
    replace(with: newValue) { _ in true }
  }

  /// Replaces the value if a condition holds, which is checked while the lock is held.
  @discardableResult
  private func replace(with newValue: Value, where isWanted: (SharedHistory) -> Bool) -> Bool {
    SharedJournal.recordWrite(self)
    let isTaken = lock.withLock {
      guard isWanted(changes) else { return false }
      value = newValue
      changes.add()
      return true
    }
    if isTaken { didChange(notifies: true, isOwn: false) }
    return isTaken
  }

  /// Replaces the actual value with the shown value.
  ///
  /// The caller must hold the lock.
  func takeShown(_ shown: Value) {
    value = shown
    changes.addOwn()
  }

  private func didChange(notifies: Bool, isOwn: Bool) {
    // Notifies after the change, so that observers read the new value, and without the lock, because they may run any
    // code.
    if notifies, !isShowingPast { notifyOfReplacement() }
    if isOwn { saveChange() }
  }
}

extension SharedRoot {
  private var isShowingPast: Bool { PastSharedValues.isInUse && lock.withLock { shown != nil } }
}

extension SharedRoot: JournaledObject {
  var journaled: Any { real }

  func restore(_ contents: Any) {
    guard let contents = contents as? Value else { return }
    lock.withLock { value = contents }
  }
}

extension SharedRoot {
  /// The change history of the value up to now.
  private var history: SharedHistory { lock.withLock { changes } }

  /// The value and its change history, read together.
  private var valueWithHistory: (Value, SharedHistory) { lock.withLock { (value, changes) } }

  /// Marks all local changes in a history as received by the key.
  private func handOver(_ history: SharedHistory) {
    handedOver.max(history.lastOwn, ordering: .acquiringAndReleasing)
  }

  /// Returns whether the key has received all local changes in a history.
  private func isHandedOver(_ history: SharedHistory) -> Bool {
    handedOver.load(ordering: .acquiring) >= history.lastOwn
  }
}

extension SharedRoot {
  var isLoading: Bool { read { $0.loads > 0 || $0.isAwaited } }
  var loadError: (any Error)? { read(\.loadError) }
  var saveError: (any Error)? { read(\.saveError) }

  private func read<Member>(_ member: (SharedStatus) -> Member) -> Member {
    registrar.access(SharedObservedProperties(), keyPath: \.status)
    return status.withValue { member($0) }
  }

  private func updateStatus(_ body: (inout SharedStatus) -> Void) {
    status.withValue(body)
    registrar.withMutation(of: SharedObservedProperties(), keyPath: \.status) {}
  }

  private func startKey(loads: Bool) {
    guard let key else { return }
    func open<Key: SharedReaderKey<Value>>(_ key: Key) {
      let context: LoadContext<Value> = loads ? .initialValue(initialValue) : .userInitiated
      if loads { beginLoad(key, context) { _ in } }
      let subscriber = SharedSubscriber<Value> { [weak self] update in
        _ = self?.apply(update, from: .subscription)
      } setLoading: { [weak self] isLoading in
        self?.updateStatus { $0.isAwaited = isLoading }
      }
      let subscription = key.subscribe(context: context, subscriber: subscriber)
      status.withValue { $0.subscription = subscription }
    }
    open(key)
  }

  func load() async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      load { continuation.resume(with: $0) }
    }
  }

  func load(then finish: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    guard let key else { return finish(.success(())) }
    beginLoad(key, .userInitiated, then: finish)
  }

  private func beginLoad(
    _ key: some SharedReaderKey<Value>,
    _ context: LoadContext<Value>,
    then finish: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    status.withValue { $0.loads += 1 }
    let source: UpdateSource = context.initialValue == nil ? .load : .firstLoad
    let continuation = LoadContinuation<Value>(of: name) { [weak self] update in
      let result = self?.apply(update, from: source)
      self?.updateStatus { $0.loads -= 1 }
      finish(result ?? .success(()))
    }
    key.load(context: context, continuation: continuation)
    if status.withValue({ $0.loads > 0 }) { updateStatus { _ in } }
  }

  /// Applies an update from the key.
  ///
  /// - Parameters:
  ///   - update: The value or the search that the key reports.
  ///   - source: The source of the update.
  /// - Returns: Success, or the error of the update.
  private func apply(
    _ update: SharedUpdate<Value>,
    from source: UpdateSource
  ) -> Result<Void, any Error> {
    do {
      switch update {
      case .result(let result):
        if let value = try result.get() ?? valueForNone(from: source) {
          // During the first load, a local change is newer than the loaded value.
          replace(with: value) { source != .firstLoad || !$0.isChanged }
        }
      case .search(let find):
        guard try applyFinding(from: source, finding: find) else { return .success(()) }
      }
      if status.withValue({ $0.loadError != nil || $0.isAwaited }) { updateStatus { $0.endWait() } }
      return .success(())
    } catch {
      updateStatus { $0.endWait(with: error) }
      return .failure(error)
    }
  }

  /// Returns the new value for an update without a value, or `nil` to keep the current value.
  ///
  /// A load without a value keeps the current value, which the subscription may have set. A subscription without a
  /// value restores the key's default value.
  private func valueForNone(from source: UpdateSource) -> Value? {
    source == .subscription ? initialValue : nil
  }

  /// Applies the result of a search, and repeats the search if the value changes during it.
  ///
  /// - Returns: Whether a result was applied. It is `false` if the search was skipped or found the value unchanged.
  private func applyFinding(
    from source: UpdateSource,
    finding find: () throws -> SharedLookupResult<Value>?
  ) throws -> Bool {
    while true {
      let history = self.history
      // A local change that the key has not received is newer than the key's value, and the key will receive it.
      guard isHandedOver(history), let found = try find() else { return false }
      guard let value = found.value ?? valueForNone(from: source) else {
        // After the first load, the subscription need not report the found value again. After a later load, it must.
        if source == .firstLoad { found.didTake() }
        return true
      }
      let isTaken = replace(with: value) { now in
        guard now.version == history.version else { return false }
        found.didTake()
        return true
      }
      if isTaken { return true }
    }
  }
}

extension SharedRoot {
  /// Saves the value by its key after a change.
  ///
  /// The lock must not be held, because the key may wait for other threads. If another thread is saving the value, that
  /// thread also saves this change, so that the last saved value is the current one.
  func saveChange() {
    guard let key = savingKey, !defersSave() else { return }
    let isBusy = status.withValue { status in
      status.needsSave = true
      defer { status.isSaving = true }
      return status.isSaving
    }
    guard !isBusy else { return }
    while takesSave() { startSave(key, .didSet) { _ in } }
  }

  private func takesSave() -> Bool {
    status.withValue { status in
      defer { status.needsSave = false }
      if !status.needsSave { status.isSaving = false }
      return status.needsSave
    }
  }

  func save() async throws {
    guard let key = savingKey else { return }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      startSave(key, .userInitiated) { continuation.resume(with: $0) }
    }
  }

  private func startSave(
    _ key: some SharedKey<Value>,
    _ context: SaveContext,
    then finish: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let (value, history) = valueWithHistory
    let handOver: @Sendable () -> Void = { [weak self] in self?.handOver(history) }
    let continuation = SaveContinuation(of: name, didHandOver: handOver) { [weak self] result in
      self?.recordSaveOutcome(result)
      finish(result)
    }
    key.save(value, context: context, continuation: continuation)
    handOver()
  }

  /// Stores the error of a failed save, or clears the errors of earlier loads and saves after a successful one.
  private func recordSaveOutcome(_ outcome: Result<Void, any Error>) {
    switch outcome {
    case .success:
      guard status.withValue({ $0.saveError != nil || $0.loadError != nil }) else { return }
      updateStatus {
        $0.saveError = nil
        $0.loadError = nil
      }
    case .failure(let error): updateStatus { $0.saveError = error }
    }
  }
}

// MARK: - History, observed properties, and status

/// The change history of a shared value.
private struct SharedHistory: Sendable {
  /// The number of changes so far.
  private(set) var version = 0
  /// The version of the last local change; 0 if there is none.
  private(set) var lastOwn = 0

  /// Whether code of the app has changed the value.
  var isChanged: Bool { lastOwn > 0 }

  mutating func add() { version += 1 }

  mutating func addOwn() {
    version += 1
    lastOwn = version
  }
}

/// The properties that observers of a reference track.
///
/// The type is not generic, because the key paths of a generic type are created at each use, which takes longer than
/// reading the value.
private struct SharedObservedProperties: Observable {
  var value: Void { () }
  var status: Void { () }
}

/// The status of a reference's key, which consists of loads, saves, and errors.
private struct SharedStatus: Sendable {
  var loads = 0
  var isAwaited = false
  var loadError: (any Error)?
  var saveError: (any Error)?
  var subscription: SharedSubscription?
  var isSaving = false
  var needsSave = false

  /// Ends the wait for the key, which has delivered a value or an error.
  mutating func endWait(with error: (any Error)? = nil) {
    loadError = error
    isAwaited = false
  }
}

/// The source of an update from a key.
private enum UpdateSource {
  /// The first load of a new reference, which has its default value until then.
  case firstLoad
  /// A load that code requested with `load()`.
  case load
  /// A change that the key reported to its subscriber.
  case subscription
}
