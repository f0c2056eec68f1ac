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
  /// Swift Testing; nil in tasks that do not inherit from their creator, which no test can be told of.
  case swiftTesting(Testing?)
  /// XCTest.
  case xcTest

  /// What Swift Testing is doing.
  public struct Testing: Hashable, Sendable {
    /// The running test.
    public let test: Test

    /// A test of Swift Testing.
    public struct Test: Hashable, Sendable, Identifiable {
      /// What the test is known by.
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
