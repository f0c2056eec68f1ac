/// A macro that only marks a declaration for other macros and generates nothing.
enum MarkerMacro: Macro {}
