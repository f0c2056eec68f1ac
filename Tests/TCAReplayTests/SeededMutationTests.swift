import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TestSupport
import Testing

@testable import TCAReplaying

/// A feature with one random change of behavior that records its own actions as dumps.
///
/// Dumps are independent of logs. They show whether the feature has behaved differently.
private struct SeededMutant<Base: Reducer & Sendable>: Reducer, Sendable
where Base.State: Sendable, Base.Action: Sendable {
  typealias State = Base.State
  typealias Action = Base.Action

  let base: Base
  /// The number of the changed action, counted from 1; 0 for none.
  let target: Int
  let seed: UInt64
  let track: LockIsolated<[String]>

  enum Change: CaseIterable {
    case state, payload, sent, dropped, doubled, renamed, cancelID, read, ignored
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let number = track.value.count + 1
    guard number == target else {
      let effect = base._reduce(into: &state, action: action)
      // Before its change, the behavior is the same and need not be dumped.
      if number < target { track.withValue { $0.append("") } } else { note(state, effect) }
      return effect
    }
    var random = SplitMix64(seed: seed)
    let (effect, more) = changed(&state, action, &random)
    note(state, effect, more)
    return effect
  }

  private func changed(
    _ state: inout State,
    _ action: Action,
    _ random: inout SplitMix64
  ) -> (Effect<Action>, String) {
    switch Change.allCases.pick(&random) {
    case .state:
      let effect = base._reduce(into: &state, action: action)
      state = Self.changed(state, &random) ?? state
      return (effect, "")
    case .payload:
      let action = Self.changed(action, &random) ?? action
      return (base._reduce(into: &state, action: action), "")
    case .sent:
      let effect = base._reduce(into: &state, action: action)
      var random = random
      return (
        effect.rewritten { part in
          guard case .send(let sent, _) = part.operation,
            let changed = Self.changed(sent.action, &random)
          else { return part }
          return .send(changed)
        }, ""
      )
    case .dropped:
      _ = base._reduce(into: &state, action: action)
      return (.none, "")
    case .doubled:
      let effect = base._reduce(into: &state, action: action)
      return (.merge(effect, effect), "")
    case .renamed:
      return (
        base._reduce(into: &state, action: action).mapLeaves { $0.name = ($0.name ?? "") + "!" }, ""
      )
    case .cancelID:
      return (
        base._reduce(into: &state, action: action).rewritten { part in
          guard case .cancellable(let inner, let id, let inFlight) = part.operation,
            // The library's own ids follow from the state.
            !Self.isOfLibrary(id)
          else { return part }
          let other = CancelID("other", path: id.path)
          return Effect(operation: .cancellable(inner, other, cancelInFlight: inFlight))
        }, ""
      )
    case .read:
      @Dependency(\.uuid) var uuid
      _ = uuid()
      return (base._reduce(into: &state, action: action), "read")
    case .ignored: return (.none, "")
    }
  }

  private func note(_ state: State, _ effect: Effect<Action>, _ more: String = "") {
    var text = more
    customDump(state, to: &text)
    Self.describe(effect, to: &text)
    track.withValue { $0.append(text) }
  }

  private static func describe(_ effect: Effect<Action>, to text: inout String) {
    switch effect.operation {
    case .none: return
    case .send(let sent, _): customDump(sent.action, to: &text)
    case .run(let run):
      guard !run.leaf.isInternal else { return }
      text += " run \(run.leaf.name ?? "")"
    case .merge(let effects):
      for effect in effects { describe(effect, to: &text) }
    case .concatenate(let effects):
      text += " then"
      for effect in effects { describe(effect, to: &text) }
    case .cancellable(let inner, let id, let inFlight):
      if !isOfLibrary(id) { text += " \(id.key) \(inFlight)" }
      describe(inner, to: &text)
    case .cancel(let id, _):
      if !isOfLibrary(id) { text += " cancel \(id.key)" }
    }
  }

  /// Returns whether an id is the library's own for the effects of a child.
  ///
  /// Such ids follow from the state and are not compared.
  private static func isOfLibrary(_ id: CancelID) -> Bool { "\(id.key)".contains("ChildEffects") }

  /// Returns the value after one text, number or Boolean value in it was changed.
  private static func changed<Value>(_ value: Value, _ random: inout SplitMix64) -> Value? {
    var json = JSON(logging: value)
    var places: [JSON.Pointer] = []
    leaves(of: json, [], &places)
    guard !places.isEmpty else { return nil }
    let place = places.pick(&random)
    let other: JSON? =
      switch json[place] {
      case .string(let text)?: .string(text + "x")
      case .bool(let flag)?: .bool(!flag)
      case .number?: 7
      default: nil
      }
    guard let other else { return nil }
    try? JSON.Patch([.replace(place, other)]).apply(to: &json)
    return try? LogDecoder(json).value(Value.self, over: value)
  }

  private static func leaves(of json: JSON, _ path: [String], _ places: inout [JSON.Pointer]) {
    switch json {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        leaves(of: element, path + ["\(index)"], &places)
      }
    case .object(let object):
      for (name, member) in object { leaves(of: member, path + [name], &places) }
    case .null: break
    default: places.append(JSON.Pointer(path))
    }
  }
}

