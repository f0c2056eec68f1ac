import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ActionRecording
@testable import ReplayAnalyses
@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

let secret = "correct-horse-battery"
let pin = 73_519_264

@Reducer
struct Login {
  @ObservableState
  struct State: Equatable {
    var password = ""
    var pin: Int?
    var greeting = ""
    var shout = ""
    var token: Masked<String> = ""
    var attempts: [String: Int] = [:]
    var isBusy = false
  }

  enum Action {
    case typed(String, pin: Int)
    case submit
    case failed(any Error)
    case shout
  }

  struct Refused: Error, CustomStringConvertible {
    let password: String
    var description: String { "refused \(password)" }
  }
  struct Attempt: Hashable { let password: String }

  @Dependency(Vault.self) var vault

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .typed(let password, let pin):
        state.password = password
        state.pin = pin
        state.greeting = "Hello \(password)!"
        state.attempts[password, default: 0] += 1
        state.token = Masked(vault.token())
        return .none
      case .submit:
        state.isBusy = true
        let password = state.password
        return .run(name: "log in \(password)", input: password) { send in
          throw Refused(password: password)
        } catch: { error, send in
          await send(.failed(error))
        }
        .cancellable(id: Attempt(password: password))
      case .failed:
        state.isBusy = false
        return .none
      case .shout:
        state.shout = state.password.uppercased()
        return .none
      }
    }
  }
}

@DependencyClient
struct Vault: Sendable {
  var token: @Sendable () -> String = { "" }
}

extension Vault: DependencyKey {
  static let liveValue = Vault(token: { "token-of-\(secret)" })
}

@MainActor
@Suite("Secrets")
struct SecretTests {
  private var masks: LogMasks {
    LogMasks(
      state: ["/password", "/pin", "/attempts"],
      action: ["/typed/*"],
      read: ["/Vault.token"]
    )
  }

  func record(
    to destination: LogDestination,
    shouts: Bool = false,
    masks: LogMasks? = nil,
    _ body: (Recorder) throws -> Void = { _ in }
  ) async throws {
    var configuration = RecorderConfiguration(destination)
    configuration.masks = masks ?? self.masks
    let recorder = Recorder(configuration)
    let store = Store(initialState: Login.State()) {
      Login().recorded(to: recorder)
    } withDependencies: {
      $0[Vault.self] = .liveValue
    }
    for _ in 0..<3 {
      store.send(.typed(secret, pin: pin))
      recorder.note("the password is \(secret), the pin \(pin)")
      await store.send(.submit).finish()
    }
    if shouts { store.send(.shout) }
    try body(recorder)
  }

  private func verdict(_ path: String) throws -> Verdict {
    let verdicts = try Verdict.ofReplay(logAt: path) { _ in
      ReducerEngine(reducer: { Login() }, initialState: { Login.State() })
    }
    return try #require(verdicts.first)
  }

  nonisolated static let texts = [
    secret, String(pin), secret.uppercased(), Data(secret.utf8).base64EncodedString(),
  ]

  @Test("Secrets are in no file of a recording, and the log replays as identical")
  func file() async throws {
    let folder = try TemporaryFolder()
    try await record(to: .file(folder.path + "/log.jsonl")) {
      try $0.export(to: URL(fileURLWithPath: folder.path + "/copy.jsonl"))
    }
    for name in folder.files {
      let text = try folder.read(name)
      for secret in Self.texts { #expect(!text.contains(secret), "\(name)") }
    }
    #expect(try folder.read("log.jsonl").contains(#""description":"refused masked"#))
    let found = try verdict(folder.path + "/log.jsonl")
    #expect(found == .identical)
  }

  @Test("Secrets are in no segment of a ring")
  func ring() async throws {
    let folder = try TemporaryFolder()
    let ring = LogDestination.ring(folder.path + "/log.jsonl", bytes: 40_000, segments: 40)
    try await record(to: ring) {
      try $0.export(to: URL(fileURLWithPath: folder.path + "/copy.jsonl"))
    }
    #expect(folder.files.count > 3)
    for name in folder.files {
      let text = try folder.read(name)
      for secret in Self.texts { #expect(!text.contains(secret), "\(name)") }
    }
  }

  @Test(
    "A log whose state depends on a secret cannot be replayed, and the verdict does not show the secret"
  )
  func needed() async throws {
    let folder = try TemporaryFolder()
    var masks = masks
    masks.state.append("/shout")
    try await record(to: .file(folder.path + "/log.jsonl"), shouts: true, masks: masks)
    let verdict = try verdict(folder.path + "/log.jsonl")
    guard case .notReplayable(let obstacle) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(obstacle.path == "/shout")
    #expect(
      obstacle.message
        == "the value follows from one that was masked when it was recorded, so a replay cannot reach it"
    )
    for secret in Self.texts { #expect(!"\(verdict)".contains(secret)) }
  }

  @Test func `a short secret within a longer text is hidden, and the log replays`() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.masks = masks
    var store: Store? = Store(initialState: Login.State()) {
      Login().recorded(to: Recorder(configuration))
    } withDependencies: {
      $0[Vault.self] = .liveValue
    }
    store?.send(.typed("sec", pin: 1))
    store = nil
    let text = try folder.read("log.jsonl")
    #expect(!text.contains("sec!"), "\(text)")
    #expect(text.contains(/Hello masked[0-9a-f]{18}!/))
    let verdict = try verdict(folder.path + "/log.jsonl")
    #expect(verdict.isSame, "\(verdict)")
  }

  @Test("A recorder lists the masks that matched nothing")
  func unmatched() async throws {
    let folder = try TemporaryFolder()
    var masks = masks
    masks.state.append("/pasword")
    masks.read.append("/Vault.key/*")
    var unmatched: [String] = []
    try await record(to: .file(folder.path + "/log.jsonl"), masks: masks) {
      unmatched = $0.unmatchedMasks
    }
    #expect(unmatched == ["state /pasword", "read /Vault.key/*"])
  }

  @Test("Omitted members are not in the log, and its replay is identical")
  func omissions() async throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.masks.omitted = ["/attempts", "/greeting"]
    var store: Store? = Store(initialState: Login.State()) {
      Login().recorded(to: Recorder(configuration))
    } withDependencies: {
      $0[Vault.self] = .liveValue
    }
    store?.send(.typed("open", pin: 1))
    store = nil
    #expect(!(try folder.read("log.jsonl").contains("Hello")))
    #expect(try verdict(folder.path + "/log.jsonl") == .identical)
  }
}
