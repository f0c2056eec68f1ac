/// A type that another value stands for in a dump, such as a box whose content alone matters.
///
/// ```swift
/// extension ID: CustomDumpRepresentable {
///   var customDumpValue: Any { rawValue }
/// }
/// ```
public protocol CustomDumpRepresentable {
  /// The value that a dump shows.
  var customDumpValue: Any { get }
}
