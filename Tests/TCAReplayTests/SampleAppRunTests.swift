import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// Random runs of the larger sample apps replay as they were recorded.
///
/// What is sent fits the state, as what a user taps does: nobody taps a button of a screen that is not there.
@MainActor
@Suite("Random runs of sample apps", .serialized)
struct SampleAppRunTests {
  /// The steps of a random run: mostly actions that fit, and time that goes by.
  private func steps<Action: Sendable>(
    _ count: Int,
    seed: UInt64,
    _ action: @escaping @Sendable (JSON, inout SplitMix64) -> Action?
  ) -> [SampleStep<Action>] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      if Int.random(in: 0..<3, using: &random) == 0 {
        return .advance(.milliseconds(Int.random(in: 0...1500, using: &random)))
      }
      let own = SplitMix64(seed: random.next())
      return .sendFrom { state in
        var random = own
        return action(state, &random)
      }
    }
  }

  @Test("a login flow replays as it was recorded", arguments: 1...8 as ClosedRange<UInt64>)
  func account(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Account().dependency(\.account, .liveValue),
      initialState: Account.State(),
      steps: steps(150, seed: seed, AccountUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Account()) { Account.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "an app of several screens replays as it was recorded",
    arguments: 1...8 as ClosedRange<UInt64>
  )
  func inspections(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Inspections().dependency(\.office, .liveValue),
      initialState: inOwnStorage { Inspections.State() },
      steps: steps(150, seed: seed, InspectionsUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Inspections()) {
      inOwnStorage { Inspections.State() }
    }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "a sign-up whose steps share a draft replays as it was recorded",
    arguments: 1...8 as ClosedRange<UInt64>
  )
  func signUp(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      GregorianSignUp().dependency(\.signUp, .liveValue),
      initialState: SignUp.State(),
      steps: steps(200, seed: seed, SignUpUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: GregorianSignUp()) { SignUp.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "a recorder of memos replays as it was recorded",
    arguments: 1...8 as ClosedRange<UInt64>
  )
  func memos(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Memos()
        .dependency(\.audioPlayer, .liveValue)
        .dependency(\.audioRecorder, .liveValue)
        .dependency(\.permissions, .liveValue),
      initialState: Memos.State(),
      steps: steps(200, seed: seed, MemosUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Memos()) { Memos.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test("a board replays as it was recorded", arguments: 1...8 as ClosedRange<UInt64>)
  func board(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Board().dependency(\.board, .liveValue),
      initialState: Board.State(),
      steps: steps(200, seed: seed, BoardUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Board()) { Board.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }
}
