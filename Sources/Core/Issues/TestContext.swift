import Foundation
import Synchronization

/// The test framework that the current code runs under.
///
/// ```swift
/// switch TestContext.current {
/// case .swiftTesting(let testing): print(testing?.test.id.rawValue ?? "a task of its own")
/// case .xcTest: print("XCTest")
/// case nil: print("no test")
/// }
/// ```
public enum TestContext: Hashable, Sendable {
  /// Swift Testing; nil in tasks that do not inherit from their creator, which belong to no known test.
  case swiftTesting(Testing?)
  /// XCTest.
  case xcTest

  /// The activity of Swift Testing.
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
        /// The identity as Swift Testing writes it: `Module.Suite/test()/File.swift:5:4`.
        public let rawValue: String

        /// Takes an identity as Swift Testing writes it.
        public init(rawValue: String) {
          self.rawValue = rawValue
        }
      }
    }
  }

  /// Swift Testing, whatever the test.
  public static var swiftTesting: TestContext { .swiftTesting(nil) }

  /// Whether it is Swift Testing.
  ///
  /// ```swift
  /// if TestContext.current?.isSwiftTesting == true { Issue.record("no answer") } else { XCTFail("no answer") }
  /// ```
  public var isSwiftTesting: Bool {
    if case .swiftTesting = self { true } else { false }
  }

  /// The framework and the test that run now, nil outside of tests.
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
  // A test bundle that is run by itself, or one of the programs that load a bundle.
  return name.hasSuffix(".xctest") || name == "xctest" || name == "swiftpm-testing-helper"
}()

/// Fails the running test without linking a test framework, which an app must not carry.
///
/// Both frameworks are looked up among what the process has loaded.
enum TestFailure {
  /// Fails the running test.
  ///
  /// - Parameters:
  ///   - message: What was found.
  ///   - location: The source code to blame.
  /// - Returns: Whether there was a test to fail.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    switch TestContext.current {
    case .swiftTesting: recordInSwiftTesting(message, at: location)
    case .xcTest: XCTestLibrary.record(message, at: location)
    case nil: false
    }
  }

  private static func recordInSwiftTesting(_ message: String, at location: IssueLocation) -> Bool {
    if SwiftTestingLibrary.record(message, at: location) { return true }
    // A test that passes although an issue was found has to say why.
    if let warning = SwiftTestingLibrary.warning { DefaultIssueReporter.warn(warning) }
    return false
  }
}

/// The assumptions about the testing libraries, which this library does not link.
enum TestingLibraries {
  /// Whether they are of a version that this library was written for.
  ///
  /// How values and functions lie in memory belongs to the version of the compiler, which they come with.
  static var areOfKnownVersion: Bool {
    #if compiler(>=6.0) && compiler(<7.0)
    true
    #else
    false
    #endif
  }
}

/// Functions of libraries that the process may have loaded, and that this library does not link.
enum LoadedSymbol {
  // Only what was found is kept: a library may be loaded later. Addresses, because pointers are not Sendable.
  private static let found = Mutex<[String: UInt]>([:])

  /// The address of a function by its mangled name, nil as long as no loaded library has it.
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    found.withLock { found in
      if let address = found[name] { return UnsafeMutableRawPointer(bitPattern: address) }
      let symbol = dlsym(dlopen(nil, RTLD_LAZY), name)
      found[name] = symbol.map { UInt(bitPattern: $0) }
      return symbol
    }
  }
}
