import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TCAReplaying
import TestSupport
import Testing

/// Random runs of the larger sample apps replay as recorded.
///
/// Sent actions fit the state, like those of a user, who can tap only visible buttons.
@MainActor
@Suite("Random runs of sample apps", .serialized)
struct SampleAppRunTests {
  @Test(
    "A random run of a login flow replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func account(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Account().dependency(\.account, .liveValue),
      initialState: Account.State(),
      steps: randomSteps(150, seed: seed, AccountUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Account()) { Account.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "A random run of an app with several screens replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func inspections(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Inspections().dependency(\.office, .liveValue),
      initialState: inOwnStorage { Inspections.State() },
      steps: randomSteps(150, seed: seed, InspectionsUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Inspections()) {
      inOwnStorage { Inspections.State() }
    }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "A random run of a sign-up with a shared draft replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func signUp(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      GregorianSignUp().dependency(\.signUp, .liveValue),
      initialState: SignUp.State(),
      steps: randomSteps(200, seed: seed, SignUpUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: GregorianSignUp()) { SignUp.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "A random run of a memo recorder replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
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
      steps: randomSteps(200, seed: seed, MemosUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Memos()) { Memos.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }

  @Test(
    "A random run of a board replays as identical",
    arguments: Thoroughness.seeds(3, thorough: 8)
  )
  func board(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    await record(
      Board().dependency(\.board, .liveValue),
      initialState: Board.State(),
      steps: randomSteps(200, seed: seed, BoardUser.action),
      to: path
    )
    let found = try verdict(of: path, replayedWith: Board()) { Board.State() }
    #expect(found == .identical, "seed \(seed): \(found)")
  }
}
