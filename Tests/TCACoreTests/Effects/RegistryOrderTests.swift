import Foundation
import Synchronization
import Testing

@testable import TCACore

/// Effects that end, send and are canceled while their store is deallocated, in each order of the steps on several
/// threads.
@Suite(.timeLimit(.minutes(30))) struct RegistryOrderTests {
  /// A call of a thread to the registry of a store.
  ///
  /// The store runs two effects, the first of which has an observer.
  enum Step: String, CaseIterable, Sendable {
    /// The operation of the first effect returns.
    case finish
    /// The first effect sends an action.
    case deliver
    /// An id that reaches both effects is canceled.
    case cancel
    /// The `send` that started them is canceled.
    case cancelGroup
    /// The store is deallocated.
    case close
    /// The task of the first effect is attached.
    case attach
  }

  /// Stores its events, and lets other threads run between them.
  private final class Watcher: EffectObserver {
    private let storage = Mutex<[String]>([])
    private let turns: Interleavings

    init(_ turns: Interleavings) { self.turns = turns }

    var events: [String] { storage.withLock { $0 } }

    func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {
      let text =
        switch event {
        case .started: "started"
        case .finished(let sent): "finished, sent \(sent)"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
      storage.withLock { $0.append(text) }
      turns.pause()
    }
  }

  private static let pairs: [[Step]] = Step.allCases.flatMap { first in
    Step.allCases.filter { $0.rawValue > first.rawValue }.map { [first, $0] }
  }

  private static let triples: [[Step]] = pairs.flatMap { pair in
    Step.allCases.filter { $0.rawValue > pair[1].rawValue }.map { pair + [$0] }
  }

  /// The task of an effect is attached before the operation can return.
  private static let possible = (pairs + triples).filter {
    !($0.contains(.attach) && $0.contains(.finish))
  }

  @Test(arguments: possible)
  func `the effect registry reports the end of each effect once in any order of steps`(
    steps: [Step]
  ) {
    let orders = Interleavings.count { turns in
      // Only the threads of this test report, in their order.
      let registry = EffectRegistry(scheduleReport: { _ in })
      let watcher = Watcher(turns)
      let stamp = ActionStamp(number: 1, origin: .view)
      let leaves = [registry.nextLeaf(), registry.nextLeaf()]
      func leaf(_ tags: [EffectObserverTag]) -> EffectRegistry.Leaf {
        EffectRegistry.Leaf(tags: tags, action: 1, group: 1)
      }
      let tag = EffectObserverTag(observer: watcher, id: EffectID(seq: 1, index: 0))
      let id = CancelID("work", path: [])
      _ = registry.start(
        .cancellable(
          id.key,
          path: id.path,
          cancelInFlight: false,
          .merge(leaves.map { .run($0) })
        ),
        of: stamp,
        in: 1,
        leaves: [leaves[0]: leaf([tag]), leaves[1]: leaf([])]
      )
      let cancellations = LockIsolated([0, 0])
      @Sendable func attach(_ index: Int) {
        registry.attach(leaves[index]) {
          cancellations.withValue { $0[index] += 1 }
          turns.pause()
        }
      }
      if !steps.contains(.attach) { attach(0) }
      attach(1)
      let deliveries = LockIsolated<[String]>([])
      for step in steps {
        turns.add {
          switch step {
          case .finish: _ = registry.finish(leaves[0])
          case .deliver:
            let delivery = registry.deliver(from: leaves[0])
            deliveries.withValue { $0.append("\(delivery)") }
          case .cancel: registry.cancel(id, cause: .other)
          case .cancelGroup: registry.cancel(group: 1)
          case .close: registry.close()
          case .attach: attach(0)
          }
        }
      }
      return {
        registry.reportCancellations()
        _ = registry.finish(leaves[0])
        _ = registry.finish(leaves[1])
        registry.removeIfFinished(1)
        #expect(registry.isEmpty, "\(steps)")
        let events = watcher.events
        let ends = events.filter { $0.hasPrefix("finished") }
        #expect(ends.count == 1 && events.last == ends.first, "\(steps): \(events)")
        #expect(events.count { $0 == "cancelled" } <= 1, "\(steps): \(events)")
        let isCancelling = steps.contains { [.cancel, .cancelGroup, .close].contains($0) }
        // The second effect has not ended before, so every cancellation reaches its task.
        #expect((cancellations.value[1] > 0) == isCancelling, "\(steps)")
        #expect((cancellations.value[0] > 0) == events.contains("cancelled"), "\(steps): \(events)")
        let sent = deliveries.value == ["delivered"] ? 1 : 0
        #expect(ends == ["finished, sent \(sent)"], "\(steps): \(deliveries.value)")
      }
    }
    #expect(orders >= 2)
  }
}
