import Synchronization

/// A ring of segments in memory, from which the oldest segments are dropped.
final class SegmentMemory: LogStorage {
  let limits: LogDestination.RingLimits?
  private let segments = Mutex<[Segment]>([])

  private struct Segment: Sendable {
    let number: Int
    let opened: Double
    let sink: MemorySink
  }

  init(_ limits: LogDestination.RingLimits) { self.limits = limits }

  func open(segment: Int, at now: Double) throws -> any LogSink {
    let sink = MemorySink()
    segments.withLock { segments in
      segments.append(Segment(number: segment, opened: now, sink: sink))
      let held = segments.map {
        LogDestination.RingSegment(bytes: $0.sink.bytes.count, opened: $0.opened)
      }
      segments.removeFirst(limits?.surplus(of: held, at: now) ?? 0)
    }
    return sink
  }

  var firstSegment: Int { segments.withLock { $0.first?.number ?? 1 } }

  func read() throws -> [[UInt8]] { segments.withLock { $0.map(\.sink.bytes) } }
}

private final class MemorySink: LogSink {
  private let lines = Mutex<[UInt8]>([])

  var bytes: [UInt8] { lines.withLock { $0 } }

  func append(_ lines: [UInt8]) throws { self.lines.withLock { $0 += lines } }
}
