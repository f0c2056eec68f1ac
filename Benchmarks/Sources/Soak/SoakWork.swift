import Foundation
import Synchronization
import TCARecorder

/// Stores that many tasks create, use and release, with several kinds of logs.
@MainActor
final class SoakWork {
  private let folder: String
  private let end: ContinuousClock.Instant
  private let isRecorded: Bool
  private let ring: Recorder
  private let limited: Recorder
  private let masked: Recorder
  private(set) var stores = 0
  private(set) var actions = 0

  init(in folder: String, until end: ContinuousClock.Instant, isRecorded: Bool) {
    self.folder = folder
    self.end = end
    self.isRecorded = isRecorded
    var configuration = RecorderConfiguration(.ring("\(folder)/ring.jsonl", megabytes: 0.25))
    configuration.keptSessions = 32
    ring = Recorder(configuration)
    configuration = RecorderConfiguration(.file("\(folder)/limited.jsonl"))
    configuration.keptSessions = 32
    configuration.limits.session = .init(bytes: 40_000, actions: 300)
    configuration.limits.second = .init(actions: 2_000)
    limited = Recorder(configuration)
    configuration = RecorderConfiguration(.file("\(folder)/masked.jsonl"))
    configuration.keptSessions = 32
    configuration.masks = LogMasks(state: ["/secret"])
    masked = Recorder(configuration)
  }

  /// Works until the time is over.
  ///
  /// - Parameters:
  ///   - tasks: The number of tasks with stores.
  ///   - seed: The seed of their behavior.
  func run(tasks: Int, seed: UInt64) async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask { await self.useStores(seed: seed &+ UInt64(task)) }
      }
      if isRecorded { group.addTask { await self.export() } }
    }
  }

  private func useStores(seed: UInt64) async {
    var random = SplitMix64(state: seed)
    while ContinuousClock.now < end {
      let store = makeStore(Int.random(in: 0..<3, using: &random))
      stores += 1
      for _ in 0..<Int.random(in: 10...150, using: &random) {
        store.send(Self.action(of: store.state, using: &random))
        actions += 1
        if Bool.random(using: &random) { await Task.yield() }
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: await store.send(.calm).finish()
      // Any thread may release the last reference.
      case 1: Task.detached { [store] in withExtendedLifetime(store) {} }
      // The effects of a released store are canceled.
      default: break
      }
      await Task.yield()
    }
  }

  private func makeStore(_ kind: Int) -> StoreOf<Storms> {
    guard isRecorded else { return Store(initialState: Storms.State()) { Storms() } }
    let recorder = [ring, limited, masked][kind]
    return Store(initialState: Storms.State()) { Storms().recorded(to: recorder) }
  }

  /// Returns an action that a user could send in a state.
  private static func action(
    of state: Storms.State,
    using random: inout SplitMix64
  ) -> Storms.Action {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .storm(Int.random(in: 1...60, using: &random))
    case 1: return .calm
    case 2, 3: return .added
    case 4: return .removed
    case 5: return .shown
    case 6 where state.sheet != nil: return .sheet(.presented(.started))
    case 7 where state.sheet != nil: return .sheet(.dismiss)
    case 8: return .entered("secret number \(Int.random(in: 0..<100, using: &random))")
    default:
      guard let row = state.rows.randomElement(using: &random) else { return .added }
      return .rows(
        .element(id: row.id, action: Bool.random(using: &random) ? .started : .stopped)
      )
    }
  }

  /// Copies, flushes and marks the logs while they are written, on a separate thread.
  private nonisolated func export() async {
    var number = 0
    while ContinuousClock.now < end {
      number += 1
      let recorder = [ring, limited, masked][number % 3]
      recorder.note("export \(number)")
      recorder.flush()
      do {
        try recorder.export(to: URL(filePath: "\(folder)/export-\(number % 32).jsonl"))
      } catch {
        // A segment of a ring may be deleted while it is read.
        print("export \(number): \(error)")
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// A generator of random numbers that depend only on the seed (Steele, Lea and Flood, 2014).
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
