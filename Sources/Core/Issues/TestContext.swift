import Foundation
import Synchronization

/// The testing framework that runs the current code.
///
/// ```swift
/// switch TestContext.current {
/// case .swiftTesting(let testing): print(testing?.test.id.rawValue ?? "a task of its own")
/// case .xcTest: print("XCTest")
/// case nil: print("no test")
/// }
/// ```
public enum TestContext: Hashable, Sendable {
  /// Swift Testing.
  ///
  /// The payload is `nil` in detached tasks, which belong to no known test.
  case swiftTesting(Testing?)
  /// XCTest.
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
      /// The identity of the test.
      public let id: ID

      /// The identity of a test within the process.
      public struct ID: Hashable, Sendable, RawRepresentable {
        /// The id in the format of Swift Testing: `Module.Suite/test()/File.swift:5:4`.
        public let rawValue: String

        /// Creates an id from its format in Swift Testing.
        public init(rawValue: String) {
          self.rawValue = rawValue
        }
      }
    }
  }

  /// Swift Testing without a known test.
  public static var swiftTesting: TestContext { .swiftTesting(nil) }

  /// A Boolean value that indicates whether the framework is Swift Testing.
  ///
  /// ```swift
  /// if TestContext.current?.isSwiftTesting == true { Issue.record("no answer") } else { XCTFail("no answer") }
  /// ```
  public var isSwiftTesting: Bool {
    if case .swiftTesting = self { true } else { false }
  }

  /// The framework and the running test, or `nil` outside of tests.
  public static var current: TestContext? {
    guard isTesting else { return nil }
    if let test = SwiftTestingLibrary.currentTest {
      return .swiftTesting(Testing(test: Testing.Test(id: Testing.Test.ID(rawValue: test))))
    }
    return SwiftTestingLibrary.ownsProcess ? .swiftTesting(nil) : .xcTest
  }
}

/// Whether this process runs tests.
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
  // The process is a test bundle, or a program that loads one.
  return name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
}()

/// Fails the running test without linking a testing framework, which an app must not contain.
///
/// Finds both frameworks among the libraries that the process has loaded.
enum TestFailure {
  /// Fails the running test.
  ///
  /// - Parameters:
  ///   - message: The finding.
  ///   - location: The source location to which the failure is attributed.
  /// - Returns: Whether a test was running.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    switch TestContext.current {
    case .swiftTesting: recordInSwiftTesting(message, at: location)
    case .xcTest: XCTestLibrary.record(message, at: location)
    case nil: false
    }
  }

  private static func recordInSwiftTesting(_ message: String, at location: IssueLocation) -> Bool {
    if SwiftTestingLibrary.record(message, at: location) { return true }
    // Explains why a test passes despite an issue.
    if let warning = SwiftTestingLibrary.warning { DefaultIssueReporter.warn(warning) }
    return false
  }
}

/// Checks the assumptions about the testing libraries, which this library doesn't link.
enum TestingLibraries {
  /// Whether the versions of the testing libraries are supported.
  ///
  /// The memory layout of values and functions depends on the compiler version, with which the libraries are
  /// distributed.
  static var areOfKnownVersion: Bool {
    #if compiler(>=6.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }
}

/// Finds functions of libraries that the process may have loaded and that this library doesn't link.
enum LoadedSymbol {
  // Caches successes only, because a library may be loaded later. Stores addresses, because pointers aren't `Sendable`.
  private static let found = Mutex<[String: UInt]>([:])

  /// Returns the address of a function by its mangled name, or `nil` if no loaded library contains it.
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    found.withLock { found in
      if let address = found[name] { return UnsafeMutableRawPointer(bitPattern: address) }
      let symbol = dlsym(dlopen(nil, RTLD_LAZY), name)
      found[name] = symbol.map { UInt(bitPattern: $0) }
      return symbol
    }
  }
}
