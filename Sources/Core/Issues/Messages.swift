/// The words of every issue that the library reports.
enum Messages {
  static func modifiedUnrelatedCase<Enum>(of value: Enum) -> String {
    """
    A case of "\(Enum.self)" was to be changed, but the value stands in another case, \
    "\(caseName(of: value))". Nothing was changed. Check the case first, with "is(_:)".
    """
  }

  /// The name of the case that a value stands in, as far as reflection tells.
  static func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum || mirror.displayStyle == .optional else {
      return "\(type(of: value))"
    }
    return mirror.children.first?.label ?? "\(value)"
  }
}
