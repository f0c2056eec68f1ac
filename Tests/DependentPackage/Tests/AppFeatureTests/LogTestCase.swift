import AppFeature
import Foundation
import TCAReplay
import XCTest

final class LogTestCase: XCTestCase {
  func testLogsReplay() async throws {
    try await expectReplay(of: URL(filePath: "../Logs", relativeTo: URL(filePath: #filePath))) {
      AppFeature()
    }
  }
}
