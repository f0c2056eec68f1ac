/// Makes a struct or an enum of the app loggable: named members, decodable, and comparable member by member.
///
/// The State and Action of a feature need no such mark, nor do their nested types that are not private. Types that stand
/// elsewhere take this macro or come into the log through `Codable`.
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

/// Leaves a stored property out of the log.
///
/// On replay the property keeps the value that the initial state gives it.
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

/// `@LogValue` on a type nested in one that has it; a macro may not add itself.
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

/// `@LogValue` on a type nested twice; a macro may not add itself.
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

/// `@LogValue` on a type nested three times; a macro may not add itself.
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

/// `@LogValue` on a type nested four times; a macro may not add itself.
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
