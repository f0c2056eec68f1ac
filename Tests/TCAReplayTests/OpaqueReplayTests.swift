import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayCommandLine
@testable import TCAReplay
@testable import TCAReplaying

/// Values that a log does not contain: a replay continues with them, and each output names their paths.
@MainActor @Suite("Opaque values in a replay")
struct OpaqueReplayTests {
  /// All forms of a value that is neither `LogValue` nor `Codable`.
  @Reducer struct Shapes: Sendable {
    struct Note: Hashable, Sendable { var text = "" }

    struct Page: Sendable { var notes = [Note()] }

    enum Mode: Sendable { case draft(Note) }

    final class Box: Sendable {
      let text: String
      init(_ text: String = "") { self.text = text }
    }

    protocol Labelled: Sendable {}
    struct Label: Labelled { var text = "" }

    @LogValue struct Row: Sendable {
      var id: Int
      var note: Note
    }

    @LogValue struct Inner: Sendable { var note = Note() }

    @ObservableState struct State: Sendable {
      var note: Note?
      var page: Page?
      var mode: Mode?
      var box: Box?
      var label: (any Labelled)?
      var handler: (@Sendable () -> String)?
      var inner: Inner?
      var rows: [Row] = []
      var byName: [String: Note] = [:]
      var byNumber: [Int: [Note]] = [:]
      var byNote: [Note: Int] = [:]
      var all: Set<Note> = []
      var pair: [[Note]] = []
      @Shared(.inMemory("shapes")) var shared = Inner?.none
      var result: Result<Note, any Error>?
      var count = 0
    }

    @LogValue enum Shape: String, CaseIterable, Sendable {
      case note, page, mode, box, label, handler, inner, rows, byName, byNumber, byNote, all, pair
      case shared, result, payload, input
    }

    enum Action: Sendable {
      case make(Shape)
      case noted(Note)
    }

