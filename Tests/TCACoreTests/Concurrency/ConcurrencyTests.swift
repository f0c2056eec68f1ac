import Foundation
import TCACore
import Testing

@Suite struct ConcurrencyTests {
  private struct Failed: Error {}

  // MARK: Values

  @Test
  func `AnyHashableSendable is written as a literal and wraps an existential without nesting`() {
    let values: [AnyHashableSendable] = [1, "a", true, 2.5]
    #expect(values.map(\.description) == ["1", "a", "true", "2.5"])
    let base: any Hashable & Sendable = "a"
    #expect(AnyHashableSendable(base) == "a")
    #expect(AnyHashableSendable(AnyHashableSendable(base) as any Hashable & Sendable) == "a")
  }

  @Test
  func `AnyHashableSendable compares values as AnyHashable does and describes the wrapped value`() {
    let values: [any Hashable & Sendable] = [1, "a", AnyHashableSendable(1), UInt8(1)]
    let hidden = values.map { AnyHashableSendable($0) }
    #expect(hidden[0] == hidden[2] && hidden[0] != hidden[1])
    #expect(hidden[0] == hidden[3] && AnyHashable(1) == AnyHashable(UInt8(1)))
    #expect(Set(hidden).count == 2)
    #expect(hidden.map(\.description) == ["1", "a", "1", "1"])
    #expect(hidden[1].debugDescription == "AnyHashableSendable(\"a\")")
    #expect(hidden[2].base is Int)
  }

  @Test func `UncheckedSendable is compared and coded as its value`() async throws {
    final class Counter { var count = 0 }
    let counter = UncheckedSendable(Counter())
    await Task.detached { counter.value.count += 1 }.value
    #expect(counter.count == 1)
    var numbers = UncheckedSendable([1, 2])
    numbers.value.append(3)
    #expect(numbers == UncheckedSendable([1, 2, 3]))
    let data = try JSONEncoder().encode(numbers)
    #expect(String(decoding: data, as: UTF8.self) == "[1,2,3]")
    #expect(try JSONDecoder().decode(UncheckedSendable<[Int]>.self, from: data) == numbers)
  }

  @Test func `Result captures the value or the error of an asynchronous operation`() async {
    let success = await Result { try await Task.sleep(for: .zero) }
    #expect((try? success.get()) != nil)
    let failure: Result<Int, Failed> = await Result { () async throws(Failed) -> Int in
      await Task.yield()
      throw Failed()
    }
    #expect(throws: Failed.self) { try failure.get() }
  }

  @Test func `LockIsolated can be read and set while withValue holds its lock`() {
    let value = LockIsolated([1])
    value.withValue {
      #expect(value.count == 1)
      $0.append(2)
    }
    value.setValue(value.value + [3])
    #expect(value.value == [1, 2, 3])
  }

  @Test func `AnyHashableSendable cast to AnyHashable equals and hashes as the wrapped value`() {
    let one = AnyHashableSendable(1) as AnyHashable
    #expect(one == 1 as AnyHashable)
    #expect(one.hashValue == (1 as AnyHashable).hashValue)
    #expect(one as? Int == 1)
    #expect(one.base is Int)
    let names: [AnyHashable: String] = [1: "one", "two": "two"]
    #expect(names[AnyHashableSendable(1)] == "one")
    #expect(names[AnyHashableSendable("two")] == "two")
    #expect([AnyHashableSendable(1) as AnyHashable: "one"][1] == "one")
  }

  // MARK: Tasks

  @Test func `cancellableValue cancels the awaited task with the waiting task`() async {
    let inner = Task<Int, any Error> { try await Task<Int, Never>.never() }
    let outer = Task { try await inner.cancellableValue }
    outer.cancel()
    await #expect(throws: CancellationError.self) { try await outer.value }
    #expect(inner.isCancelled)

    let quiet = Task<Bool, Never> {
      try? await Task.never()
      return Task.isCancelled
    }
    let waiting = Task { await quiet.cancellableValue }
    waiting.cancel()
    #expect(await waiting.value)
    #expect(await Task<Int, Never> { 7 }.cancellableValue == 7)
  }

  // MARK: Streams

  /// Produces numbers, then an optional error.
  private struct Numbers: AsyncSequence, Sendable {
    let count: Int
    var error: Failed?

    struct Iterator: AsyncIteratorProtocol {
      var next = 0
      let numbers: Numbers

      mutating func next() async throws -> Int? {
        guard next < numbers.count else {
          if let error = numbers.error { throw error }
          return nil
        }
        next += 1
        return next
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
  }

  @Test func `an erased stream yields the elements of its sequence in order`() async throws {
    var numbers: [Int] = []
    for await number in Numbers(count: 3).eraseToStream() { numbers.append(number) }
    #expect(numbers == [1, 2, 3])
    for try await number in Numbers(count: 2).eraseToThrowingStream() { numbers.append(number) }
    #expect(numbers == [1, 2, 3, 1, 2])
  }

  @Test func `an error ends eraseToStream and is thrown by eraseToThrowingStream`() async {
    var numbers: [Int] = []
    let sequence = Numbers(count: 1, error: Failed())
    for await number in sequence.eraseToStream() { numbers.append(number) }
    #expect(numbers == [1])
    await #expect(throws: Failed.self) {
      for try await number in sequence.eraseToThrowingStream() { numbers.append(number) }
    }
    #expect(numbers == [1, 1])
  }

  @Test func `finished streams end at once, and never streams wait for cancellation`() async {
    for await _ in AsyncStream<Int>.finished { Issue.record("a finished stream gave something") }
    await #expect(throws: Failed.self) {
      for try await _ in AsyncThrowingStream<Int, any Error>.finished(throwing: Failed()) {}
    }
    await #expect(throws: Never.self) {
      for try await _ in AsyncThrowingStream<Int, any Error>.finished() {}
    }
    let task = Task {
      for await _ in AsyncStream<Int>.never {}
      for try await _ in AsyncThrowingStream<Int, any Error>.never {}
      return Task.isCancelled
    }
    task.cancel()
    #expect(await (try? task.value) == true)
  }
}
