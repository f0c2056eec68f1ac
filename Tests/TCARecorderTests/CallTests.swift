import ActionLog
import Foundation
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

private typealias Visitor = (Int) -> Int

/// Endpoints of all shapes.
@DependencyClient
private struct Shapes: Sendable {
  var value: @Sendable () -> Int = { 0 }
  var named: @Sendable (_ city: String, _ days: Int) -> String = { _, _ in "" }
  var `void`: @Sendable (String) -> Void
  var attempt: @Sendable (Int) throws -> Int
  var voidAttempt: @Sendable () throws -> Void
  var typed: @Sendable (Int) throws(Refusal) -> Int = { (number: Int) throws(Refusal) in number }
  var asyncValue: @Sendable (_ a: Int, _ b: Int?, _ c: [Bool]) async -> Int = { a, _, _ in a }
  var asyncVoid: @Sendable () async -> Void
  var asyncAttempt: @Sendable (String) async throws -> Reply
  var asyncTyped: @Sendable () async throws(Refusal) -> Int = { () throws(Refusal) in 1 }
  var asyncVoidTyped: @Sendable () async throws(Refusal) -> Void
  var visits: @Sendable (_ each: (Int) -> Int) -> Int = { $0(1) }
  var visitsNamed: @Sendable (Visitor) async -> Int = { $0(1) }
  var keeps:
    @Sendable (@escaping @Sendable () async throws -> Void, (@Sendable () -> Int)?) async -> Void
  var existential: @Sendable () async throws -> any Sendable
  var erased: @Sendable (any Error) async -> any Error = { $0 }
  var unique: @Sendable () async -> Ticket = { Ticket() }
  var onMain: @MainActor @Sendable (Int) async -> Bool = { _ in false }
  var change: @Sendable (inout Int) -> Void

  enum Refusal: String, Error, Codable { case busy }
  struct Reply: Codable, Equatable, Sendable { var text: String }
  struct Offline: Error {}
  struct Ticket: ~Copyable, Sendable {}
}

extension Shapes: DependencyKey {
  static let liveValue = Shapes(
    value: { 7 },
    named: { "\($0) \($1)" },
    void: { _ in },
    attempt: { number in
      if number < 0 { throw Offline() }
      return number
    },
    voidAttempt: { throw Refusal.busy },
    typed: { (_: Int) throws(Refusal) in throw .busy },
    asyncValue: { a, b, c in a + (b ?? 0) + c.count },
    asyncVoid: {},
    asyncAttempt: { text in
      if text.isEmpty { throw Offline() }
      return Reply(text: text)
    },
    asyncTyped: { () throws(Refusal) in throw .busy },
    asyncVoidTyped: { () throws(Refusal) in },
    visits: { $0(2) },
    visitsNamed: { $0(3) },
    keeps: { _, _ in },
    existential: { Reply(text: "boxed") },
    erased: { $0 },
    unique: { Ticket() },
    onMain: { _ in
      MainActor.preconditionIsolated()
      return true
    },
    change: { $0 += 1 }
  )
}

/// A feature whose effects are controlled by a test.
@Reducer
private struct Errands {
  @ObservableState
  struct State: Equatable {
    var last = ""
  }
  enum Action {
    case run
    case quietly
    case heard(String)
    case read
  }

  @Dependency(Shapes.self) var shapes
  let errand: @Sendable (Shapes, Send<Action>) async throws -> Void

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .run, .quietly:
        return .run { [shapes, errand] send in
          try await errand(shapes, send)
        } catch: { _, _ in
        }
        .cancellable(id: "errand")
      case .heard(let text): state.last = text
      case .read:
        state.last = "\(shapes.value())"
        shapes.void("in reduce")
      }
      return .none
    }
  }
}

/// An actor that runs closures, and can tell whether they run on it.
private actor Office {
  func isHome(_ work: @Sendable (isolated Office) async throws -> Bool) async rethrows -> Bool {
    try await work(self)
  }
}

