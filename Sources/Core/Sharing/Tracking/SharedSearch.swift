/// Finds the shared values in a state, of whatever types that is made.
struct SharedSearch {
  /// The roots of the values that were found.
  private(set) var roots: Set<ObjectIdentifier> = []
  /// What was not looked at yet: no recursion, for states may be nested deeply.
  private var waiting: [Any] = []

  /// Looks at a value and all that it holds.
  mutating func look(at value: Any) {
    waiting.append(value)
    while let next = waiting.popLast() { visit(next) }
  }

  private mutating func visit(_ value: Any) {
    if let shared = value as? any SharedHolder {
      // The whole value is looked at, for other features may hold another part of it.
      let root = shared.sharedRoot
      if roots.insert(ObjectIdentifier(root)).inserted { waiting.append(root.erasedValue) }
      return
    }
    let mirror = Mirror(reflecting: value)
    // What an object refers to is no part of the state.
    if mirror.displayStyle != .class { waiting += mirror.children.map(\.value) }
  }
}

/// A value that is kept elsewhere, or a part of one.
private protocol SharedHolder {
  var sharedRoot: any SharedRootReference { get }
}

extension Shared: SharedHolder {
  fileprivate var sharedRoot: any SharedRootReference { reference.root }
}

extension SharedReader: SharedHolder {
  fileprivate var sharedRoot: any SharedRootReference { reference.root }
}
