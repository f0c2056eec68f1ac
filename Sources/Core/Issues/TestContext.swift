import Foundation
import Synchronization

/// The testing framework that runs the current code.
///
/// ```swift
/// switch TestContext.current {
/// case .swiftTesting(let testing): print(testing?.test.id.rawValue ?? "a detached task")
/// case .xcTest: print("XCTest")
/// case nil: print("no test")
/// }
/// ```
public enum TestContext: Hashable, Sendable {
  /// The code runs in a test of Swift Testing.
  ///
  /// The payload is `nil` in detached tasks, whose test is unknown.
  case swiftTesting(Testing?)
  /// The code runs in a test of XCTest.
  case xcTest

  /// The current test of Swift Testing.
  ///
  /// ```swift
  /// if case .swiftTesting(let testing?) = TestContext.current { print(testing.test.id.rawValue) }
  /// ```
  public struct Testing: Hashable, Sendable {
    /// The running test.
    public let test: Test

    /// A test of Swift Testing.
    ///
    /// ```swift
    /// testing.test.id.rawValue  // AppTests.CounterTests/increments()/CounterTests.swift:5:4
    /// ```
    public struct Test: Hashable, Sendable, Identifiable {
      /// The identity of the test within the process.
      public let id: ID

      /// The identity of a test of Swift Testing within the process.
      public struct ID: Hashable, Sendable, RawRepresentable {
        /// The id in the format of Swift Testing: `Module.Suite/test()/File.swift:5:4`.
        public let rawValue: String

        /// Creates an id from its text in the format of Swift Testing.
        public init(rawValue: String) {
          self.rawValue = rawValue
        }
      }
    }
  }

  /// The context of code in an unknown test of Swift Testing.
  public static var swiftTesting: TestContext { .swiftTesting(nil) }

  /// A Boolean value that indicates whether the framework is Swift Testing.
  ///
  /// ```swift
  /// if TestContext.current?.isSwiftTesting == true { Issue.record("no answer") } else { XCTFail("no answer") }
  /// ```
  public var isSwiftTesting: Bool {
    if case .swiftTesting = self { true } else { false }
  }

  /// The framework and the running test; `nil` outside of tests.
  public static var current: TestContext? {
    guard isTesting else { return nil }
    if let test = SwiftTestingLibrary.currentTest {
      return .swiftTesting(Testing(test: Testing.Test(id: Testing.Test.ID(rawValue: test))))
    }
    return SwiftTestingLibrary.ownsProcess ? .swiftTesting(nil) : .xcTest
  }
}

/// Whether the current process runs tests.
///
/// ```swift
/// if !isTesting { analytics.start() }
/// ```
public let isTesting: Bool = {
  let process = ProcessInfo.processInfo
  if process.environment["XCTestConfigurationFilePath"] != nil { return true }
  if process.environment["XCTestBundlePath"] != nil { return true }
  guard let program = process.arguments.first else { return false }
  let name = URL(fileURLWithPath: program).lastPathComponent
  // The executable is a test bundle, or a program that loads one.
  return name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
}()

/// A function that fails the running test.
///
/// The function looks for both testing frameworks among the libraries that the process has loaded. It doesn't link
/// them, because an app must not contain them.
enum TestFailure {
  /// Fails the running test, in whichever framework runs it.
  ///
  /// - Parameters:
  ///   - message: The message of the failure.
  ///   - location: The source location to which the failure is attributed.
  /// - Returns: Whether a testing framework has recorded the failure.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    switch TestContext.current {
    case .swiftTesting: recordInSwiftTesting(message, at: location)
    case .xcTest: XCTestLibrary.record(message, at: location)
    case nil: false
    }
  }

  private static func recordInSwiftTesting(_ message: String, at location: IssueLocation) -> Bool {
    if SwiftTestingLibrary.record(message, at: location) { return true }
    // The warning explains why a test passes despite an issue.
    if let warning = SwiftTestingLibrary.warning { DefaultIssueReporter.warn(warning) }
    return false
  }
}

/// The assumptions about testing libraries that this library calls without linking them.
enum TestingLibraryCompatibility {
  /// Whether this code supports the versions of the testing libraries.
  ///
  /// The layout of values and the calling convention depend on the version of the compiler, which is distributed with
  /// the libraries.
  static var isKnownVersion: Bool {
    #if compiler(>=6.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }
}

/// A lookup of functions in libraries that the process may have loaded and that this library doesn't link.
enum DynamicSymbolLookup {
  // Stores only addresses that were found, because a library may be loaded later. The addresses are integers, because
  // pointers aren't `Sendable`.
  private static let found = Mutex<[String: UInt]>([:])

  /// Returns the address of a function with a mangled name, or `nil` if no loaded library contains the function.
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    found.withLock { found in
      if let address = found[name] { return UnsafeMutableRawPointer(bitPattern: address) }
      let symbol = dlsym(dlopen(nil, RTLD_LAZY), name)
      found[name] = symbol.map { UInt(bitPattern: $0) }
      return symbol
    }
  }
}
