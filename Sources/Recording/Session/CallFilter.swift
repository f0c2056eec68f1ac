/// A filter that determines which dependency calls of effects a recording includes.
///
/// ```swift
/// configuration.calls = CallFilter()   // all of them
/// configuration.calls = CallFilter(include: ["APIClient"], exclude: ["APIClient.ping"])
/// ```
///
/// Each string names a client or one of its endpoints, as in the log: `APIClient`, `APIClient.fetch`.
public struct CallFilter: Sendable, Hashable {
  /// The clients and endpoints to include, or an empty set to include all calls.
  public var include: Set<String>
  /// The clients and endpoints to exclude, even if `include` names them.
  public var exclude: Set<String>

  /// Creates a filter, which by default includes all calls.
  public init(include: Set<String> = [], exclude: Set<String> = []) {
    self.include = include
    self.exclude = exclude
  }

  func admits(_ key: String) -> Bool {
    (include.isEmpty || Self.names(key, in: include)) && !Self.names(key, in: exclude)
  }

  private static func names(_ key: String, in names: Set<String>) -> Bool {
    guard !names.isEmpty else { return false }
    let client = key.lastIndex(of: ".").map { String(key[..<$0]) }
    return names.contains(key) || client.map { names.contains($0) } ?? false
  }
}
