/// A dependency client that a reducer uses in a replay without a value or an answer.
///
/// Recognizes the issues that the library and clients with the attribute `@DependencyClient` report. A log does not have
/// the answers of a client, unless the feature names the endpoint with `.reading`.
struct UnansweredClient {
  /// The issue with the lines to add.
  let message: String

  /// Recognizes an issue; `nil` for all others.
  init?(_ issue: String) {
    if let endpoint = Self.endpoint(in: issue) {
      message = """
        \(issue). The reducer asked a dependency client, and the log has no answer. Before recording, add \
        '.reading(\\.CLIENT.\(endpoint.name), as: "\(endpoint.name)")' to the body of the feature. For this log, add \
        '.dependency(\\.CLIENT.\(endpoint.name), { @Sendable (...) in ... })' to the replayed reducer. CLIENT is the name of \
        \(endpoint.client) in DependencyValues.
        """
    } else if let dependency = Self.dependency(in: issue) {
      message = """
        \(dependency) has no value for tests. The reducer read it, and the replay used the live value. Give it a \
        'testValue', or add '.dependency(\(Self.override(of: dependency)))' to the replayed reducer. The log has the \
        answers of its endpoints to the reducer only with '.reading' in the body of the feature.
        """
    } else {
      return nil
    }
  }

  /// Returns the client and the endpoint of the issue that an endpoint without a value reports.
  private static func endpoint(in issue: String) -> (client: Substring, name: Substring)? {
    let prefix = "Unimplemented: '"
    guard issue.hasPrefix(prefix) else { return nil }
    let path = issue.dropFirst(prefix.count).prefix { $0 != "'" }
    guard let dot = path.lastIndex(of: "."), dot != path.startIndex else { return nil }
    return (path[..<dot], path[path.index(after: dot)...])
  }

  /// Returns the dependency that the library reports to lack a value for tests.
  private static func dependency(in issue: String) -> Substring? {
    let line = issue.prefix { $0 != "\n" }
    let suffix = " has no test implementation, but was accessed from a test"
    return line.firstRange(of: suffix).map { line[..<$0.lowerBound] }
  }

  /// Returns the arguments that replace a dependency such as `@Dependency(\.account)`.
  private static func override(of dependency: Substring) -> Substring {
    guard dependency.hasPrefix("@Dependency("), dependency.hasSuffix(")") else { return "..." }
    return dependency.dropFirst("@Dependency(".count).dropLast() + ", ..."
  }
}
