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
  /// Whether the value has been changed since the reference was made.
  var isChanged = false
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

  func startKey() {
    guard let key else { return }
    func open<Key: SharedReaderKey<Value>>(_ key: Key) {
      let context = LoadContext.initialValue(initialValue)
      beginLoad(key, context) { _ in }
      let subscriber = SharedSubscriber<Value> { [weak self] result in
        self?.take(result, .userInitiated)
      } setLoading: { [weak self] isLoading in
        self?.change { $0.isAwaited = isLoading }
      }
      let subscription = key.subscribe(context: context, subscriber: subscriber)
      status.withValue { $0.subscription = subscription }
    }
    open(key)
  }

  func load() async throws {
    guard let key else { return }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      beginLoad(key, .userInitiated) { continuation.resume(with: $0.map { _ in }) }
    }
  }

  private func beginLoad(
    _ key: some SharedReaderKey<Value>,
    _ context: LoadContext<Value>,
    then finish: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    status.withValue { $0.loads += 1 }
    let continuation = LoadContinuation<Value>(of: name) { [weak self] result in
      self?.take(result, context)
      self?.change { $0.loads -= 1 }
      finish(result)
    }
    key.load(context: context, continuation: continuation)
    if status.withValue({ $0.loads > 0 }) { change { _ in } }
  }

  /// Takes what the key has loaded or tells of.
  private func take(_ result: Result<Value?, any Error>, _ context: LoadContext<Value>) {
    switch result {
    case .success(let value):
      // A change that was made while the first load ran is newer than what that brings.
      let isFirst = context.initialValue != nil
      if !isFirst || value != nil, !isFirst || !status.withValue(\.isChanged) {
        replace(with: value ?? initialValue)
      }
      if status.withValue({ $0.loadError != nil }) { change { $0.loadError = nil } }
    case .failure(let error):
      change { $0.loadError = error }
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
      status.isChanged = true
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
    let continuation = SaveContinuation(of: name) { [weak self] result in
      var error: (any Error)?
      if case .failure(let failure) = result { error = failure }
      if let self, error != nil || self.status.withValue({ $0.saveError != nil }) {
        self.change { $0.saveError = error }
      }
      finish(result)
    }
    key.save(real, context: context, continuation: continuation)
  }
}
