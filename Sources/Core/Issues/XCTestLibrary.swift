/// XCTest, when the process has loaded it.
enum XCTestLibrary {
  /// Fails the running test.
  ///
  /// - Returns: Whether XCTest is there.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    // XCTFail(_: String, file: StaticString, line: UInt)
    typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void
    guard
      let symbol = LoadedSymbol.address(of: "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
    else { return false }
    unsafeBitCast(symbol, to: Fail.self)(message, location.filePath, location.line)
    return true
  }
}
