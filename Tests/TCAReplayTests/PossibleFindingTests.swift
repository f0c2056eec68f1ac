import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayTestSupport
import TCAReplay
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts
@testable import TCAReplaying

/// Searches report only possible findings.
@Suite struct PossibleFindingTests {
  /// A feature that loads a value, used in many positions.
  ///
  /// Its effects have the same name everywhere.
  @Reducer struct Loader {
    @ObservableState struct State: Equatable, Identifiable {
      var id = 0
      var loads = 0
    }

    enum Action {
      case tapped
      case retried
      case loaded(Int)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .tapped, .retried: return .run(name: "load") { send in await send(.loaded(1)) }
        case .loaded:
          state.loads += 1
          return .none
        }
      }
    }
  }

  @Reducer(state: .equatable) enum Screen {
    case online(Loader)
    case offline(Loader)
  }

  /// Loaders in each position where a feature can have children.
  @Reducer struct Family {
    @ObservableState struct State: Equatable {
      var left = Loader.State()
      var right = Loader.State()
      var rows: IdentifiedArrayOf<Loader.State> = [Loader.State(id: 1), Loader.State(id: 2)]
      @Presents var sheet: Loader.State?
      @Presents var popover: Loader.State?
      var screen = Screen.State.online(Loader.State())
    }

    enum Action {
      case left(Loader.Action)
      case right(Loader.Action)
      case rows(IdentifiedActionOf<Loader>)
      case sheet(PresentationAction<Loader.Action>)
      case popover(PresentationAction<Loader.Action>)
      case screen(Screen.Action)
      case opened
      case wentOffline
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.left, action: \.left) { Loader() }
      Scope(state: \.right, action: \.right) { Loader() }
      Scope(state: \.screen, action: \.screen) { Screen.body }
      Reduce { state, action in
        switch action {
        case .opened:
          state.sheet = Loader.State()
          state.popover = Loader.State()
        case .wentOffline: state.screen = .offline(Loader.State())
        default: break
        }
        return .none
      }
      .forEach(\.rows, action: \.rows) { Loader() }
      .ifLet(\.$sheet, action: \.sheet) { Loader() }
      .ifLet(\.$popover, action: \.popover) { Loader() }
    }
  }

  /// Adds rows with new ids, and counts them.
  @Reducer struct Pairs {
    struct Row: Equatable, Identifiable { let id: UUID }

    @ObservableState struct State: Equatable {
      var rows: IdentifiedArrayOf<Row> = []
      var added = 0
      var day = 1.0
    }

    enum Action {
      case added
      case dated
      case set(Double)
    }

    @Dependency(\.uuid) var uuid
    @Dependency(\.date.now) var now

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .added:
          for _ in 0..<2 { state.rows.append(Row(id: uuid())) }
          state.added += 2
        case .dated: state.day = now.timeIntervalSince1970
        case .set(let day): state.day = day
        }
        return .none
      }
    }
  }

  /// Loads with one of two effects, which have the same index among the effects of their action.
  @Reducer struct Modes {
    @ObservableState struct State: Equatable {
      var mode = 0
      var answer = ""
      var sum = 0
    }

    enum Action {
      case prepareTapped
      case prepared
      case modeSet(Int)
      case goTapped
      case answered(String)
      case counted(Int)
      case replaced(Int)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .prepareTapped: return .run(name: "prepare") { send in await send(.prepared) }
        case .prepared: state.mode = 1
        case .modeSet(let mode): state.mode = mode
        case .goTapped:
          return state.mode == 0
            ? .run(name: "a") { send in await send(.answered("a")) }
            : .run(name: "b") { send in await send(.answered("b")) }
        case .answered(let answer): state.answer = answer
        case .counted(let number): state.sum += number
        case .replaced(let number): state.sum = number
        }
        return .none
      }
    }
  }

  private static let family = ReplayFeature("Family") {
    Family()
  } initialState: {
    Family.State()
  }
  private static let pairs = ReplayFeature("Pairs") {
    Pairs()
  } initialState: {
    Pairs.State()
  }
  private static let modes = ReplayFeature("Modes") {
    Modes()
  } initialState: {
    Modes.State()
  }

  /// Returns a log with these actions, each with an optional sending effect.
  ///
  /// The effects and changes are those of the code.
  private static func log(
    _ entry: FeatureEntry,
    state: String,
    _ actions: [(origin: String, action: String)],
    reads: [Int: String] = [:]
  ) throws -> [LogEvent] {
    var lines = [
      #"{"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"\#(entry.name)","stateType":"\#(entry.stateType)"}"#,
      #"{"kind":"checkpoint","seq":0,"state":\#(state),"effects":[]}"#,
    ]
    for (index, (origin, action)) in actions.enumerated() {
      let seq = index + 1
      let origin = origin.isEmpty ? #""view""# : #"{"effect":"\#(origin)"}"#
      lines.append(
        #"{"kind":"action","seq":\#(seq),"at":0,"origin":\#(origin),"action":\#(action)}"#
      )
      if let read = reads[seq] { lines.append(#"{"kind":"read","seq":\#(seq),\#(read)}"#) }
      lines.append(#"{"kind":"change","seq":\#(seq),"patch":[]}"#)
    }
    lines.append(#"{"kind":"end","seq":\#(actions.count),"reason":"closed"}"#)
    let events = try lines.map { try LogEvent(json: JSON(parsing: $0)) }
    var rest = events[...]
    let next: LogComparison.Events = { rest.popFirst() }
    var session = ReplaySession(keepsStandIns: true, events: next) { _ in try entry.makeEngine() }
    var written: [LogEvent] = []
    while let event = try session.next() { written.append(event) }
    return written.asRecorded
  }

  private static func hosts(_ entry: FeatureEntry) -> HostPool {
    HostPool {
      { log, options in
        InProcessReplay(
          ReplaySession(
            isPruning: options.isPruning,
            keepsStandIns: options.keepsStandIns,
            events: try log.events()
          ) { _ in try entry.makeEngine() }
        )
      }
    }
  }

  // MARK: - Answers

  private static let familyState =
    #"{"left":{"id":0,"loads":0},"right":{"id":0,"loads":0},"rows":[{"id":1,"loads":0},{"id":2,"loads":0}],"sheet":null,"popover":null,"screen":{"online":{"_0":{"id":0,"loads":0}}}}"#

  private static func row(_ id: Int, _ action: String) -> String {
    #"{"rows":{"_0":{"element":{"id":\#(id),"action":\#(action)}}}}"#
  }

  private static func presented(_ name: String, _ action: String) -> String {
    #"{"\#(name)":{"_0":{"presented":{"_0":\#(action)}}}}"#
  }

  private static func screen(_ name: String, _ action: String) -> String {
    #"{"screen":{"_0":{"\#(name)":{"_0":\#(action)}}}}"#
  }

  /// Returns a log with each kind of child.
  ///
  /// One child loads, and its twin does not.
  private static func familyLog() throws -> [LogEvent] {
    let (tapped, loaded) = (#"{"tapped":{}}"#, #"{"loaded":{"_0":1}}"#)
    return try log(
      family.entry,
      state: familyState,
      [
        ("", #"{"opened":{}}"#),
        ("", #"{"left":{"_0":\#(tapped)}}"#), ("2.0", #"{"left":{"_0":\#(loaded)}}"#),
        ("", #"{"right":{"_0":\#(tapped)}}"#), ("", #"{"right":{"_0":{"retried":{}}}}"#),
        ("", #"{"left":{"_0":{"retried":{}}}}"#),
        ("", row(1, tapped)), ("7.0", row(1, loaded)), ("", row(2, tapped)),
        ("", presented("sheet", tapped)), ("10.0", presented("sheet", loaded)),
        ("", presented("popover", tapped)),
        ("", screen("online", tapped)), ("13.0", screen("online", loaded)),
        ("", #"{"wentOffline":{}}"#), ("", screen("offline", tapped)),
      ]
    )
  }

  /// Returns an action's path to the child that handles it, with the ids of elements.
  private static func route(_ action: JSON) -> String {
    var route = ""
    var value = action
    while let object = value.object {
      if object.count == 2, let id = object["id"], let inner = object["action"] {
        route += "[\(id)]"
        value = inner
      } else if object.count == 1, let name = object.keys.first, let inner = object[name],
        inner.object?.isEmpty == false,
        inner.object?["_0"]?.object != nil || name == "_0"
          || name == "element"
      {
        route += ".\(name)"
        value = inner
      } else {
        break
      }
    }
    return route
  }

  @Test func `fuzz sends recorded answers of an effect only to the child that started the effect`()
    throws
  {
    let log = try Self.familyLog()
    var rest = log[...]
    var material = FuzzSeedCorpus()
    try material.add { rest.popFirst() }
    let header = try #require(material.header)
    let checkpoint = try #require(material.checkpoint)
    var engine = try Self.family.entry.makeEngine()
    _ = try engine.load(checkpoint, header: header)
    var answered: Set<String> = []
    try engine.withContext {
      let runner = FuzzRunner(
        engine,
        header,
        at: checkpoint,
        judge: SearchJudge(),
        samples: LargestSampledInputs(),
        page: nil
      )
      var draws = FuzzStepGenerator(material, seed: 3)
      draws.drawAllCases()
      for _ in 0..<Thoroughness.count(40, thorough: 150) {
        runner.go()
        var steps: [FuzzStep] = []
        for number in 0..<30 {
          let step = draws.drawStep(runner)
          if runner.make(step, number: number).isPossible { steps.append(step) }
        }
        // Mixes steps of one sequence into others.
        let mixed = steps + material.sequences[0].shuffled(using: &Self.generator)
        var actions: [Int: JSON] = [:]
        for case .action(let action) in runner.events(of: mixed, isTrapping: false) {
          actions[action.seq] = action.action
          guard case .effect(let id, _) = action.origin else { continue }
          let cause = try #require(actions[id.seq])
          #expect(Self.route(cause) == Self.route(action.action), "\(action.action) from \(cause)")
          answered.insert(Self.route(action.action))
        }
      }
    }
    // No log contains answers for the twins. Only the rows have a single source.
    #expect(
      answered == [
        ".left._0", ".screen._0.online._0", ".rows._0.element[1]", ".rows._0.element[2]",
        ".sheet._0.presented._0",
      ]
    )
  }

  nonisolated(unsafe) private static var generator = SplitMix64(seed: 5)

  // MARK: - Reads, and where a finding comes from

  private static func fuzzed(
    _ events: [LogEvent],
    _ rule: String,
    in folder: TemporaryFolder
  ) throws -> [FuzzFinding] {
    try folder.write(
      events.map { String(decoding: $0.line, as: UTF8.self) + "\n" }.joined(),
      to: "log.jsonl"
    )
    let condition = Condition(try JSONPath.Expression(parsing: rule))
    let fuzzer = Fuzzer(
      logs: [LogSlice(path: "\(folder.path)/log.jsonl", name: "log.jsonl")],
      judge: SearchJudge([SearchJudge.Rule(condition: condition)], countsFaults: true),
      makeHost: InProcessSearchHost.maker([pairs.entry]),
      hosts: hosts(pairs.entry),
      options: ReplayOptions(),
      seed: 1,
      runs: 100
    )
    return try fuzzer.run().findings
  }

  private static let pairsState = #"{"rows":[],"added":0,"day":1}"#

  @Test func `fuzz returns a different id for each read of an id`() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(
      Self.pairs.entry,
      state: Self.pairsState,
      Array(repeating: ("", #"{"added":{}}"#), count: 3)
    )
    let rule = "length($.state.rows) == $.state.added"
    #expect(try Self.fuzzed(log, rule, in: folder).map(\.symptom.text) == [])
  }

  /// A log, and the action to which a search attributes a violation of `day > 0`.
  struct Origin: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let actions: [String]
    var reads: [Int: String] = [:]
    let words: String
  }

  static let origins = [
    Origin(
      testDescription: "the log shows it",
      actions: [#"{"set":{"_0":2}}"#, #"{"set":{"_0":-3}}"#],
      words: "in a log of the corpus"
    ),
    Origin(
      testDescription: "the log has read another value",
      actions: [#"{"set":{"_0":2}}"#, #"{"dated":{}}"#],
      reads: [2: #""key":"date","value":"2026-01-01T00:00:00Z""#],
      words: "in the actions of a log, which lead to other states than in the log"
    ),
    Origin(
      testDescription: "the log has read other values before, and shows it",
      actions: [#"{"dated":{}}"#, #"{"set":{"_0":-3}}"#],
      reads: [1: #""key":"date","value":"2026-01-01T00:00:00Z""#],
      words: "in a log of the corpus"
    ),
  ]

  @Test(arguments: origins)
  func `a finding of fuzz names a log as its origin only if that log has the same finding`(
    _ origin: Origin
  ) throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(
      Self.pairs.entry,
      state: Self.pairsState,
      origin.actions.map { ("", $0) },
      reads: origin.reads
    )
    let finding = try #require(
      try Self.fuzzed(log, "$.state.day > 0", in: folder).first
    )
    #expect(
      Wording.found(finding)
        == "violates \(finding.symptom.message.dropFirst(9)), with 1 action from outside, \(origin.words) (\(finding.symptom.fingerprint))"
    )
  }

  @Test func `a finding of fuzz in a mutated sequence does not name a log as its origin`() throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(
      Self.pairs.entry,
      state: Self.pairsState,
      [("", #"{"set":{"_0":2}}"#), ("", #"{"set":{"_0":7}}"#)]
    )
    let finding = try #require(try Self.fuzzed(log, "$.state.day > 0", in: folder).first)
    guard case .madeBefore = finding.origin else {
      Issue.record("\(finding.origin)")
      return
    }
  }

  // MARK: - Orders and subsets

  private static let modesState = #"{"mode":0,"answer":"","sum":0}"#

  /// Returns a log whose second action returns `b` after an answer, and `a` otherwise.
  private static func modesLog(_ first: [(String, String)]) throws -> [LogEvent] {
    let go = first.count + 1
    return try log(
      modes.entry,
      state: modesState,
      first + [("", #"{"goTapped":{}}"#), ("\(go).0", #"{"answered":{"_0":"b"}}"#)]
    )
  }

  private static func explorer(
    _ events: [LogEvent],
    _ rules: [String] = [],
    inMemory: Bool,
    in folder: TemporaryFolder
  ) throws -> Explorer {
    try folder.write(
      events.map { String(decoding: $0.line, as: UTF8.self) + "\n" }.joined(),
      to: "log.jsonl"
    )
    let slice = LogSlice(path: "\(folder.path)/log.jsonl", name: "log.jsonl")
    let noHost: CommandContext.SearchHostMaker = { _ in nil }
    let judge = SearchJudge(
      try rules.map {
        SearchJudge.Rule(condition: Condition(try JSONPath.Expression(parsing: $0)))
      },
      countsFaults: true,
      countsOvertaking: true
    )
    return Explorer(
      log: try ThreadedLog(try slice.events()),
      replayer: EventReplayer(hosts: hosts(modes.entry)),
      judge: judge,
      memory: InMemorySearchClient(
        makeHost: inMemory ? InProcessSearchHost.maker([modes.entry]) : noHost,
        options: ReplayOptions(),
        log: slice
      )
    )
  }

  @Test(arguments: [true, false])
  func `explore sends no action of an effect that has not started`(inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let log = try Self.modesLog([("", #"{"prepareTapped":{}}"#), ("1.0", #"{"prepared":{}}"#)])
    let rule = "$.state.answer != 'b' || $.state.mode == 1"
    let result = try Self.explorer(log, [rule], inMemory: inMemory, in: folder).explore()
    #expect(result.violation == nil)
    #expect(result.isComplete)
  }

  @Test func `minimize keeps actions that start an effect if the condition needs its answer`()
    throws
  {
    let log = try Self.modesLog([("", #"{"modeSet":{"_0":1}}"#)])
    var rest = log[...]
    let replayer = SubsetReplayer(
      log: try CausalLog { rest.popFirst() },
      hosts: Self.hosts(Self.modes.entry)
    )
    let property = PreservedProperty.condition(
      Condition(try JSONPath.Expression(parsing: "$.state.answer == 'b'"))
    )
    let result = try Minimizer(replayer: replayer, property: property).minimize()
    #expect(result.subset.units == [0, 1, 2])
  }

  /// Two answers, the older of which arrives last, and whether it replaces the newer one.
  struct Late: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [String]
    let replaces: Bool
  }

  static let late = [
    Late(
      testDescription: "a counter by one",
      answers: [#"{"counted":{"_0":1}}"#, #"{"counted":{"_0":1}}"#],
      replaces: false
    ),
    Late(
      testDescription: "a counter by other amounts",
      answers: [#"{"counted":{"_0":5}}"#, #"{"counted":{"_0":-3}}"#],
      replaces: false
    ),
    Late(
      testDescription: "another value",
      answers: [#"{"replaced":{"_0":1}}"#, #"{"replaced":{"_0":2}}"#],
      replaces: true
    ),
  ]

  @Test(arguments: late)
  func `explore reports a late answer as overtaking only if it replaces a newer answer`(
    _ late: Late
  ) throws {
    let folder = try TemporaryFolder()
    let log = try Self.log(
      Self.modes.entry,
      state: Self.modesState,
      [
        ("", #"{"goTapped":{}}"#), ("", #"{"goTapped":{}}"#), ("2.0", late.answers[0]),
        ("1.0", late.answers[1]),
      ]
    )
    let explorer = try Self.explorer(log, inMemory: true, in: folder)
    var rest = log[...]
    let causes = try CausalLog { rest.popFirst() }
    let found = try explorer.recordedOvertaking(causes)
    #expect(found.map(\.seq) == (late.replaces ? 4 : nil))
    #expect(found.map(\.place.pointer) == (late.replaces ? JSON.Pointer(["sum"]) : nil))
  }
}