    /// The content of the values in a faulty build.
    var text = "a"

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .make(let shape) = action else {
          state.count += 1
          return .none
        }
        let note = Note(text: text)
        switch shape {
        case .note: state.note = note
        case .page: state.page = Page(notes: [note])
        case .mode: state.mode = .draft(note)
        case .box: state.box = Box(text)
        case .label: state.label = Label(text: text)
        case .handler: state.handler = { [text] in text }
        case .inner: state.inner = Inner(note: note)
        case .rows: state.rows.append(Row(id: 1, note: note))
        case .byName: state.byName = ["x": note, "y": note]
        case .byNumber: state.byNumber = [16: [note]]
        case .byNote: state.byNote = [note: 1]
        case .all: state.all = [note]
        case .pair: state.pair = [[], [note]]
        case .shared: state.$shared.withLock { $0 = Inner(note: note) }
        case .result: state.result = .success(note)
        case .payload: return .send(.noted(note))
        case .input: return .run(name: "save", input: Inner(note: note)) { _ in }
        }
        return .none
      }
    }
  }

  nonisolated private static func feature(_ text: String = "a") -> ReplayFeature {
    ReplayFeature("Shapes") {
      Shapes(text: text)
    } initialState: {
      inOwnStorage { Shapes.State() }
    }
  }

  /// Records one shape.
  private func log(
    _ shape: Shapes.Shape,
    isRendered: Bool = false,
    from change: (inout Shapes.State) -> Void = { _ in }
  ) throws -> (folder: TemporaryFolder, log: LogSlice) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    var configuration = RecorderConfiguration(.file(path))
    configuration.rendersOpaqueValues = isRendered
    let recorder = Recorder(configuration)
    inOwnStorage {
      var state = Shapes.State()
      change(&state)
      let store = Store(initialState: state) { Shapes().recorded(as: "Shapes", to: recorder) }
      store.send(.make(shape))
    }
    return (folder, LogSlice(path: path, name: "log.jsonl"))
  }

  private func check(
    _ log: LogSlice,
    with text: String,
    isStrict: Bool = false
  ) throws -> ReplayCheck.Result {
    let options = LogComparison.Options(isStrict: isStrict)
    return try ReplayCheck(log: log, options: options).run { _ in
      try Self.feature(text).entry.makeEngine()
    }
  }

  private nonisolated static let places: [(Shapes.Shape, String)] = [
    (.note, "OpaqueReplayTests.Shapes.Note at note"),
    (.page, "OpaqueReplayTests.Shapes.Page at page"),
    (.mode, "OpaqueReplayTests.Shapes.Mode at mode"),
    (.box, "OpaqueReplayTests.Shapes.Box at box"),
    (.label, "OpaqueReplayTests.Shapes.Label at label"),
    (.handler, "@Sendable () -> String at handler"),
    (.inner, "OpaqueReplayTests.Shapes.Note at inner.note"),
    (.rows, "OpaqueReplayTests.Shapes.Note at rows[*].note"),
    (
      .byName,
      "OpaqueReplayTests.Shapes.Note at byName.x, OpaqueReplayTests.Shapes.Note at byName.y"
    ),
    (.byNumber, #"OpaqueReplayTests.Shapes.Note at byNumber["16"][*]"#),
    (.byNote, "OpaqueReplayTests.Shapes.Note at byNote[*][*]"),
    (.all, "OpaqueReplayTests.Shapes.Note at all[*]"),
    (.pair, "OpaqueReplayTests.Shapes.Note at pair[*][*]"),
    (.shared, "OpaqueReplayTests.Shapes.Note at shared.note"),
    (.result, "OpaqueReplayTests.Shapes.Note at result.success.0"),
    (.payload, "OpaqueReplayTests.Shapes.Note in action .noted"),
    (.input, "OpaqueReplayTests.Shapes.Note in note of the input of effect save"),
  ]

  @Test(
    "An opaque value is listed as not compared in every output format, even if it did not change",
    arguments: places
  )
  func named(shape: Shapes.Shape, list: String) throws {
    let (folder, log) = try log(shape)
    defer { withExtendedLifetime(folder) {} }
    for text in ["a", "b"] {
      let result = try check(log, with: text)
      #expect(result.verdict == .identical)
      #expect(result.isSame)
      let line = "identical, through action \(result.seq); not compared: \(list)"
      #expect(UncomparedValue.list(result.notCompared) == list)
      let report = LogRunReport(name: "log.jsonl", file: "log.jsonl", outcome: .verdict(result))
      #expect(report.status == .same)
      var plain = RunText(detailed: .all)
      #expect(plain.text(report) == "log.jsonl: \(line)\n")
      #expect(report.json["notCompared"] == .array(result.notCompared.map(\.json)))
      var junit = RunJUnit()
      _ = junit.text(report)
      let escaped = line.replacing(">", with: "&gt;")
      #expect(junit.closing(RunSummary()).contains("<system-out>\(escaped)</system-out>"))
      var gitHub = RunGitHub()
      #expect(
        gitHub.text(report)
          == "log.jsonl: \(line)\n::notice file=log.jsonl,title=log.jsonl::\(line)\n"
      )
      var summary = RunSummary()
      summary.add(report)
      var markdown = RunMarkdown()
      _ = markdown.text(report)
      for value in result.notCompared {
        #expect(markdown.closing(summary).contains("\n| 1 | `\(value.text())` | `log.jsonl` |\n"))
      }
      let strict = try check(log, with: text, isStrict: true)
      #expect(strict.verdict == .identical)
      #expect(LogRunReport(name: "log.jsonl", outcome: .verdict(strict)).status == .different)
    }
    let values = try UncomparedValues(in: log)
    #expect(UncomparedValue.list(values.list(.opaque)) == list)
    var statistics = LogStatistics()
    statistics.notHeld = values
    for value in values.list(.opaque) {
      #expect(StatisticsText(statistics, .plain).text("log").contains("\n    \(value.text())\n"))
    }
    let verified = LogVerificationResult(LogVerifier(), tornTail: nil, notHeld: values)
    #expect(verified.text("log", file: "log").contains("; not compared: \(list)\n"))
    #expect(verified.json("log")["notCompared"] == statistics.json["notCompared"])
  }

  private nonisolated static let renderings: [(Shapes.Shape, String)] = [
    (.note, #"diverged at action 1: opaque value note"#),
    (.page, #"diverged at action 1: opaque value page"#),
    (.mode, #"diverged at action 1: opaque value mode"#),
    (.box, #"diverged at action 1: opaque value box"#),
    (.label, #"diverged at action 1: opaque value label"#),
    (.inner, #"diverged at action 1: opaque value inner.note"#),
    (.rows, #"diverged at action 1: opaque value rows[0].note"#),
    (.byName, #"diverged at action 1: opaque value byName.x and 1 more"#),
    (.byNote, #"diverged at action 1: opaque value byNote[0][0]"#),
    (.all, #"diverged at action 1: opaque value all[0]"#),
    (.pair, #"diverged at action 1: opaque value pair[1][0]"#),
    (.shared, #"diverged at action 1: opaque value shared.note"#),
    (.result, #"diverged at action 1: opaque value result.success.0"#),
    (.payload, #"diverged at action 1: opaque value 1.0/action"#),
    (.input, #"diverged at action 1: opaque value 1.0/input"#),
  ]

  @Test(
    "A different rendering of an opaque value diverges with low confidence",
    arguments: renderings
  )
  func rendered(shape: Shapes.Shape, line: String) throws {
    let (folder, log) = try log(shape, isRendered: true)
    defer { withExtendedLifetime(folder) {} }
    let same = try check(log, with: "a")
    #expect(same.verdict == .identical)
    #expect(!same.notCompared.isEmpty)
    let result = try check(log, with: "b")
    #expect(result.verdict.json["cause"] == "opaque")
    #expect(result.verdict.json["confidence"] == "low")
    let found = Wording.line(result.verdict, through: result.seq)
    #expect(found == "\(line) (low confidence: its renderings differ)")
  }

  @Test("A function in the state has no rendering that could diverge")
  func functions() throws {
    let (folder, log) = try log(.handler, isRendered: true)
    defer { withExtendedLifetime(folder) {} }
    #expect(try check(log, with: "b").verdict == .identical)
  }

  @Test("An opaque value that the replay starts with is listed and not compared by its rendering")
  func standIns() throws {
    let (folder, log) = try log(.rows, isRendered: true) { $0.note = Shapes.Note(text: "x") }
    defer { withExtendedLifetime(folder) {} }
    let state = ReplayFeature("Shapes") {
      Shapes(text: "b")
    } initialState: {
      inOwnStorage {
        var state = Shapes.State()
        state.note = Shapes.Note(text: "y")
        return state
      }
    }
    let result = try ReplayCheck(log: log).run { _ in try state.entry.makeEngine() }
    #expect(result.verdict == .identical)
    #expect(
      UncomparedValue.list(result.notCompared)
        == "OpaqueReplayTests.Shapes.Note at note, OpaqueReplayTests.Shapes.Note at rows[*].note"
    )
  }

  @Test("A log lists no opaque values before the action that brings the first")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let store = Store(initialState: Shapes.State()) {
      Shapes().recorded(as: "Shapes", to: .file(path))
    }
    store.send(.make(.rows))
    let log = LogSlice(path: path, name: "log.jsonl")
    #expect(try check(LogSlice(path: path, name: ""), with: "a").notCompared.count == 1)
    // Before the action there was none.
    #expect(try UncomparedValues(in: log, through: 0).list(.opaque).isEmpty)
  }
}

/// A type that the log did not contain and that the code now encodes.
@MainActor @Suite("A type that the log holds from now on")
struct LaterLogValueTests {
  /// The feature as it was recorded.
  @Reducer struct Before: Sendable {
    struct Note: Sendable { var text = "" }
    @ObservableState struct State: Sendable {
      var note = Note()
      var rows: [Note] = []
      var count = 0
    }
    enum Action: Sendable {
      case write(String)
      case add
      case count
      case save
      case echo
      case echoed(Note)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .write(let text): state.note.text += text
        case .add: state.rows.append(state.note)
        case .count: state.count += 1
        case .save: return .run(name: "save", input: state.note) { _ in }
        case .echo: return .send(.echoed(state.note))
        case .echoed: state.count += 10
        }
        return .none
      }
    }
  }

  /// The current feature: the same, with `Note` encoded by the macro or by `Codable`.
  @Reducer struct After<Note: Content>: Sendable {
    @ObservableState struct State: Sendable {
      var note = Note(text: "")
      var rows: [Note] = []
      var count = 0
    }
    enum Action: Sendable {
      case write(String)
      case add
      case count
      case save
      case echo
      case echoed(Note)
    }
    var step = 1
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .write(let text): state.note.text += text
        case .add: state.rows.append(state.note)
        case .count: state.count += step
        case .save: return .run(name: "save", input: state.note) { _ in }
        case .echo: return .send(.echoed(state.note))
        case .echoed: state.count += 10
        }
        return .none
      }
    }
  }

  protocol Content: Sendable {
    var text: String { get set }
    init(text: String)
  }

  @LogValue struct Logged: Content { var text: String }

  struct Coded: Content, Codable { var text: String }

  struct Plain: Content { var text: String }

  private func record<R: Reducer>(
    _ reducer: R,
    _ state: R.State,
    _ actions: [R.Action]
  ) throws -> (folder: TemporaryFolder, log: LogSlice) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    let store = Store(initialState: state) { reducer.recorded(as: "F", to: .file(path)) }
    for action in actions { store.send(action) }
    return (folder, LogSlice(path: path, name: "log.jsonl"))
  }

  private func check<Note: Content>(
    _ log: LogSlice,
    with type: Note.Type,
    step: Int = 1,
    isContinuing: Bool = false
  ) throws -> ReplayCheck.Result {
    try ReplayCheck(log: log, isContinuing: isContinuing).run { _ in
      ReducerEngine(reducer: { After<Note>(step: step) }, initialState: { After<Note>.State() })
    }
  }

  private static let before: [Before.Action] = [
    .count, .write("a"), .add, .write("b"), .save, .count, .echo, .add, .count,
  ]

  private static let places = [
    "Note at note", "Note at rows[*]", "Note in action .echoed",
    "Note in the input of effect save",
  ].map { "LaterLogValueTests.Before." + $0 }.joined(separator: ", ")

  @Test(
    "A log recorded before a type became loggable still replays as identical",
    arguments: [false, true]
  )
  func later(isContinuing: Bool) throws {
    let (folder, log) = try record(Before(), Before.State(), Self.before)
    defer { withExtendedLifetime(folder) {} }
    for result in [
      try check(log, with: Logged.self, isContinuing: isContinuing),
      try check(log, with: Coded.self, isContinuing: isContinuing),
      try check(log, with: Plain.self, isContinuing: isContinuing),
    ] {
      #expect(result.verdict == .identical)
      #expect(result.further.isEmpty)
      #expect(UncomparedValue.list(result.notCompared) == Self.places)
    }
  }

  @Test(
    "A replay of faulty code diverges even if a type in the log became loggable later",
    arguments: [false, true]
  )
  func faults(isContinuing: Bool) throws {
    let (folder, log) = try record(Before(), Before.State(), Self.before)
    defer { withExtendedLifetime(folder) {} }
    let result = try check(log, with: Logged.self, step: 2, isContinuing: isContinuing)
    #expect(result.verdict.summary == "diverged at 1: state /count")
    // By then, the recorded state has rows that the log does not contain, so the replay cannot continue from it.
    #expect(result.further.map(\.verdict.summary) == (isContinuing ? ["notReplayable"] : []))
  }

  @Test("A value whose type is no longer loggable is undecodable at its path")
  func lost() throws {
    let (folder, log) = try record(
      After<Logged>(),
      After<Logged>.State(),
      [.count, .write("a"), .add, .save, .count]
    )
    defer { withExtendedLifetime(folder) {} }
    let result = try check(log, with: Plain.self)
    // It can no longer be decoded.
    guard case .undecodable(let value) = result.verdict else {
      Issue.record("found \(result.verdict)")
      return
    }
    #expect(value.path == "/note")
  }
}
