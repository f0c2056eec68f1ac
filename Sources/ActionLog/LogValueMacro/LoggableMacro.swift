/// Makes the State and Action of a feature loggable that is written with a library other than this one, beside its own macro.
///
/// ```swift
/// @Reducer @Loggable
/// struct Counter {
///   @ObservableState struct State { var count = 0 }
///   enum Action { case increment }
///   ...
/// }
/// ```
///
/// Types nested in State and Action are marked, too, unless they are private. On any other struct or enum it is `@LogValue` that
/// also goes beside `@ObservableState` and `@CasePathable`. Features written with `TCACore` need neither.
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
public macro Loggable() = #externalMacro(module: "TCAMacros", type: "LoggableMacro")

/// `@Loggable` on State and Action of a feature, or on what is nested in a marked type; a macro may not add itself.
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
public macro _Loggable1() = #externalMacro(module: "TCAMacros", type: "LoggableMacro")

/// `@Loggable` on a type nested twice; a macro may not add itself.
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
public macro _Loggable2() = #externalMacro(module: "TCAMacros", type: "LoggableMacro")

/// `@Loggable` on a type nested three times; a macro may not add itself.
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
public macro _Loggable3() = #externalMacro(module: "TCAMacros", type: "LoggableMacro")
