import Foundation
import OrdersFeature
import TCAReplaying
import Testing

private let logs = URL(filePath: "../Logs", relativeTo: URL(filePath: #filePath))

@Test func `old logs stay green`() async throws {
  try await expectReplay(of: logs) { Orders() }
}
