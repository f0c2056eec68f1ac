/// An enum that has a case path for each of its cases.
///
/// `@CasePathable` writes the conformance. By hand it is one property for each case:
///
/// ```swift
/// enum Action: CasePathable {
///   case tap
///   case rename(String)
///
///   struct AllCasePaths {
///     var tap: AnyCasePath<Action, Void> {
///       AnyCasePath(embed: { .tap }, extract: { if case .tap = $0 { () } else { nil } })
///     }
///     var rename: AnyCasePath<Action, String> {
///       AnyCasePath(
///         embed: Action.rename,
///         extract: { if case .rename(let name) = $0 { name } else { nil } }
///       )
///     }
///   }
///   static var allCasePaths: AllCasePaths { AllCasePaths() }
/// }
/// ```
public protocol CasePathable: SendableMetatype {
  /// A type with one property of type `AnyCasePath` for each case.
  associatedtype AllCasePaths

  /// The case paths of this enum.
  static var allCasePaths: AllCasePaths { get }
}

/// An enum whose case paths can be gone through in order.
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

/// Case paths that can tell which of them a value stands in.
public protocol CasePathReflectable<Root> {
  /// The enum whose cases these are.
  associatedtype Root: CasePathable

  /// The path of the case that a value stands in.
  subscript(root: Root) -> PartialCaseKeyPath<Root> { get }
}
