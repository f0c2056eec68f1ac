import ActionLog
import Synchronization
import Testing

/// A reference that counts how often it is encoded.
private struct CountedReference: LogValue {
  final class Counter: Sendable { let count = Mutex(0) }

  let counter: Counter

  func encode(to encoder: inout LogEncoder) {
    counter.count.withLock { $0 += 1 }
    encoder.encodeNull()
  }

  static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    throw decoder.error(.missing, type: Self.self)
  }

  static func survey(_ type: inout LogTypeSurvey) { type.mayHoldReferences() }

  static var _$isWellFormed: Bool { true }
}

/// The search for references in a state.
@Suite struct EncodedReferencesTests {
  @Test func `each reference in a state is encoded`() {
    let counter = CountedReference.Counter()
    let reference = CountedReference(counter: counter)
    #expect(StateTracker.encodeReferences(in: [reference, reference]))
    #expect(counter.count.withLock { $0 } == 2)
    #expect(StateTracker.encodeReferences(in: ["a": reference as CountedReference?]))
    #expect(counter.count.withLock { $0 } == 3)
  }

  @Test func `a type without references is skipped`() {
    #expect(!StateTracker.encodeReferences(in: [1, 2]))
    #expect(StateTracker.encodeReferences(in: [CountedReference]()))
  }
}
