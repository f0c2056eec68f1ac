import Foundation
import Synchronization

/// Access to XCTest, if the process has loaded it, without linking it.
enum XCTestLibrary {
  /// Fails the running test.
  ///
  /// - Returns: Whether XCTest is available.
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

/// Observes the start of XCTest tests without linking XCTest.
enum XCTestObserver {
  private static let isRegistered = Mutex(false)

  /// Registers the observer with XCTest.
  ///
  /// Further calls have no effect.
  static func register() {
    let isFirst = isRegistered.withLock { isRegistered in
      defer { isRegistered = true }
      return !isRegistered
    }
    guard isFirst else { return }
    // XCTest iterates over its observers on the main thread without synchronization.
    if Thread.isMainThread { add() } else { DispatchQueue.main.async { add() } }
  }
}

#if !canImport(ObjectiveC)
extension XCTestObserver {
  /// The layout of `XCTestObservationCenter.addTestObserver(_:)`: a function and the object on which it is called.
  ///
  /// The runtime passes the context of a closure in the same way as the `self` of a method.
  private struct AddTestObserver {
    let function: (any XCTestObserving) -> Void
  }

  static func add() {
    // XCTestObservationCenter.shared, and the type of its method.
    typealias Shared = @convention(thin) () -> AnyObject
    guard let get = LoadedSymbol.address(of: centerName) else { return }
    if let warning = Self.warning { return DefaultIssueReporter.warn(warning) }
    guard let method = LoadedSymbol.address(of: methodName) else { return }
    let center = unsafeBitCast(get, to: Shared.self)()
    let add = unsafeBitCast((method, center), to: AddTestObserver.self)
    add.function(Observer())
  }

  private static let centerName = "$s6XCTest0A17ObservationCenterC6sharedACvgZ"
  private static let methodName = "$s6XCTest0A17ObservationCenterC15addTestObserveryyAA0aB0_pF"
  private static let protocolName = "$s6XCTest0A11ObservationMp"

  private static var warning: String? {
    Self.warning(isKnownVersion: TestingLibraries.areOfKnownVersion, symbol: LoadedSymbol.address)
  }

  /// Returns a warning why the observer can't be registered, or `nil` if it can.
  ///
  /// - Parameters:
  ///   - isKnownVersion: Whether the versions of the libraries are ones that this code supports.
  ///   - symbol: Returns the address of a loaded symbol.
  /// - Returns: The text of the warning.
  static func warning(
    isKnownVersion: Bool,
    symbol: (String) -> UnsafeMutableRawPointer?
  ) -> String? {
    guard isKnownVersion, symbol(methodName) != nil, let descriptor = symbol(protocolName),
      hasKnownRequirements(descriptor)
    else { return Messages.unknownXCTest }
    return nil
  }

  /// Whether a protocol has exactly as many requirements as the declaration below, all of them instance methods.
  private static func hasKnownRequirements(_ descriptor: UnsafeMutableRawPointer) -> Bool {
    // The layout of a protocol descriptor: flags, parent, name, number of generic requirements (12 bytes each), number
    // of requirements (8 bytes each, flags first), names of associated types.
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
/// A protocol of the same shape has witness tables of the same layout. It must not be private, because the optimizer
/// would then remove the methods, which have no callers in this module.
package protocol XCTestObserving: AnyObject {
  func testBundleWillStart(_: AnyObject)
  func testSuiteWillStart(_: AnyObject)
  func testCaseWillStart(_: AnyObject)
  func testCase(_: AnyObject, didFailWithDescription: String, inFile: String?, atLine: Int)
  func testCaseDidFinish(_: AnyObject)
  func testSuiteDidFinish(_: AnyObject)
  func testBundleDidFinish(_: AnyObject)
}

private final class Observer: XCTestObserving {
  func testBundleWillStart(_: AnyObject) {}
  func testSuiteWillStart(_: AnyObject) {}
  func testCaseWillStart(_: AnyObject) { DependencyDefaults.ofProcess.reset() }
  func testCase(_: AnyObject, didFailWithDescription: String, inFile: String?, atLine: Int) {}
  func testCaseDidFinish(_: AnyObject) {}
  func testSuiteDidFinish(_: AnyObject) {}
  func testBundleDidFinish(_: AnyObject) {}
}
#endif
