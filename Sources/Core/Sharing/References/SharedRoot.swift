import Foundation
import Observation
import Synchronization

/// A value that is shared, and the state of its key.
///
/// Unchecked, and no `Mutex`: the lock is recursive, because what runs under it is the user's and may read the value.
final class SharedRoot<Value>: @unchecked Sendable, Observable {
  let lock = NSRecursiveLock()
  private(set) var value: Value { didSet { written = WriteStamp.next() } }
  /// The value that is shown in place of the value while a timeline is in the past.
  var shown: Shown?

  /// A value of the past.
  struct Shown {
    let value: Value
    let past: SharedPast
    /// Whether the value itself has changed, and its key does not have it yet.
    var needsSave = false
  }

  /// Which write the value comes from.
  private var written = WriteStamp.next()
  private var isChanging = false
  private var changes = SharedHistory()
  /// The last own change that the key has; not under the lock, which keys must not wait for.
  private let handedOver = Atomic(0)

  /// The name of the reference in logs and tests.
  let name: String
  /// The key, unless it must not be asked.
  private let key: (any SharedReaderKey<Value>)?
  /// The value that holds when the key has none.
  private let initialValue: Value
  private let status = LockIsolated(SharedStatus())
  private let registrar = ObservationRegistrar()
  let identity = StateIdentity<Value>.make()
  private let startLock = NSRecursiveLock()
  private var isStarted = false
  /// Called when the last reference is gone.
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
  var mayHoldObjects: Bool { !LiveObject.isFree(Value.self) }

  func access() { registrar.access(SharedAspects(), keyPath: \.value) }

  func notifyOfReplacement() { registrar.withMutation(of: SharedAspects(), keyPath: \.value) {} }
}

extension SharedRoot: WritableReference {
  var root: any SharedRootReference { self }
  var parts: [SharedPart]? { [] }

  var current: Value { SharedChangeTracker.asserting?.snapshot(of: self) ?? real }

  /// The value, whatever a test asserts; in the past the shown one, but for effects.
  var real: Value {
    lock.withLock {
      guard let shown, EffectContext.current == nil else { return value }
      return shown.value
    }
  }

  var stamp: UInt64? {
    // Assertions of a test write to a snapshot.
    SharedChangeTracker.asserting == nil ? lock.withLock { written } : nil
  }

  func withLock<R>(_ change: (inout Value) throws -> R) rethrows -> R {
    if let tracker = SharedChangeTracker.asserting {
      return try tracker.changeSnapshot(of: self, change)
    }
    if SharedPast.isInUse, let result = try changeInPast(change) { return result }
    let tracker = DependencyValues._current[key: SharedChangeTrackerKey.self] ?? nil
    SharedJournal.recordWrite(self)
    let beginning = ObservableStateID.lastChange
    var values: (old: Value, new: Value)?
    defer {
      // The observers of an observable state's properties were notified by these.
      let hasNotified =
        values.flatMap { identity?.hasNotified($0.new, replacing: $0.old, since: beginning) }
        ?? false
      didChange(notifies: !hasNotified, isOwn: true)
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
        tracker?.recordChange(self, before: before)
      }
      return try change(&changed)
    }
  }

  /// Takes a value that comes from elsewhere.
  func replace(with newValue: Value) {
    if SharedPast.moving != nil, changeInPast({ $0 = newValue }) != nil { return }
    replace(with: newValue) { _ in true }
  }

  /// Takes a value that comes from elsewhere, if it is still wanted when nothing can change the value.
  ///
  /// - Returns: Whether it was.
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

  /// Takes the value that is shown, under the lock.
  func takeShown(_ shown: Value) {
    value = shown
    changes.addOwn()
  }

  private func didChange(notifies: Bool, isOwn: Bool) {
    // Afterwards and not under the lock: an observer that is added meanwhile reads the new value, and observers may run
    // any code.
    if notifies, !isShowingPast { notifyOfReplacement() }
    if isOwn { saveChange() }
  }
}

extension SharedRoot {
  private var isShowingPast: Bool { SharedPast.isInUse && lock.withLock { shown != nil } }
}

extension SharedRoot: JournaledPlace {
  var journaled: Any { real }

  func putBack(_ contents: Any) {
    guard let contents = contents as? Value else { return }
    lock.withLock { value = contents }
  }
}

