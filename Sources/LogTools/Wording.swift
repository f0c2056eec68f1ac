import ActionLog
import Foundation
import ReplayEngine

/// The words of the tools that read logs.
extension Wording {
  static func testRefers(to log: String) -> String {
    "\(log) is larger than \(GeneratedTest.most / 1000) kB, so the test refers to it; keep it where it is, or record less"
  }
}
