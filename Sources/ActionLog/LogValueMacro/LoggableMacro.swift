/// Makes the State and Action of a feature loggable, if the feature is written with another library.
///
/// Use the macro in addition to that library's macro.
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
/// Types nested in State and Action are included, unless they are private. On any other struct or enum, the macro works
/// as `@LogValue` and can be combined with `@ObservableState` and `@CasePathable`. Features written with `TCACore` need
/// neither `@Loggable` nor `@LogValue`.
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

/// Expands as `@Loggable` for the State and Action of a feature, or for a nested type.
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
@attached(member, names: named(_$Import))
@attached(memberAttribute)
public macro _Loggable1() = #externalMacro(module: "TCAMacros", type: "LoggableMacro")

/// Expands as `@Loggable` for a type at the second nesting level.
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

/// Expands as `@Loggable` for a type at the third nesting level.
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
