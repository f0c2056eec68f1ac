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