/// A feature whose state, payloads and inputs contain values that a log does not hold.
@Reducer private struct Notebook: Sendable {
  struct Page: Equatable, Sendable { var text = "" }

  @ObservableState struct State: Equatable, Sendable {
    var page = Page()
    var pages: [Page] = []
    var count = 0
  }

  enum Action: Sendable {
    case write(Int)
    case turn
    case save
    case saved(Page)
  }

  /// The letter that it writes.
  var letter = "a"

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .write(let count): state.page.text += String(repeating: letter, count: count)
      case .turn: state.pages.append(state.page)
      case .save: return .send(.saved(state.page))
      case .saved: state.count += 1
      }
      return .none
    }
  }
}

/// Every change in the behavior of a feature on a log is detected.
@MainActor
@Suite("Seeded mutations")
struct SeededMutationTests {
  private static let count = Thoroughness.count(45, thorough: 450)

  /// Replays a log with mutants, and without a mutation.
  ///
  /// - Returns: The number of mutants with different behavior.
  private func hunt<Base: Reducer & Sendable>(
    in log: String,
    _ base: Base,
    seeds: Range<Int>,
    initialState: @escaping @Sendable () -> Base.State
  ) throws -> Int where Base.State: Sendable, Base.Action: Sendable {
    let log = LogSlice(path: log, name: log)
    func run(_ target: Int, _ seed: UInt64) throws -> (ReplayCheck.Result, [String]) {
      let track = LockIsolated<[String]>([])
      let mutant = SeededMutant(base: base, target: target, seed: seed, track: track)
      let result = try ReplayCheck(log: log).run { _ in
        ReducerEngine(reducer: { mutant }, initialState: initialState)
      }
      return (result, track.value)
    }
    let (result, expected) = try run(0, 0)
    #expect(result.verdict.isSame)
    #expect(!expected.isEmpty)
    var others = 0
    for seed in seeds {
      var random = SplitMix64(seed: UInt64(seed))
      let target = Int.random(in: 1...expected.count, using: &random)
      let (result, found) = try run(target, UInt64(seed))
      let pairs = zip(expected, found).dropFirst(target - 1)
      guard pairs.contains(where: { $0 != $1 }) else { continue }
      others += 1
      guard result.verdict.isSame else { continue }
      #expect(
        !result.notCompared.isEmpty,
        """
        \(Base.self), seed \(seed): action \(target) differs, and nothing is said:
        \(Self.firstDifference(pairs))
        """
      )
    }
    return others
  }

  /// Returns the first difference of two tracks.
  private static func firstDifference(_ pairs: some Sequence<(String, String)>) -> String {
    guard let (old, new) = pairs.first(where: { $0 != $1 }) else { return "" }
    let start = zip(old, new).prefix { $0 == $1 }.count
    func part(_ text: String) -> Substring { text.dropFirst(max(0, start - 60)).prefix(240) }
    return "\(part(old))\ninstead\n\(part(new))"
  }

  private static func sample(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/SampleLogs/\(name).jsonl"
  }

  @Test("A mutant of a sample feature diverges if its behavior differs")
  func samples() throws {
    let part = Self.count / 3
    var others = try hunt(in: Self.sample("todos"), Todos(), seeds: 0..<part) { Todos.State() }
    others += try hunt(in: Self.sample("signup"), SignUp(), seeds: part..<2 * part) {
      inOwnStorage { SignUp.State() }
    }
    others += try hunt(in: Self.sample("memos"), Memos(), seeds: 2 * part..<3 * part) {
      inOwnStorage { Memos.State() }
    }
    // Most of them behave differently. Otherwise the test would find nothing.
    #expect(others > part)
    print("seeds 0..<\(3 * part): \(others) mutants behaved otherwise")
  }

  @Test(
    "A replay of a mutant that differs only in opaque values lists these values as not compared",
    arguments: [false, true]
  )
  func opaque(isRendered: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.jsonl"
    var configuration = RecorderConfiguration(.file(path))
    configuration.rendersOpaqueValues = isRendered
    let recorder = Recorder(configuration)
    let store = Store(initialState: Notebook.State()) {
      Notebook().recorded(as: "Notebook", to: recorder)
    }
    for number in 0..<20 {
      store.send([.write(number + 1), .turn, .save][number % 3])
    }
    let others = try hunt(in: path, Notebook(), seeds: 0..<Self.count / 3) { Notebook.State() }
    #expect(others > 0)
    // A letter that occurs only in the opaque values.
    let result = try ReplayCheck(log: LogSlice(path: path, name: path)).run { _ in
      ReducerEngine(reducer: { Notebook(letter: "b") }, initialState: { Notebook.State() })
    }
    #expect(result.verdict.isSame != isRendered)
    #expect(!result.notCompared.isEmpty)
  }
}
