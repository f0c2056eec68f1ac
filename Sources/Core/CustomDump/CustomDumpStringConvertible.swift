/// A type that says with a text of its own what a dump shows of it.
///
/// ```swift
/// extension Currency: CustomDumpStringConvertible {
///   var customDumpDescription: String { "Currency(\(code))" }
/// }
/// ```
public protocol CustomDumpStringConvertible {
  /// What a dump shows.
  var customDumpDescription: String { get }
}
