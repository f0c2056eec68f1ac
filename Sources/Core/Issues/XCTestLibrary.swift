import Foundation
import Synchronization

/// Access to XCTest without linking it, for processes that have loaded the library.
enum XCTestLibrary {
  /// Fails the running test.
  ///
  /// - Returns: Whether XCTest is available.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    // Calls `XCTFail(_: String, file: StaticString, line: UInt)`.
    typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void
    guard
      let symbol = DynamicSymbolLookup.address(
        of: "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
      )
    else { return false }
    unsafeBitCast(symbol, to: Fail.self)(message, location.filePath, location.line)
    return true
  }
}

/// An observer of the start of XCTest tests, which is registered without linking XCTest.
enum XCTestObserver {
  private static let isRegistered = Mutex(false)

  /// Registers the observer with XCTest at the first call.
  static func register() {
    let isFirst = isRegistered.withLock { isRegistered in
      defer { isRegistered = true }
      return !isRegistered
    }
    guard isFirst else { return }
    // Adds the observer on the main thread, because XCTest iterates over its observers there without synchronization.
    if Thread.isMainThread { add() } else { DispatchQueue.main.async { add() } }
  }
}

#if !canImport(ObjectiveC)
extension XCTestObserver {
  /// The memory layout of the method `addTestObserver(_:)`: a function and the object on which it is called.
  ///
  /// The runtime passes the context of a closure in the same way as the `self` of a method.
  private struct AddTestObserver {
    let function: (any XCTestObserving) -> Void
  }

  static func add() {
    // The type of the getter of `XCTestObservationCenter.shared`.
    typealias Shared = @convention(thin) () -> AnyObject
    guard let get = DynamicSymbolLookup.address(of: centerName) else { return }
    if let warning = Self.warning { return DefaultIssueReporter.warn(warning) }
    guard let method = DynamicSymbolLookup.address(of: methodName) else { return }
    let center = unsafeBitCast(get, to: Shared.self)()
    let add = unsafeBitCast((method, center), to: AddTestObserver.self)
    add.function(TestCaseStartObserver())
  }

  private static let centerName = "$s6XCTest0A17ObservationCenterC6sharedACvgZ"
  private static let methodName = "$s6XCTest0A17ObservationCenterC15addTestObserveryyAA0aB0_pF"
  private static let protocolName = "$s6XCTest0A11ObservationMp"

  private static var warning: String? {
    Self.warning(
      isKnownVersion: TestingLibraryCompatibility.isKnownVersion,
      symbol: DynamicSymbolLookup.address
    )
  }

  /// Returns a warning that explains why the observer can't be registered, or `nil` if it can.
  ///
  /// - Parameters:
  ///   - isKnownVersion: Whether this code supports the versions of the testing libraries.
  ///   - symbol: A function that returns the address of a loaded symbol by its mangled name, or `nil`.
  /// - Returns: The warning, or `nil` if the observer can be registered.
  static func warning(
    isKnownVersion: Bool,
    symbol: (String) -> UnsafeMutableRawPointer?
  ) -> String? {
    guard isKnownVersion, symbol(methodName) != nil, let descriptor = symbol(protocolName),
      hasKnownRequirements(descriptor)
    else { return Messages.unknownXCTest }
    return nil
  }

  /// Returns whether a protocol has as many requirements as `XCTestObserving`, all of which are instance methods.
  private static func hasKnownRequirements(_ descriptor: UnsafeMutableRawPointer) -> Bool {
    // A protocol descriptor contains: flags, parent, name, number of generic requirements (12 bytes each), number of
    // requirements (8 bytes each, beginning with their flags), and the names of associated types.
    func word(_ offset: Int) -> UInt32 { descriptor.load(fromByteOffset: offset, as: UInt32.self) }
    let count = 7
    guard word(16) == count, word(12) < 8 else { return false }
    let requirements = 24 + 12 * Int(word(12))
    let instanceMethod: UInt32 = 0x11
    return (0..<count).allSatisfy { word(requirements + 8 * $0) & 0x1F == instanceMethod }
  }
}

/// The requirements of `XCTestObservation`, in order.
///
/// A protocol of the same shape has witness tables of the same layout. The protocol must not be private, because the
/// optimizer would then remove the methods, which have no callers in this module.
package protocol XCTestObserving: AnyObject {
  func testBundleWillStart(_: AnyObject)
  func testSuiteWillStart(_: AnyObject)
  func testCaseWillStart(_: AnyObject)
  func testCase(_: AnyObject, didFailWithDescription: String, inFile: String?, atLine: Int)
  func testCaseDidFinish(_: AnyObject)
  func testSuiteDidFinish(_: AnyObject)
  func testBundleDidFinish(_: AnyObject)
}

private final class TestCaseStartObserver: XCTestObserving {
  func testBundleWillStart(_: AnyObject) {}
  func testSuiteWillStart(_: AnyObject) {}
  func testCaseWillStart(_: AnyObject) { DependencyDefaults.ofProcess.reset() }
  func testCase(_: AnyObject, didFailWithDescription: String, inFile: String?, atLine: Int) {}
  func testCaseDidFinish(_: AnyObject) {}
  func testSuiteDidFinish(_: AnyObject) {}
  func testBundleDidFinish(_: AnyObject) {}
}
#endif
