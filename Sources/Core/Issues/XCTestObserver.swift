import Foundation
import Synchronization

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

#if canImport(ObjectiveC)
import ObjectiveC

extension XCTestObserver {
  fileprivate static func add() {
    guard
      let observation = objc_getProtocol("XCTestObservation"),
      let center = NSClassFromString("XCTestObservationCenter") as? NSObject.Type,
      let shared = center.perform(Selector(("sharedTestObservationCenter")))?
        .takeUnretainedValue()
    else { return }
    class_addProtocol(ObservingObject.self, observation)
    _ = shared.perform(Selector(("addTestObserver:")), with: ObservingObject())
  }
}

private final class ObservingObject: NSObject {
  @objc(testCaseWillStart:) func testCaseWillStart(_: AnyObject) {
    DependencyDefaults.reset()
  }
}
#else
extension XCTestObserver {
  /// What `XCTestObservationCenter.addTestObserver(_:)` is: a function and the object that it belongs to.
  ///
  /// The runtime hands a closure's context over as it hands a method its `self`.
  private struct AddTestObserver {
    let function: (any XCTestObserving) -> Void
  }

  fileprivate static func add() {
    // XCTestObservationCenter.shared, and its method.
    typealias Shared = @convention(thin) () -> AnyObject
    guard
      hasKnownProtocol,
      let get = LoadedSymbol.address(of: "$s6XCTest0A17ObservationCenterC6sharedACvgZ"),
      let method = LoadedSymbol.address(
        of: "$s6XCTest0A17ObservationCenterC15addTestObserveryyAA0aB0_pF"
      )
    else { return }
    let center = unsafeBitCast(get, to: Shared.self)()
    let add = unsafeBitCast((method, center), to: AddTestObserver.self)
    add.function(Observer())
  }

  /// Whether `XCTestObservation` has the requirements that are written out below.
  private static var hasKnownProtocol: Bool {
    guard let descriptor = LoadedSymbol.address(of: "$s6XCTest0A11ObservationMp") else {
      return false
    }
    // A protocol's descriptor: flags, parent, name, number of generic requirements, number of requirements.
    return descriptor.load(fromByteOffset: 16, as: UInt32.self) == 7
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
  func testCaseWillStart(_: AnyObject) { DependencyDefaults.reset() }
  func testCase(_: AnyObject, didFailWithDescription: String, inFile: String?, atLine: Int) {}
  func testCaseDidFinish(_: AnyObject) {}
  func testSuiteDidFinish(_: AnyObject) {}
  func testBundleDidFinish(_: AnyObject) {}
}
#endif
