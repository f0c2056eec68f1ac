/// Gives an enum a case path for each of its cases, and a place in the log.
///
/// ```swift
/// @CasePathable
/// enum Action {
///   case tap
///   case renamed(String)
/// }
/// let action = Action.renamed("Blob")
/// action.is(\.tap)            // false
/// action[case: \.renamed]     // "Blob"
/// ```
///
/// The enum and its nested types that are not private also conform to `LogValue`.
@attached(
  extension,
  conformances: CasePathable,
  CasePathIterable,
  LogValue,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed)
)
@attached(
  member,
  names: named(AllCasePaths),
  named(allCasePaths),
  named(_$Element),
  named(_$Iterator),
  named(_$Import)
)
@attached(memberAttribute)
public macro CasePathable() = #externalMacro(module: "TCAMacros", type: "CasePathableMacro")
