#if canImport(ObjectiveC)
import Foundation
import ObjectiveC

extension XCTestObserver {
  static func add() {
    guard
      let observation = objc_getProtocol("XCTestObservation"),
      let center = NSClassFromString("XCTestObservationCenter") as? NSObject.Type,
      let shared = center.perform(Selector(("sharedTestObservationCenter")))?
        .takeUnretainedValue()
    else { return }
    class_addProtocol(TestCaseStartObserver.self, observation)
    _ = shared.perform(Selector(("addTestObserver:")), with: TestCaseStartObserver())
  }
}

private final class TestCaseStartObserver: NSObject {
  @objc(testCaseWillStart:) func testCaseWillStart(_: AnyObject) {
    DependencyDefaults.ofProcess.reset()
  }
}
#endif
