import ActionLog
import Foundation
import ReplayEngine
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder
@testable import TCAReplay
@testable import TCAReplaying

/// States with long texts that change in part.
@MainActor @Suite("Long texts") struct LongTextTests {
  /// A type that is encoded by `Codable`.
  struct Draft: Codable, Equatable, Sendable {
    var subject: String
    var body: String
  }

  @Reducer struct Notebook {
    @ObservableState struct State: Equatable {
      var text = String(repeating: "All work and no play. ", count: 5_000)
      var pages: [String] = []
      var draft = Draft(subject: "s", body: String(repeating: "é", count: 2_000))
    }

    enum Action {
      case type(String)
      case turn
      case edit(page: Int, String)
      case write(String)
      case clear
    }

    /// Whether the code writes something else than the log.
    var isChanged = false

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .type(let text): state.text += isChanged ? text.uppercased() : text
        case .turn: state.pages.insert(state.text, at: 0)
        case .edit(let page, let text):
          let middle = state.pages[page].index(state.pages[page].startIndex, offsetBy: 1_000)
          state.pages[page].insert(contentsOf: text, at: middle)
        case .write(let text): state.draft.body += text
        case .clear: state.text = ""
        }
        return .none
      }
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(
    masks: LogMasks = LogMasks(),
    initialState: Notebook.State = Notebook.State()
  ) throws -> String {
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.masks = masks
    var store: StoreOf<Notebook>? = Store(initialState: initialState) {
      Notebook().recorded(as: "Notebook", to: Recorder(configuration))
    }
    for text in ["a", "b", "😀", "é"] { store?.send(.type(text)) }
    store?.send(.turn)
    store?.send(.edit(page: 0, "here"))
    store?.send(.write("!"))
    store?.send(.clear)
    store?.send(.type("new"))
    // Ends the log.
    store = nil
    return try folder.read("log.jsonl")
  }

  private func feature(isChanged: Bool = false) -> ReplayFeature {
    ReplayFeature("Notebook") {
      Notebook(isChanged: isChanged)
    } initialState: {
      Notebook.State()
    }
  }

  private func patches(_ log: String) throws -> [JSON] {
    var reader = LogReader(bytes: Array(log.utf8))
    var patches: [JSON] = []
    while let entry = try reader.next() {
      if case .change(let change) = entry.event { patches.append(change.patch.json) }
    }
    return patches
  }

  @Test("Only the changed part of a long text is written, as a splice")
  func recorded() throws {
    let log = try record()
    let patches = try patches(log)
    #expect(
      patches.map { $0.array?.first?["op"] }
        == [
          "splice", "splice", "splice", "splice", "add", "splice", "splice", "replace", "replace",
        ]
    )
    #expect(
      patches[0] == [["op": "splice", "path": "/text", "at": 110_000, "remove": 0, "insert": "a"]]
    )
    #expect(
      patches[5] == [
        ["op": "splice", "path": "/pages/0", "at": 1_000, "remove": 0, "insert": "here"]
      ]
    )
    #expect(
      patches[6] == [
        ["op": "splice", "path": "/draft/body", "at": 4_000, "remove": 0, "insert": "!"]
      ]
    )
    #expect(log.contains(#""requires":["splice"]"#))
  }

  @Test("A small edit of a text of several megabytes adds less than a kilobyte to the log")
  func editInMegabytes() throws {
    let path = folder.path + "/long.jsonl"
    let page = String(repeating: "0123456789abcde\n", count: 1 << 16)
    // Larger than any buffer that is kept.
    let text = String(repeating: page, count: 5)
    var store: StoreOf<Notebook>? = Store(initialState: Notebook.State(text: text, pages: [page])) {
      Notebook().recorded(as: "Notebook", to: .file(path))
    }
    store?.send(.type("!"))
    store?.send(.edit(page: 0, "here"))
    store = nil
    let lines = try folder.read("long.jsonl").split(separator: "\n")
    let changes = lines.filter { $0.hasPrefix(#"{"kind":"change""#) }.map(\.utf8.count)
    #expect(changes.count == 2)
    #expect(changes.allSatisfy { $0 < 1_000 }, "\(changes) bytes")
    #expect(try check(folder.read("long.jsonl"), of: feature()).verdict == .identical)
  }

  @Test("A log with splices of long texts replays as identical")
  func replayed() throws {
    #expect(try check(try record(), of: feature()).verdict == .identical)
  }

  @Test("A replay diverges if another part of a long text changes")
  func changed() throws {
    let checked = try check(try record(), of: feature(isChanged: true))
    guard case .diverged(let divergence)? = checked.verdict else {
      Issue.record("the log does not diverge")
      return
    }
    #expect(divergence.at == 1)
    #expect(divergence.differences.map(\.subject) == ["/text"])
  }

  @Test("A log that replaces long texts instead of splicing them replays as identical")
  func replaced() throws {
    let log = try record()
    var state = JSON.null
    var lines: [String] = []
    for line in log.split(separator: "\n") {
      switch try LogEvent(json: JSON(parsing: line.utf8)) {
      case .header(var header):
        header.requires = []
        lines.append(String(decoding: LogEvent.header(header).line, as: UTF8.self))
      case .checkpoint(let checkpoint):
        state = checkpoint.state
        lines.append(String(line))
      case .change(var change):
        var next = state
        try change.patch.apply(to: &next)
        change.patch = JSON.Patch(from: state, to: next)
        state = next
        lines.append(String(decoding: LogEvent.change(change).line, as: UTF8.self))
      default: lines.append(String(line))
      }
    }
    let plain = lines.joined(separator: "\n") + "\n"
    #expect(!plain.contains(#""splice""#))
    #expect(try check(plain, of: feature()).verdict == .identical)
  }

  @Test("A log with masks has no splices of long texts and replays as identical")
  func masked() throws {
    let state = Notebook.State(text: String(repeating: "All work and no play. ", count: 500))
    let log = try record(masks: LogMasks(state: ["/draft/subject"]), initialState: state)
    #expect(!log.contains("splice"))
    #expect(try check(log, of: feature()).verdict == .identical)
  }
}
