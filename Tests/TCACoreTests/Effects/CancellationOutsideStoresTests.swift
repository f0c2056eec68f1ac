import Synchronization
import Testing

@testable import TCACore

/// Ids that are used outside of all stores belong to the test that uses them.
@Suite struct CancellationOutsideStoresTests {
  /// The registries that the tests below have seen; kept, so that no address comes twice.
  private static let seen = Mutex<[EffectRegistry]>([])

  private func check() {
    let own = EffectRegistry.outsideStores
    #expect(own === EffectRegistry.outsideStores)
    Self.seen.withLock { seen in
      #expect(!seen.contains { $0 === own })
      seen.append(own)
    }
  }

  @Test func aTestHasItsOwnIDs() { check() }

  @Test func anotherTestHasOthers() { check() }

  @Test func aTaskIsCancelledByItsID() async {
    let started = Gate()
    let task = Task {
      await withTaskCancellation(id: 1) {
        started.open()
        await Gate().wait()
        return Task.isCancelled
      }
    }
    await started.wait()
    Task.cancel(id: 1)
    #expect(await task.value)
  }
}