extension SharedRoot {
  /// How often the value has changed until now.
  private var history: SharedHistory { lock.withLock { changes } }

  /// The value and its history, at one moment.
  private var valueWithHistory: (Value, SharedHistory) { lock.withLock { (value, changes) } }

  /// Notes that the key has all own changes of a history.
  private func handOver(_ history: SharedHistory) {
    handedOver.max(history.lastOwn, ordering: .acquiringAndReleasing)
  }

  /// Whether the key has all own changes of a history.
  private func isHandedOver(_ history: SharedHistory) -> Bool {
    handedOver.load(ordering: .acquiring) >= history.lastOwn
  }
}

extension SharedRoot {
  var isLoading: Bool { read { $0.loads > 0 || $0.isAwaited } }
  var loadError: (any Error)? { read(\.loadError) }
  var saveError: (any Error)? { read(\.saveError) }

  private func read<Member>(_ member: (SharedStatus) -> Member) -> Member {
    registrar.access(SharedAspects(), keyPath: \.status)
    return status.withValue { member($0) }
  }

  private func updateStatus(_ body: (inout SharedStatus) -> Void) {
    status.withValue(body)
    registrar.withMutation(of: SharedAspects(), keyPath: \.status) {}
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

  /// Takes a value that the key has loaded or reports.
  ///
  /// - Parameters:
  ///   - update: The update from the key.
  ///   - source: The source of the update.
  /// - Returns: The error of the update.
  private func apply(
    _ update: SharedUpdate<Value>,
    from source: UpdateSource
  ) -> Result<Void, any Error> {
    do {
      switch update {
      case .result(let result):
        if let value = try result.get() ?? valueForNone(from: source) {
          // A change that was made while the first load ran is newer than what that brings.
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

  /// The new value when the key has none; nil when it stays.
  ///
  /// A load without a value changes nothing: the subscription may have brought the value. A subscription that reports no
  /// value takes the value away.
  private func valueForNone(from source: UpdateSource) -> Value? {
    source == .subscription ? initialValue : nil
  }

  /// Takes what a search finds, which is repeated until nothing has changed meanwhile.
  ///
  /// - Returns: Whether something was found.
  private func applyFinding(
    from source: UpdateSource,
    finding find: () throws -> SharedFinding<Value>?
  ) throws -> Bool {
    while true {
      let history = self.history
      // The key gets a change that it lacks, and that is newer than what it has.
      guard isHandedOver(history), let found = try find() else { return false }
      guard let value = found.value ?? valueForNone(from: source) else {
        // The subscription need not report it again; after a later load it still has to.
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
  /// Saves the value after a change.
  ///
  /// Not under the lock, because the key's code may wait for other threads. A change that is made while another thread
  /// saves is left to that thread, so that the value saved last is the value set last.
  func saveChange() {
    guard let key = key as? any SharedKey<Value>, !defersSave() else { return }
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
    guard let key = key as? any SharedKey<Value> else { return }
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

  /// Notes the outcome of a save; after one that succeeds, what could not be loaded is gone.
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

// MARK: - Parts

/// How often a shared value has changed.
private struct SharedHistory: Sendable {
  /// The number of changes.
  private(set) var version = 0
  /// The last change that was made here, and not taken from elsewhere.
  private(set) var lastOwn = 0

  /// Whether the value has been changed here.
  var isChanged: Bool { lastOwn > 0 }

  mutating func add() { version += 1 }

  mutating func addOwn() {
    version += 1
    lastOwn = version
  }
}

/// What observers of a reference look at.
///
/// A type of its own, because a key path of a generic type is made anew each time, which takes longer than to read the value.
private struct SharedAspects: Observable {
  var value: Void { () }
  var status: Void { () }
}

/// The state of the key of a reference: loads, saves, errors.
private struct SharedStatus: Sendable {
  var loads = 0
  var isAwaited = false
  var loadError: (any Error)?
  var saveError: (any Error)?
  var subscription: SharedSubscription?
  var isSaving = false
  var needsSave = false

  /// Notes that the key has brought a value or an error, for which it no longer has to be waited.
  mutating func endWait(with error: (any Error)? = nil) {
    loadError = error
    isAwaited = false
  }
}

/// The source of an update from a key.
private enum UpdateSource {
  /// The load of a new reference, which has the default until then.
  case firstLoad
  /// A call of `load()`.
  case load
  /// A change that comes from elsewhere.
  case subscription
}
