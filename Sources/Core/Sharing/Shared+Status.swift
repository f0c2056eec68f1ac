extension Shared {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// What the last load threw, nil when it brought a value.
  public var loadError: (any Error)? { reference.root.loadError }

  /// What the last save threw, nil when the value is saved.
  public var saveError: (any Error)? { reference.root.saveError }

  /// Loads the value again; it stays as it is when the key has none.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Shares the value of another key from now on, and loads it.
  ///
  /// ```swift
  /// try await $results.load(.search(query))
  /// ```
  ///
  /// Until the key brings a value, by this load or as news later, the value stays as it is.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load(_ key: some SharedKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Shares the value of another key that has a default from now on, and loads it.
  ///
  /// - Parameter key: Where the value is kept.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load<Key: SharedKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = Shared(root)
    try await load()
  }

  /// Saves the value at once, also when it has not changed.
  ///
  /// - Throws: What the key throws, which is then the `saveError`.
  public func save() async throws { try await reference.root.save() }
}

extension SharedReader {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// What the last load threw, nil when it brought a value.
  public var loadError: (any Error)? { reference.root.loadError }

  /// Loads the value again; it stays as it is when the key has none.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }

  /// Reads the value of another key from now on, and loads it.
  ///
  /// Until the key brings a value, by this load or as news later, the value stays as it is.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }

  /// Reads the value of another key that has a default from now on, and loads it.
  ///
  /// - Parameter key: Where the value comes from.
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load<Key: SharedReaderKey<Value>>(_ key: Key.Default) async throws {
    let root = SharedReferences.current.root(of: key, loads: false) { wrappedValue }
    projectedValue = SharedReader(root)
    try await load()
  }
}
