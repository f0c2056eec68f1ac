import Foundation
import TestSupport
import Testing

@testable import TCACore

/// An id whose hash takes until a task has begun, or long enough for that.
private struct SlowID: Hashable, Sendable {
  let hasBegun: LockIsolated<Bool>

  static func == (lhs: SlowID, rhs: SlowID) -> Bool { lhs.hasBegun === rhs.hasBegun }

  func hash(into hasher: inout Hasher) {
    for _ in 0..<2_000 where !hasBegun.value { sched_yield() }
  }
}

/// Work under an id begins when the id reaches it.
@Suite(.timeLimit(.minutes(30))) struct RegistrationTests {
  /// Runs an operation while another thread holds the lock of a registry.
  ///
  /// The lock is held as long as the hash of an id takes.
  private func blocking<R>(
    _ registry: EffectRegistry,
    until hasBegun: LockIsolated<Bool>,
    _ operation: () async -> R
  ) async -> R {
    let (leaf, _) = registry.start(under: CancelID("other", path: []))
    let thread = Thread {
      registry.cancel(CancelID(SlowID(hasBegun: hasBegun), path: []), cause: .other)
    }
    thread.start()
    let result = await operation()
    while !thread.isFinished { sched_yield() }
    registry.finishOutsideOfActions(leaf)
    return result
  }

  @Test func `an operation that cancels its own id is canceled immediately`() async {
    for round in 0..<Thoroughness.count(20, thorough: 100) {
      let hasBegun = LockIsolated(false)
      let isCancelled = await blocking(.outsideStores, until: hasBegun) {
        await withTaskCancellation(id: round) {
          hasBegun.setValue(true)
          Task.cancel(id: round)
          return Task.isCancelled
        }
      }
      #expect(isCancelled, "round \(round)")
    }
    #expect(EffectRegistry.outsideStores.isEmpty)
  }

  @Test func `of concurrent operations with cancelInFlight, exactly one is not canceled`() async {
    for round in 0..<Thoroughness.count(10, thorough: 50) {
      let gates = (0..<4).map { _ in Gate() }
      let begun = LockIsolated(0)
      let survivors = LockIsolated(0)
      await blocking(.outsideStores, until: LockIsolated(false)) {
        await withTaskGroup(of: Void.self) { group in
          for gate in gates {
            group.addTask {
              await withTaskCancellation(id: "upload", cancelInFlight: true) {
                begun.withValue { $0 += 1 }
                await gate.waitUncancellably()
                if !Task.isCancelled { survivors.withValue { $0 += 1 } }
              }
            }
          }
          while begun.value < gates.count { await Task.yield() }
          for gate in gates { gate.open() }
        }
      }
      #expect(survivors.value == 1, "round \(round)")
    }
    #expect(EffectRegistry.outsideStores.isEmpty)
  }

  @MainActor
  @Test func `a cancel effect works as soon as withTaskCancellation has started its operation`()
    async
  {
    for round in 0..<100 {
      let isCancelled = LockIsolated<Bool?>(nil)
      let store = Store(initialState: 0) {
        Reduce<Int, String> { state, action in
          switch action {
          case "start":
            return .run { send in
              await withTaskCancellation(id: "work") {
                await send("started")
                isCancelled.setValue(Task.isCancelled)
              }
              await send("ended")
            }
          case "started": return .cancel(id: "work")
          default:
            state += 1
            return .none
          }
        }
      }
      await store.send("start").finish()
      #expect(isCancelled.value == true, "round \(round)")
      #expect(store.state == 1)
    }
  }

  @Test(arguments: [false, true])
  func `StartSignal resumes a task whether the task waits before or after the signal`(
    waits: Bool
  ) async {
    let signal = StartSignal()
    if !waits { signal.send() }
    let task = Task { await signal.wait() }
    if waits {
      await Task.megaYield()
      signal.send()
    }
    await task.value
  }
}
