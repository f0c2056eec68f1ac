import Testing

@testable import TCACore

/// The assumptions about libraries that are not linked.
@Suite struct LibraryLayoutTests {
  @Test func `TCACore supports the version of Swift Testing in this toolchain`() {
    #expect(TestingLibraryCompatibility.isKnownVersion)
    #expect(SwiftTestingLibrary.warning == nil)
  }

  @Test(arguments: [1, 1, 2], ["a", "b"])
  func `SwiftTestingLibrary reads the current arguments of a parameterized test`(
    number: Int,
    text: String
  ) throws {
    let arguments = try #require(SwiftTestingLibrary.currentArguments)
    #expect(arguments.ids == [Array("\(number)".utf8), Array("\"\(text)\"".utf8)])
    #expect(number == 1 || arguments.discriminator == 0)
  }

  @Test func `SwiftTestingLibrary has no current arguments in a test without parameters`() {
    #expect(SwiftTestingLibrary.currentTest?.contains("LibraryLayoutTests") == true)
    #expect(SwiftTestingLibrary.currentArguments == nil)
  }

  @Test func `an unknown version of Swift Testing produces a warning`() {
    let text = """
      This version of Swift Testing is not known to TCACore. Issues are written as warnings, and fail no test. \
      Update the package.
      """
    #expect(
      SwiftTestingLibrary.warning(isKnownVersion: false, symbol: DynamicSymbolLookup.address)
        == text
    )
    #expect(SwiftTestingLibrary.warning(isKnownVersion: true) { _ in nil } == text)
  }

  #if !canImport(ObjectiveC)
  /// Returns the words of a protocol's descriptor.
  private static func descriptor(requirements: [UInt32], generic: Int = 1) -> [UInt32] {
    let header: [UInt32] = [0x0001_0003, 0, 0, UInt32(generic), UInt32(requirements.count), 0]
    return header + Array(repeating: 0, count: 3 * generic) + requirements.flatMap { [$0, 0] }
  }

  @Test(
    arguments: [
      (Array(repeating: 0x11, count: 7), true, true),
      (Array(repeating: 0x11, count: 7), false, false),
      (Array(repeating: 0x11, count: 8), true, false),
      (Array(repeating: 0x11, count: 6), true, false),
      ([0x11, 0x11, 0x13, 0x11, 0x11, 0x11, 0x11], true, false),
      ([0x11, 0x11, 0x01, 0x11, 0x11, 0x11, 0x11], true, false),
    ] as [([UInt32], Bool, Bool)]
  )
  func `an unknown layout of XCTest's observers produces a warning`(
    requirements: [UInt32],
    isKnownVersion: Bool,
    isUsable: Bool
  ) {
    var words = Self.descriptor(requirements: requirements)
    let warning = words.withUnsafeMutableBytes { bytes in
      let address = bytes.baseAddress
      return XCTestObserver.warning(isKnownVersion: isKnownVersion) { _ in address }
    }
    let text = """
      This version of XCTest is not known to TCACore, which cannot learn from it that a test begins. Default values \
      of dependencies stay from one test case to the next. Set the dependencies of each test, or update the package.
      """
    #expect(warning == (isUsable ? nil : text))
  }

  @Test func `an XCTest without the observer's symbol produces a warning`() {
    #expect(XCTestObserver.warning(isKnownVersion: true) { _ in nil } == Messages.unknownXCTest)
  }
  #endif
}
