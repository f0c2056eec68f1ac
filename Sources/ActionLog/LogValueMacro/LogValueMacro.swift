/// Makes a struct or an enum loggable, so that its members are named, decoded, and compared individually.
///
/// The State and Action of a feature don't need this macro, and neither do their nested types, unless these are
/// private. Types that are declared elsewhere need this macro, or are logged through `Codable`.
///
/// ```swift
/// @LogValue
/// struct User {
///   let id = UUID()
///   var name = ""
/// }
/// // {"id":"6F0C...","name":""}
/// ```
@attached(
  extension,
  conformances: LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(member, names: named(_$Import))
@attached(memberAttribute)
public macro LogValue() = #externalMacro(module: "TCAMacros", type: "LogValueMacro")

/// Excludes a stored property from the log.
///
/// In a replay, the property keeps its value in the initial state.
///
/// ```swift
/// @LogValue
/// struct Player {
///   var name = ""
///   @LogIgnored var cache: [String: Data] = [:]
/// }
/// // {"name":""}
/// ```
@attached(peer)
public macro LogIgnored() = #externalMacro(module: "TCAMacros", type: "MarkerMacro")

/// Expands as `@LogValue` for a nested type.
///
/// A separate macro is necessary, because a macro can't add itself.
@attached(
  extension,
  conformances: LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(memberAttribute)
public macro _LogValue1() = #externalMacro(module: "TCAMacros", type: "LogValueMacro")

/// Expands as `@LogValue` for a type at the second nesting level.
@attached(
  extension,
  conformances: LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(memberAttribute)
public macro _LogValue2() = #externalMacro(module: "TCAMacros", type: "LogValueMacro")

/// Expands as `@LogValue` for a type at the third nesting level.
@attached(
  extension,
  conformances: LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(memberAttribute)
public macro _LogValue3() = #externalMacro(module: "TCAMacros", type: "LogValueMacro")

/// Expands as `@LogValue` for a type at the fourth nesting level.
@attached(
  extension,
  conformances: LogValue,
  LogMembers,
  names: named(encode(to:)),
  named(decode(from:over:)),
  named(_$read(from:)),
  named(difference(from:to:into:)),
  named(survey(_:)),
  named(_$isWellFormed),
  named(init(_$log:over:)),
  named(init(_$text:)),
  named(_$logMembers)
)
@attached(memberAttribute)
public macro _LogValue4() = #externalMacro(module: "TCAMacros", type: "LogValueMacro")
