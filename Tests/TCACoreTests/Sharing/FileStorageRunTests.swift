import Foundation
import TestSupport
import Testing

@testable import TCACore

/// Tests with real files, watchers and times.
@Suite(.timeLimit(.minutes(30))) struct FileStorageRunTests {
  /// A clock whose second takes some milliseconds.
  private struct FastClock: Clock {
    struct Instant: InstantProtocol {
      var real: ContinuousClock.Instant
      func advanced(by duration: Duration) -> Self { Instant(real: real + duration / 200) }
      func duration(to other: Self) -> Duration { (other.real - real) * 200 }
      static func < (lhs: Self, rhs: Self) -> Bool { lhs.real < rhs.real }
    }

    var now: Instant { Instant(real: .now) }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: Instant, tolerance _: Duration?) async throws {
      try await ContinuousClock().sleep(until: deadline.real, tolerance: .zero)
    }
  }

  @Test(arguments: [1, 2])
  func `file storage loses none of 400 writes with random pauses around the throttle's end`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let pauses = (0..<400).map { _ in
      Int.random(in: 0..<2, using: &random) == 0 ? 0 : Int.random(in: 0...7000, using: &random)
    }
    try await write(clock: FastClock()) { count in
      count < pauses.count ? .microseconds(pauses[count]) : nil
    }
  }

  /// Enabled by `.ci/run`, because it is slow.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TCA_STORAGE_MINUTE"] != nil))
  func `file storage loses no write in a minute with random pauses around the throttle's end`()
    async throws
  {
    var random = SplitMix64(seed: 3)
    let end = ContinuousClock.now + .seconds(60)
    let isOver = LockIsolated(false)
    // Additional load on each core.
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      Thread.detachNewThread { while !isOver.value {} }
    }
    defer { isOver.setValue(true) }
    let count = try await write(clock: ContinuousClock()) { _ in
      guard .now < end else { return nil }
      return switch Int.random(in: 0..<100, using: &random) {
      case 0..<10: .milliseconds(Int.random(in: 950...1050, using: &random))
      case 10..<40: .zero
      default: .microseconds(Int.random(in: 0...10_000, using: &random))
      }
    }
    print("\(count) writes in a minute, none lost")
  }

  /// Appends numbers to a file and checks each time that none is missing.
  ///
  /// - Parameters:
  ///   - clock: The clock of the storage.
  ///   - pause: The pause after a given number of writes; `nil` ends the test.
  /// - Returns: The number of writes.
  /// - Throws: The errors of the file system.
  @discardableResult
  private func write(
    clock: any Clock<Duration>,
    pause: (Int) -> Duration?
  ) async throws -> Int {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "numbers.json")
      let storage = FileStorage.fileSystem(clock: clock)
      let count = withOwnSharing {
        $0.defaultFileStorage = storage
      } operation: {
        @Shared(.fileStorage(url)) var numbers: [Int] = []
        var count = 0
        while let pause = pause(count) {
          let isWhole = $numbers.withLock { numbers in
            defer { numbers.append(count) }
            return numbers.count == count
          }
          guard isWhole else {
            Issue.record("A write before number \(count) is lost.")
            break
          }
          count += 1
          let (seconds, attoseconds) = pause.components
          let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
          if microseconds > 0 { usleep(UInt32(microseconds)) }
        }
        storage.writer.flushAll()
        #expect(numbers == Array(0..<count))
        return count
      }
      let data = try Data(contentsOf: url)
      #expect(try JSONDecoder().decode([Int].self, from: data) == Array(0..<count))
      return count
    }
  }

  @Test func `two stores that write one file alternately keep each other's writes`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "numbers.json")
      let stores = (0..<2).map { _ in
        withOwnSharing {
          $0.defaultFileStorage = .fileSystem(clock: FastClock())
        } operation: {
          Shared(wrappedValue: [Int](), .fileStorage(url))
        }
      }
      for turn in 0..<60 {
        let store = stores[turn % 2]
        while store.wrappedValue.count < turn { await Task.yield() }
        store.withLock { $0.append(turn) }
      }
      while stores[0].wrappedValue.count < 60 { await Task.yield() }
      #expect(stores.map(\.wrappedValue) == [Array(0..<60), Array(0..<60)])
    }
  }
}
