/// An object that knows what it was before a change, so that a difference shows the change and not one and the same object.
public protocol _CustomDiffObject {
  /// What the object held before, and what it holds now.
  var _customDiffValues: (Any, Any) { get }

  /// Which object it is.
  var _objectIdentifier: ObjectIdentifier { get }
}

extension _CustomDiffObject where Self: AnyObject {
  /// Which object it is.
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(self) }
}

/// What an object held before and what it holds now, when both values are that object.
func customDiffValues(_ lhs: Any, _ rhs: Any) -> (before: Any, after: Any)? {
  guard let lhs = lhs as? any _CustomDiffObject, let rhs = rhs as? any _CustomDiffObject,
    lhs._objectIdentifier == rhs._objectIdentifier
  else { return nil }
  return lhs._customDiffValues
}
