extension JSON {
  /// A place at which two values differ, and what each of them has there.
  package struct Difference: Hashable, Sendable {
    package let path: Pointer
    package let expected: JSON?
    package let actual: JSON?
  }

  /// The places at which two values differ, the outermost that are whole, in the order of the first value.
  package static func differences(from old: JSON, to new: JSON) -> [Difference] {
    Patch(from: old, to: new).operations.map { operation in
      switch operation {
      case .add(let path, let value): Difference(path: path, expected: nil, actual: value)
      case .remove(let path): Difference(path: path, expected: old[path], actual: nil)
      default:
        Difference(path: operation.path, expected: old[operation.path], actual: new[operation.path])
      }
    }
  }
}
