import Synchronization
import Testing

@testable import TCACore

/// Ids that are used outside of stores belong to the test that uses them.
@Suite struct CancellationOutsideStoresTests {
  /// The registries that the tests below have seen.
  ///
  /// They are retained so that no address is reused.
  private static let seen = Mutex<[EffectRegistry]>([])

  private func check() {
    let own = EffectRegistry.outsideStores
    #expect(own === EffectRegistry.outsideStores)
    Self.seen.withLock { seen in
      #expect(!seen.contains { $0 === own })
      seen.append(own)
    }
  }

  @Test func `a test has its own registry of effects outside stores`() { check() }

  @Test func `another test has a different registry of effects outside stores`() { check() }

  @Test func `a task outside stores is canceled by its id`() async {
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
