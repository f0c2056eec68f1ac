import Foundation
import OrdersFeature
import TCAReplaying
import Testing

private let logs = URL(filePath: "../Logs", relativeTo: URL(filePath: #filePath))

@Test func `the recorded logs of Orders replay`() async throws {
  try await expectReplay(of: logs) { Orders() }
}
