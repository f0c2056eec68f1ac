import AppFeature
import Foundation
import TCAReplay
import Testing

@Suite struct LogTests {
  static let logs = URL(filePath: "../Logs", relativeTo: URL(filePath: #filePath))

  @Test(arguments: try replayLogs(in: logs))
  func logsReplay(log: URL) async throws {
    try await expectReplay(of: log) { AppFeature() }
  }
}
