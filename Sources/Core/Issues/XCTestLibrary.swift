import Foundation
import Synchronization

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

/// Learns from XCTest that a test begins, without linking it.
enum XCTestObserver {
  private static let isRegistered = Mutex(false)

  /// Registers the observer with XCTest, once.
  static func register() {
    let isFirst = isRegistered.withLock { isRegistered in
      defer { isRegistered = true }
      return !isRegistered
    }
    guard isFirst else { return }
    // XCTest goes through its observers on the main thread, and nothing guards the list.
    if Thread.isMainThread { add() } else { DispatchQueue.main.async { add() } }
  }
}

#if !canImport(ObjectiveC)
extension XCTestObserver {
  /// The layout of `XCTestObservationCenter.addTestObserver(_:)`: a function and the object that it belongs to.
  ///
  /// The runtime hands a closure's context over as it hands a method its `self`.
  private struct AddTestObserver {
    let function: (any XCTestObserving) -> Void
  }

  static func add() {
    // XCTestObservationCenter.shared, and its method.
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

  /// Why the observer cannot be registered, nil if it can.
  ///
  /// - Parameters:
  ///   - isKnownVersion: Whether the libraries are of a version that this one was written for.
  ///   - symbol: Finds what the process has loaded.
  /// - Returns: The text of a warning.
  static func warning(
    isKnownVersion: Bool,
    symbol: (String) -> UnsafeMutableRawPointer?
  ) -> String? {
    guard isKnownVersion, symbol(methodName) != nil, let descriptor = symbol(protocolName),
      hasKnownRequirements(descriptor)
    else { return Messages.unknownXCTest }
    return nil
  }

  /// Whether a protocol has as many requirements as are written out below, all of them methods of instances.
  private static func hasKnownRequirements(_ descriptor: UnsafeMutableRawPointer) -> Bool {
    // A protocol's descriptor: flags, parent, name, number of generic requirements (12 bytes each), number of
    // requirements (8 bytes each, their flags first), names of associated types.
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
/// A protocol of the same shape has witness tables of the same layout. It must not be private: the optimizer would
/// drop the methods, which nothing here calls.
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
