/// A type that says with a mirror of its own what a dump shows of it.
///
/// ```swift
/// extension Token: CustomDumpReflectable {
///   var customDumpMirror: Mirror { Mirror(self, children: ["owner": owner], displayStyle: .struct) }
/// }
/// ```
public protocol CustomDumpReflectable {
  /// What a dump shows.
  var customDumpMirror: Mirror { get }
}
