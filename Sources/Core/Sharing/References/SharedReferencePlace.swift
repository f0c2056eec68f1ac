import Synchronization

/// Where the copies of a shared value keep what they share.
final class SharedReferencePlace<Reference: Sendable>: Sendable {
  private let contents: Mutex<Reference>

  init(_ reference: Reference) {
    contents = Mutex(reference)
  }

  var reference: Reference { contents.withLock { $0 } }

  /// Shares something else from now on, and tells those that have read the value.
  func replace(
    with reference: Reference,
    root: (Reference) -> any SharedRootReference
  ) {
    let earlier = contents.withLock { contents in
      defer { contents = reference }
      return contents
    }
    guard root(earlier) !== root(reference) else { return }
    root(earlier).tellOfReplacement()
  }
}
