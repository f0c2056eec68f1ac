/// Code that uses deprecated declarations.
///
/// Tests cannot be deprecated themselves, and must build without warnings. A method may be deprecated although the
/// requirement that it implements is not. A call through the requirement therefore gives no warning.
@MainActor
protocol OldCode {
  init()
  func run() async throws
}

/// Runs code that uses deprecated declarations.
@MainActor
func run<Code: OldCode>(_ code: Code.Type) async throws {
  try await code.init().run()
}

/// Runs code that uses deprecated declarations, with the arguments of a test.
@MainActor
func run(_ code: some OldCode) async throws {
  try await code.run()
}
