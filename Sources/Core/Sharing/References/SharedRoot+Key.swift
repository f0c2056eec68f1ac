import Observation

/// What is known of the key of a reference.
struct SharedStatus: Sendable {
  var loads = 0
  var isAwaited = false
  var loadError: (any Error)?
  var saveError: (any Error)?
  var subscription: SharedSubscription?
  var isSaving = false
  var needsSave = false
}

/// What brings the value of a key.
private enum NewsSource {
  /// The load of a new reference, which has the default until then.
  case firstLoad
  /// A call of `load()`.
  case load
  /// A change that comes from elsewhere.
  case subscription
}

extension SharedRoot {
  var isLoading: Bool { read { $0.loads > 0 || $0.isAwaited } }
  var loadError: (any Error)? { read(\.loadError) }
  var saveError: (any Error)? { read(\.saveError) }

  private func read<Member>(_ member: (SharedStatus) -> Member) -> Member {
    registrar.access(self, keyPath: \.status)
    return status.withValue { member($0) }
  }

  private func change(_ body: (inout SharedStatus) -> Void) {
    status.withValue(body)
    registrar.withMutation(of: self, keyPath: \.status) {}
  }

  func startKey(loads: Bool) {
    guard let key else { return }
    func open<Key: SharedReaderKey<Value>>(_ key: Key) {
      let context: LoadContext<Value> = loads ? .initialValue(initialValue) : .userInitiated
      if loads { beginLoad(key, context) { _ in } }
      let subscriber = SharedSubscriber<Value> { [weak self] news in
        _ = self?.take(news, from: .subscription)
      } setLoading: { [weak self] isLoading in
        self?.change { $0.isAwaited = isLoading }
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
    let source: NewsSource = context.initialValue == nil ? .load : .firstLoad
    let continuation = LoadContinuation<Value>(of: name) { [weak self] news in
      let result = self?.take(news, from: source)
      self?.change { $0.loads -= 1 }
      finish(result ?? .success(()))
    }
    key.load(context: context, continuation: continuation)
    if status.withValue({ $0.loads > 0 }) { change { _ in } }
  }

  /// Takes what the key has loaded or tells of.
  ///
  /// - Parameters:
  ///   - news: What the key brings.
  ///   - source: What brings it.
  /// - Returns: The error that it brings.
  private func take(_ news: SharedNews<Value>, from source: NewsSource) -> Result<Void, any Error> {
    do {
      switch news {
      case .result(let result):
        if let value = try result.get() ?? valueForNone(from: source) {
          // A change that was made while the first load ran is newer than what that brings.
          replace(with: value) { source != .firstLoad || !$0.isChanged }
        }
      case .search(let find):
        guard try take(from: source, finding: find) else { return .success(()) }
      }
      if status.withValue({ $0.loadError != nil }) { change { $0.loadError = nil } }
      return .success(())
    } catch {
      change { $0.loadError = error }
      return .failure(error)
    }
  }

  /// What the value becomes when the key has none; nil when it stays.
  ///
  /// A key that loads nothing has nothing to say: its subscription may have brought the value. One that tells of a change to
  /// nothing takes the value away.
  private func valueForNone(from source: NewsSource) -> Value? {
    source == .subscription ? initialValue : nil
  }

  /// Takes what a search finds, which is repeated until nothing has changed meanwhile.
  ///
  /// - Returns: Whether something was found.
  private func take(
    from source: NewsSource,
    finding find: () throws -> SharedFinding<Value>?
  ) throws -> Bool {
    while true {
      let history = self.history
      // The key gets a change that it lacks, and that is newer than what it has.
      guard isHandedOver(history), let found = try find() else { return false }
      guard let value = found.value ?? valueForNone(from: source) else {
        // The subscription need not tell of it again; after a later load it still has to.
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
  /// Not under the lock, for the key's code may wait for other threads. Whoever comes while another thread saves leaves
  /// it to that one, so that what is saved last is what was set last.
  func saveChange() {
    guard let key = key as? any SharedKey<Value> else { return }
    let isBusy = status.withValue { status in
      status.needsSave = true
      defer { status.isSaving = true }
      return status.isSaving
    }
    guard !isBusy else { return }
    while takesSave() { begin(key, .didSet) { _ in } }
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
      begin(key, .userInitiated) { continuation.resume(with: $0) }
    }
  }

  private func begin(
    _ key: some SharedKey<Value>,
    _ context: SaveContext,
    then finish: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let (value, history) = valueWithHistory
    let handOver: @Sendable () -> Void = { [weak self] in self?.handOver(history) }
    let continuation = SaveContinuation(of: name, didHandOver: handOver) { [weak self] result in
      self?.note(result)
      finish(result)
    }
    key.save(value, context: context, continuation: continuation)
    handOver()
  }

  /// Notes the outcome of a save; after one that succeeds, what could not be loaded is gone.
  private func note(_ outcome: Result<Void, any Error>) {
    switch outcome {
    case .success:
      guard status.withValue({ $0.saveError != nil || $0.loadError != nil }) else { return }
      change {
        $0.saveError = nil
        $0.loadError = nil
      }
    case .failure(let error): change { $0.saveError = error }
    }
  }
}
