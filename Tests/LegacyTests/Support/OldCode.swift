/// Code that uses what is deprecated.
///
/// Tests cannot be deprecated themselves, and must build without warnings. A method may be deprecated while the requirement
/// that it fulfils is not, so what calls it through the requirement gets no warning.
@MainActor
protocol OldCode {
  init()
  func run() async throws
}

/// Runs code that uses what is deprecated.
@MainActor
func run<Code: OldCode>(_ code: Code.Type) async throws {
  try await code.init().run()
}

/// Runs code that uses what is deprecated, with the arguments of a test.
@MainActor
func run(_ code: some OldCode) async throws {
  try await code.run()
}
