import Foundation
import OrdersFeature
import TCAReplaying
import Testing

private let logs = URL(filePath: "../Logs", relativeTo: URL(filePath: #filePath))

@Test func `each recorded log of Orders replays as identical`() async throws {
  try await expectReplay(of: logs) { Orders() }
}
