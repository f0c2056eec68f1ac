import ReplayEngine
import Testing

/// The record of progress that another process reads after a crash.
@Suite struct CrashProgressRecordTests {
  private static let capacity = CrashProgressRecord.trailCapacity

  @Test(arguments: [0, 1, 2, capacity - 1, capacity, capacity + 1, capacity + 2])
  func `the trail has all steps of a search, or none if there are more than fit`(count: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: CrashProgressRecord.size,
      alignment: 4096
    )
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: CrashProgressRecord.size)
    let record = CrashProgressRecord(memory)
    for depth in 0..<count {
      record.record(step: depth * 3, at: depth)
      #expect(record.phase == .step)
      record.leaveStep()
    }
    let expected = count <= Self.capacity ? (0..<count).map { $0 * 3 } : nil
    #expect(record.steps == expected)
    // A search that went back has fewer steps.
    record.record(step: 7, at: 0)
    #expect(record.steps == [7])
  }
}
