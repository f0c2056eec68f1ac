/// What an endpoint of a dependency client throws that nobody has given an implementation.
public struct Unimplemented: Error, Hashable, Sendable, CustomStringConvertible {
  /// The client and its endpoint: `APIClient.fetch`.
  public let endpoint: String

  /// Names an endpoint.
  public init(_ endpoint: String) {
    self.endpoint = endpoint
  }

  /// Says that the endpoint has no implementation.
  public var description: String { "Unimplemented: '\(endpoint)'" }
}

/// Reports an issue for an endpoint that nobody has given an implementation.
public func _$reportUnimplemented(_ endpoint: String) {
  reportIssue(Unimplemented(endpoint).description)
}
