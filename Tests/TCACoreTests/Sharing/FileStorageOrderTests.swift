import Foundation
import TestSupport
import Testing

@testable import TCACore

/// `@Shared(.fileStorage)` loses no write in any order of writes, flushes, notifications and reads.
@Suite(.serialized, .timeLimit(.minutes(30))) struct FileStorageOrderTests {
  // MARK: Steps that exclude each other

  private enum Step: CaseIterable { case write, flush, notify, read, load }

  @Test func `in every order of five steps, a single process loses no write to its file`() {
    var orders = 0
    Self.forEachOrder(of: Step.allCases, count: 5) { steps in
      let disk = LateDisk()
      let process = SharingProcess(disk)
      var written: [Int] = []
      for step in steps {
        switch step {
        case .write:
          written.append(written.count)
          process.append(written.count - 1)
        case .flush: process.timer.fire()
        case .notify: process.files.notify()
        case .load: process.load()
        case .read:
          guard process.newReference().wrappedValue == written else { return Self.fail(steps) }
        }
        guard process.shared.wrappedValue == written else { return Self.fail(steps) }
      }
      SharingProcess.settle([process])
      let file = SharingProcess.numbers(disk[SharingProcess.url])
      if process.shared.wrappedValue != written || file != written { Self.fail(steps) }
      orders += 1
    }
    #expect(orders == 3125)
  }

  private enum Side: Int, CaseIterable { case left, right }
  private struct TurnStep: CustomStringConvertible {
    let side: Side
    let step: Step
    var description: String { "\(side) \(step)" }

    static let all = Side.allCases.flatMap { side in
      [Step.write, .flush, .notify].map { TurnStep(side: side, step: $0) }
    }
  }

  @Test func `in every order of five steps, two processes that write alternately lose no write`() {
    var byTurns = 0
    Self.forEachOrder(of: TurnStep.all, count: 5) { steps in
      // Orders that begin on the other side are the same with the sides swapped.
      guard steps[0].side == .left || Thoroughness.isHigh else { return }
      if Self.runsByTurns(steps) { byTurns += 1 }
    }
    #expect(byTurns > 250)
  }

  @Test(arguments: [1, 2, 3])
  func `in long random orders, two processes that write alternately lose no write`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var byTurns = 0
    for _ in 0..<100 {
      let steps = (0..<60).map { _ in TurnStep.all[Int.random(in: 0..<6, using: &random)] }
      if Self.runsByTurns(steps, writesOnlyInTurn: true) { byTurns += 1 }
    }
    #expect(byTurns == 100)
  }

  /// Runs steps of two processes, and checks that they agree at the end.
  ///
  /// - Returns: Whether each write happened after the other's last one was seen, so that none may be lost.
  private static func runsByTurns(_ steps: [TurnStep], writesOnlyInTurn: Bool = false) -> Bool {
    let disk = LateDisk()
    let processes = [SharingProcess(disk), SharingProcess(disk)]
    var isByTurns = true
    var written: [Int] = []
    for step in steps {
      let process = processes[step.side.rawValue]
      switch step.step {
      case .write:
        let other = processes[1 - step.side.rawValue]
        let isInTurn = process.shared.wrappedValue.starts(with: other.shared.wrappedValue)
        guard isInTurn || !writesOnlyInTurn else { continue }
        if !isInTurn { isByTurns = false }
        written.append(written.count)
        process.append(written.count - 1)
        if process.shared.wrappedValue.last != written.last { fail(steps) }
      case .flush: process.timer.fire()
      case .notify: process.files.notify()
      case .read, .load: break
      }
    }
    SharingProcess.settle(processes)
    let file = SharingProcess.numbers(disk[SharingProcess.url])
    for process in processes {
      if process.shared.wrappedValue != (isByTurns ? written : file) { fail(steps) }
    }
    return isByTurns
  }

  private static func fail(_ steps: [some Any]) {
    Issue.record("A write is lost after \(steps).")
  }

  private static func forEachOrder<Step>(
    of steps: [Step],
    count: Int,
    _ body: ([Step]) -> Void
  ) {
    var digits = Array(repeating: 0, count: count)
    while true {
      body(digits.map { steps[$0] })
      guard let next = digits.lastIndex(where: { $0 < steps.count - 1 }) else { return }
      digits[next] += 1
      for index in digits.indices where index > next { digits[index] = 0 }
    }
  }

  // MARK: Steps that run at the same time

  /// An actor that runs concurrently with the others.
  enum Actor: Sendable { case write, flush, notify, read, load, other }

  @Test(
    arguments: [
      [.write, .notify], [.write, .flush], [.write, .load], [.write, .read],
      [.write, .other, .notify], [.write, .other, .load], [.write, .flush, .notify],
      [.write, .flush, .load], [.write, .notify, .notify], [.write, .write, .notify],
      [.write, .notify, .load],
    ] as [[Actor]]
  )
  func `concurrent writes, flushes, notifications and reads lose no write`(
    actors: [Actor]
  ) {
    var lost = 0
    let orders = Self.run(actors, excluding: true) { lost += 1 }
    #expect(lost == 0)
    #expect(orders >= 7, "they take turns")
  }

  @Test
  func `the search through all orders finds lost writes if the storage has no mutual exclusion`() {
    var lost = 0
    Self.run([.write, .flush, .notify], excluding: false) { lost += 1 }
    #expect(lost > 0)
  }

  /// Runs threads in every order on a file with one written number, while another number waits.
  ///
  /// - Parameters:
  ///   - actors: The actors that run on the threads.
  ///   - isExcluding: Whether the storage locks. Otherwise threads can switch during a read or write.
  ///   - lose: Called for each order that loses a write.
  /// - Returns: The number of orders.
  @discardableResult
  private static func run(
    _ actors: [Actor],
    excluding isExcluding: Bool,
    lose: @escaping () -> Void
  ) -> Int {
    Interleavings.count { turns in
      let disk = LateDisk()
      let process = SharingProcess(
        disk,
        lock: TurnLock(turns),
        inside: { if !isExcluding { turns.pause() } },
        between: { turns.pause() }
      )
      process.append(0)
      if actors.contains(.flush) { process.append(1) }
      let before = process.shared.wrappedValue
      // The number of another process, and whether a process wrote without having seen the other's last value.
      let other = LockIsolated((isWritten: false, isByTurns: true))
      for (index, actor) in actors.enumerated() {
        turns.add {
          switch actor {
          case .write:
            process.shared.withLock { numbers in
              other.withValue { other in
                if other.isWritten, !numbers.contains(100) { other.isByTurns = false }
              }
              numbers.append(10 + index)
            }
          case .flush: process.timer.fire()
          case .notify: process.files.notify()
          case .load: process.load()
          case .read:
            if !process.newReference().wrappedValue.starts(with: before) {
              Issue.record("A new reference misses a write.")
            }
          case .other:
            let numbers = SharingProcess.numbers(disk[SharingProcess.url])
            other.withValue {
              $0 = (true, $0.isByTurns && numbers == process.shared.wrappedValue)
            }
            disk[SharingProcess.url] = SharingProcess.data(numbers + [100])
          }
        }
      }
      return {
        SharingProcess.settle([process])
        let numbers = process.shared.wrappedValue
        let file = SharingProcess.numbers(disk[SharingProcess.url])
        var expected = Set(before)
        for (index, actor) in actors.enumerated() where actor == .write {
          expected.insert(10 + index)
        }
        if other.withValue({ $0.isWritten }) { expected.insert(100) }
        let isByTurns = other.withValue { $0.isByTurns }
        if numbers != file || isByTurns && Set(numbers) != expected { lose() }
      }
    }
  }
}