@MainActor
@Suite("Calls of effects")
struct CallTests {
  private func store(
    _ destination: LogDestination,
    _ calls: CallFilter? = CallFilter(),
    set: (inout RecorderConfiguration) -> Void = { _ in },
    errand: @escaping @Sendable (Shapes, Send<Errands.Action>) async throws -> Void
  ) -> StoreOf<Errands> {
    var configuration = RecorderConfiguration(destination)
    configuration.calls = calls
    configuration.now = { 5 }
    set(&configuration)
    return Store(initialState: Errands.State()) {
      Errands(errand: errand).recorded(to: Recorder(configuration))
    } withDependencies: {
      $0[Shapes.self] = .liveValue
    }
  }

  /// Returns the lines of calls that an errand writes.
  private func calls(
    _ calls: CallFilter? = CallFilter(),
    _ errand: @escaping @Sendable (Shapes, Send<Errands.Action>) async throws -> Void
  ) async -> [String] {
    let sink = MemorySink()
    let store = store(sink.destination, calls, errand: errand)
    await store.send(.run).finish()
    return Self.calls(sink)
  }

  private static func calls(_ sink: MemorySink) -> [String] {
    sink.text.split(separator: "\n").filter { $0.contains(#""kind":"call""#) }.map {
      String($0).replacing(/\(unknown[^"]*\)\./, with: "")
        .replacing(/"symbol":"[^"]*"/, with: "\"symbol\":\"…\"")
    }
  }

  private struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    let line: String
    let call: @Sendable (Shapes) async throws -> Void

    init(_ name: String, _ line: String, _ call: @escaping @Sendable (Shapes) async throws -> Void)
    {
      (self.name, self.call) = (name, call)
      self.line =
        #"{"kind":"call","id":"1.0","key":"Shapes."# + name + #"","# + line
        + #","at":5,"us":0}"#
    }

    var testDescription: String { name }
  }

  nonisolated private static let shapes = [
    Shape("value", #""arguments":[],"result":7"#) { _ = $0.value() },
    Shape("named", #""arguments":["Oslo",3],"result":"Oslo 3""#) {
      _ = $0.named(city: "Oslo", days: 3)
    },
    Shape("void", #""arguments":["x"],"result":{}"#) { $0.void("x") },
    Shape("attempt", #""arguments":[4],"result":4"#) {
      let number = try $0.attempt(4)
      #expect(number == 4)
    },
    Shape(
      "attempt",
      #""arguments":[-1],"error":{"$error":{"type":"Shapes.Offline","description":"Offline()"}}"#
    ) { shapes in
      #expect(throws: Shapes.Offline.self) { try shapes.attempt(-1) }
    },
    Shape(
      "voidAttempt",
      #""arguments":[],"error":{"$error":{"type":"Shapes.Refusal","description":"busy"}}"#
    ) { shapes in
      #expect(throws: Shapes.Refusal.busy) { try shapes.voidAttempt() }
    },
    Shape(
      "typed",
      #""arguments":[1],"error":{"$error":{"type":"Shapes.Refusal","description":"busy"}}"#
    ) { shapes in
      do throws(Shapes.Refusal) { _ = try shapes.typed(1) } catch { #expect(error == .busy) }
    },
    Shape("asyncValue", #""arguments":[1,null,[true,false]],"result":3"#) {
      #expect(await $0.asyncValue(a: 1, b: nil, c: [true, false]) == 3)
    },
    Shape("asyncVoid", #""arguments":[],"result":{}"#) { await $0.asyncVoid() },
    Shape("asyncAttempt", #""arguments":["a"],"result":{"text":"a"}"#) {
      let reply = try await $0.asyncAttempt("a")
      #expect(reply == Shapes.Reply(text: "a"))
    },
    Shape(
      "asyncAttempt",
      #""arguments":[""],"error":{"$error":{"type":"Shapes.Offline","description":"Offline()"}}"#
    ) { shapes in
      await #expect(throws: Shapes.Offline.self) { try await shapes.asyncAttempt("") }
    },
    Shape(
      "asyncTyped",
      #""arguments":[],"error":{"$error":{"type":"Shapes.Refusal","description":"busy"}}"#
    ) { shapes in
      do throws(Shapes.Refusal) { _ = try await shapes.asyncTyped() } catch {
        #expect(error == .busy)
      }
    },
    Shape("asyncVoidTyped", #""arguments":[],"result":{}"#) { try await $0.asyncVoidTyped() },
    Shape("visits", #""arguments":[{"$opaque":"(Int) -> Int"}],"result":4"#) {
      #expect($0.visits { $0 * 2 } == 4)
    },
    Shape("visitsNamed", #""arguments":[{"$opaque":"Function"}],"result":6"#) {
      #expect(await $0.visitsNamed { $0 * 2 } == 6)
    },
    Shape(
      "keeps",
      #""arguments":[{"$opaque":"@Sendable () async throws -> Void"},null],"result":{}"#
    ) { await $0.keeps({}, nil) },
    Shape("existential", #""arguments":[],"result":{"text":"boxed"}"#) {
      let value = try await $0.existential()
      #expect(value is Shapes.Reply)
    },
    Shape(
      "erased",
      #""arguments":[{"$error":{"type":"Shapes.Offline","description":"Offline()"}}],"result":{"$error":{"type":"Shapes.Offline","description":"Offline()"}}"#
    ) { _ = await $0.erased(Shapes.Offline()) },
    Shape("unique", #""arguments":[],"result":{"$opaque":"Ticket"}"#) { _ = await $0.unique() },
    Shape("onMain", #""arguments":[1],"result":true"#) { #expect(await $0.onMain(1)) },
  ]

  @Test("A call of each shape is recorded with its arguments and its result", arguments: shapes)
  private func shape(_ shape: Shape) async {
    #expect(await calls { shapes, _ in try await shape.call(shapes) } == [shape.line])
  }

  @Test("An endpoint with an inout parameter works and is not recorded")
  func inoutParameters() async {
    let number = LockIsolated(0)
    let lines = await calls { shapes, _ in
      var count = 1
      shapes.change(&count)
      number.setValue(count)
    }
    #expect(lines == [] && number.value == 2)
  }

  @Test("A recorder without a call filter records no calls")
  func off() async {
    let sees = LockIsolated(true)
    let lines = await calls(nil) { shapes, _ in
      sees.setValue(_$recordsCalls)
      _ = try await shapes.asyncAttempt("a")
    }
    #expect(lines == [] && !sees.value)
  }

  @Test("A call filter includes and excludes clients and endpoints by name")
  func filter() async {
    func endpoints(_ filter: CallFilter) async -> [String] {
      await calls(filter) { shapes, _ in
        _ = shapes.value()
        await shapes.asyncVoid()
      }
      .compactMap { $0.split(separator: "\"").first { $0.hasPrefix("Shapes.") }.map(String.init) }
    }
    #expect(await endpoints(CallFilter()) == ["Shapes.value", "Shapes.asyncVoid"])
    #expect(await endpoints(CallFilter(include: ["Shapes"])).count == 2)
    #expect(await endpoints(CallFilter(include: ["Shapes.asyncVoid"])) == ["Shapes.asyncVoid"])
    #expect(await endpoints(CallFilter(exclude: ["Shapes.asyncVoid"])) == ["Shapes.value"])
    #expect(
      await endpoints(CallFilter(include: ["Shapes"], exclude: ["Shapes.value"]))
        == ["Shapes.asyncVoid"]
    )
    #expect(await endpoints(CallFilter(include: ["Other"])) == [])
  }

  @Test("Calls by reducers, views and observers are not recorded as calls of an effect")
  func notOfEffects() async {
    let sink = MemorySink()
    let store = store(sink.destination) { shapes, send in
      shapes.void("before")
      await send(.read)
      shapes.void("after")
    }
    Shapes.liveValue.void("from a view")
    withObservationTracking {
      _ = store.last
    } onChange: {
      Shapes.liveValue.void("from an observer")
    }
    await store.send(.run).finish()
    #expect(store.last == "7")
    #expect(
      sink.lines.compactMap { line in
        ["call", "read"].contains { line.contains("\"kind\":\"\($0)\"") } ? line : nil
      } == [
        #"{"kind":"call","id":"1.0","key":"Shapes.void","arguments":["before"],"result":{},"at":0}"#,
        #"{"kind":"read","seq":2,"key":"Shapes.value","value":7}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.void","arguments":["after"],"result":{},"at":0}"#,
      ]
    )
  }

  @Test("A call in an effect of another store is recorded only in the log of that store")
  func otherStores() async {
    let (sink, other) = (MemorySink(), MemorySink())
    let inner = store(other.destination) { shapes, _ in shapes.void("inner") }
    let plain = store(other.destination, nil) { shapes, _ in shapes.void("not recorded") }
    let outer = store(sink.destination) { shapes, _ in
      await inner.send(.run).finish()
      await plain.send(.run).finish()
      shapes.void("outer")
    }
    await outer.send(.run).finish()
    #expect(Self.calls(sink).count == 1 && Self.calls(sink)[0].contains("outer"))
    #expect(Self.calls(other).count == 1 && Self.calls(other)[0].contains("inner"))
  }
}

extension CallTests {
  @Test(
    "A call runs in the isolation of its caller, whether it is recorded or not",
    arguments: [true, false]
  )
  func isolation(isRecorded: Bool) async {
    let office = Office()
    let results = LockIsolated<[Bool]>([])
    _ = await calls(isRecorded ? CallFilter() : nil) { shapes, _ in
      // The effect itself is not bound to the main actor. Its parts run where they specify.
      let onMain = await MainActor.run { () -> Bool in
        shapes.void("x")
        MainActor.preconditionIsolated()
        return true
      }
      let atHome = try await office.isHome { office in
        office.preconditionIsolated()
        _ = try await shapes.asyncAttempt("a")
        office.preconditionIsolated()
        return true
      }
      results.withValue { $0 += [onMain, atHome] }
    }
    #expect(results.value == [true, true])
  }

  @Test(
    "Concurrent calls are recorded in the order in which they end, including those of child tasks"
  )
  func concurrent() async {
    let (first, second) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let sink = MemorySink()
    let configured = store(sink.destination) { shapes, _ in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in second.stream { break }
          shapes.void("last")
        }
        group.addTask {
          shapes.void("child")
          first.continuation.yield()
        }
        for await _ in first.stream { break }
        async let count = shapes.asyncValue(a: 1, b: 2, c: [])
        #expect(await count == 3)
        second.continuation.yield()
      }
      await Task { shapes.void("task") }.value
    }
    await configured.send(.run).finish()
    let keys = Self.calls(sink).map { line in
      line.components(separatedBy: "\"arguments\":")[1].components(separatedBy: "]")[0]
    }
    #expect(keys == [#"["child""#, "[1,2,[", #"["last""#, #"["task""#])
    #expect(Self.calls(sink).allSatisfy { $0.contains(#""id":"1.0""#) })
  }

  @Test(
    "A call is recorded as canceled, and a call that ends after its store is recorded before the end"
  )
  func cancelled() async throws {
    let (started, goOn) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let sink = MemorySink()
    let clock = LockIsolated(5)
    var store: StoreOf<Errands>? = store(
      sink.destination,
      set: { $0.now = { clock.value } },
      errand: { shapes, _ in
        var shapes = shapes
        shapes.asyncAttempt = { _ in
          started.continuation.yield()
          // Waits until it is canceled.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          throw CancellationError()
        }
        shapes.asyncVoid = {
          started.continuation.yield()
          await Task.detached { for await _ in goOn.stream { break } }.value
        }
        do { _ = try await shapes.asyncAttempt("a") } catch {}
        await shapes.asyncVoid()
      }
    )
    let running = store?.send(.run)
    var starts = started.stream.makeAsyncIterator()
    await starts.next()
    clock.setValue(25)
    running?.cancel()
    await starts.next()
    clock.setValue(125)
    store = nil
    clock.setValue(225)
    goOn.continuation.yield()
    // A cancellation is reported on the main actor, and the call may end before that.
    let lines = sink.lines.filter {
      !$0.contains("checkpoint") && !$0.contains(#""event":"cancelled""#)
    }
    #expect(
      lines.map { $0.replacing(/,"effects":\[.*\]/, with: "") } == [
        #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"run":{}}}"#,
        #"{"kind":"change","seq":1,"patch":[]}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.asyncAttempt","arguments":["a"],"error":{"$error":{"type":"CancellationError","description":"CancellationError()","symbol":"ScE","value":{}}},"cancelled":true,"at":0}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.asyncVoid","arguments":[],"at":0}"#,
        #"{"kind":"end","seq":1,"reason":"closed"}"#,
      ]
    )
    let times = try sink.events().compactMap { event in
      if case .call(let call) = event { [call.at, call.us] } else { nil }
    }
    #expect(times == [[5, 20], [25, 100]])
  }

  @Test("A call within another call is recorded before the outer one")
  func nested() async {
    let lines = await calls { shapes, _ in
      var outer = shapes
      outer.asyncAttempt = { [shapes] in try await shapes.asyncAttempt($0 + "!") }
      _ = try await outer.asyncAttempt("a")
    }
    #expect(
      lines == [
        #"{"kind":"call","id":"1.0","key":"Shapes.asyncAttempt","arguments":["a!"],"result":{"text":"a!"},"at":5,"us":0}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.asyncAttempt","arguments":["a"],"result":{"text":"a!"},"at":5,"us":0}"#,
      ]
    )
  }

  @Test("Calls of effects are recorded even if the action that started the effects is excluded")
  func excludedActions() async {
    let sink = MemorySink()
    let store = store(
      sink.destination,
      set: { $0.actions.exclude = ["/quietly"] },
      errand: { shapes, _ in shapes.void("x") }
    )
    await store.send(.quietly).finish()
    #expect(
      sink.lines.map { $0.prefix { $0 != "," } } == [
        #"{"kind":"checkpoint""#, #"{"kind":"excluded""#, #"{"kind":"call""#, #"{"kind":"effect""#,
      ]
    )
  }

  @Test("Calls beyond a limit are dropped and counted in the gap")
  func limits() async throws {
    let sink = MemorySink()
    var store: StoreOf<Errands>? = store(
      sink.destination,
      set: { $0.limits.session.actions = 1 },
      errand: { shapes, _ in shapes.void("x") }
    )
    await store?.send(.run).finish()
    await store?.send(.run).finish()
    store = nil
    let events = try sink.events()
    #expect(
      events.map(\.kind).joined(separator: " ")
        == "header checkpoint action change call effect gap gap end"
    )
    // An action, its change, its call and the end of its effect.
    guard case .gap(let gap) = events[7] else { throw CancellationError() }
    #expect(gap.dropped == 4)
  }

  @Test("Each segment of a ring contains the calls that ended while the segment was written")
  func ring() async throws {
    let folder = try TemporaryFolder()
    let ring = LogDestination.ring(folder.path + "/log.jsonl", bytes: 6000, segments: 3)
    let store = store(ring) { shapes, _ in
      _ = try await shapes.asyncAttempt(String(repeating: "a", count: 60))
    }
    for _ in 0..<60 { await store.send(.run).finish() }
    let counts = try folder.files.map { name in
      try folder.read(name).split(separator: "\n").count { $0.contains(#""kind":"call""#) }
    }
    // The last one may have just begun.
    #expect(counts.count > 2 && counts.count { $0 > 2 } >= counts.count - 1, "\(counts)")
  }
}

// MARK: - Several recorders

extension CallTests {
  @Reducer
  struct Inner {
    @ObservableState struct State: Equatable {}
    enum Action { case run }
    @Dependency(Rumours.self) var rumours
    var body: some ReducerOf<Self> {
      Reduce { _, _ in .run { [rumours] _ in _ = rumours.latest() } }
    }
  }

  @Reducer
  struct Outer {
    @ObservableState struct State: Equatable { var inner = Inner.State() }
    enum Action {
      case inner(Inner.Action)
      case run
    }
    let recorder: Recorder
    @Dependency(Rumours.self) var rumours
    var body: some ReducerOf<Self> {
      Scope(state: \.inner, action: \.inner) { Inner().recorded(to: recorder) }
      Reduce { _, action in
        guard case .run = action else { return .none }
        return .run { [rumours] _ in _ = rumours.latest() }
      }
    }
  }

  @Test("If two recorders record an effect, the calls in each log have the effect id of that log")
  func recorders() async {
    func recorder(_ sink: MemorySink) -> Recorder {
      var configuration = RecorderConfiguration(sink.destination)
      configuration.calls = CallFilter()
      return Recorder(configuration)
    }
    let (outer, inner) = (MemorySink(), MemorySink())
    let store = Store(initialState: Outer.State()) {
      Outer(recorder: recorder(inner)).recorded(to: recorder(outer))
    } withDependencies: {
      $0[Rumours.self].latest = { "none" }
    }
    await store.send(.run).finish()
    await store.send(.inner(.run)).finish()
    func ids(_ sink: MemorySink) -> [Substring] {
      Self.calls(sink).map { $0.dropFirst(#"{"kind":"call","id":""#.count).prefix(3) }
    }
    #expect(ids(outer) == ["1.0", "2.0"])
    #expect(ids(inner) == ["1.0"])
  }
}

// MARK: - Masks

extension CallTests {
  private func masked(
    _ masks: LogMasks,
    _ errand: @escaping @Sendable (Shapes, Send<Errands.Action>) async throws -> Void
  ) async -> [String] {
    let sink = MemorySink()
    let store = store(
      sink.destination,
      set: {
        $0.masks = masks
        $0.maskSecret = (1, 2)
        $0.complain = { _ in }
      },
      errand: errand
    )
    await store.send(.run).finish()
    return Self.calls(sink)
  }

  /// Returns the lines with substitutes numbered in the order of their first appearance.
  private static func numbered(_ lines: [String]) -> [String] {
    var known: [Substring] = []
    return lines.map { line in
      line.replacing(/masked[0-9a-f]{18}/) { match in
        if !known.contains(match.output) { known.append(match.output) }
        return "masked…\(known.firstIndex(of: match.output) ?? 0)"
      }
      .replacing(/"arguments":\[\d{5,}\]/, with: #""arguments":[0]"#)
    }
  }

  @Test("Masks of calls hide arguments, results and errors at their paths")
  func masks() async {
    let masks = LogMasks(call: [
      "/Shapes.named/arguments/0", "/Shapes.asyncAttempt/result/text", "/Shapes.attempt",
    ])
    let lines = await masked(masks) { shapes, _ in
      _ = shapes.named(city: "Oslo", days: 3)
      _ = try await shapes.asyncAttempt("Rome")
      _ = try? shapes.attempt(-7)
      shapes.void("from Oslo to Rome")
    }
    #expect(
      Self.numbered(lines) == [
        #"{"kind":"call","id":"1.0","key":"Shapes.named","arguments":["masked…0",3],"result":"masked…0 3","at":5,"us":0}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.asyncAttempt","arguments":["masked…1"],"result":{"text":"masked…1"},"at":5,"us":0}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.attempt","arguments":[0],"error":{"$error":{"type":"Shapes.Offline","description":"masked…2"}},"at":5,"us":0}"#,
        #"{"kind":"call","id":"1.0","key":"Shapes.void","arguments":["from masked…0 to masked…1"],"result":{},"at":5,"us":0}"#,
      ]
    )
  }

  @Test("A mask of reads also hides the results of calls of that endpoint")
  func readMasks() async {
    let lines = await masked(LogMasks(read: ["/Shapes.named", "/Shapes.attempt/success/_0"])) {
      shapes,
      _ in
      _ = shapes.named(city: "Oslo", days: 3)
      _ = try shapes.attempt(123_456)
    }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { !$0.contains("Oslo 3") && !$0.contains(#""result":123456"#) })
  }

  @Test(
    "The result of an endpoint is masked if an earlier result has reached a masked path of the state"
  )
  func carriers() async {
    let lines = await masked(LogMasks(state: ["/last"])) { shapes, send in
      await send(.heard(try await shapes.asyncAttempt("first token").text))
      await send(.heard(try await shapes.asyncAttempt("second token").text))
    }
    #expect(lines.count == 2)
    #expect(lines[0].contains("first token"))
    #expect(!lines[1].contains("second token"), "\(lines[1])")
  }
}
