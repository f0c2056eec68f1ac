extension Shared {
  /// Whether the key is loading the value.
  public var isLoading: Bool { reference.root.isLoading }

  /// What the last load threw, nil when it brought a value.
  public var loadError: (any Error)? { reference.root.loadError }

  /// What the last save threw, nil when the value is saved.
  public var saveError: (any Error)? { reference.root.saveError }

  /// Loads the value again.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }

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

  /// Loads the value again.
  ///
  /// - Throws: What the key throws, which is then the `loadError`.
  public func load() async throws { try await reference.root.load() }
}
