import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// `test --style store`: the steps of a log with a `TestStore`.
@MainActor @Suite struct StoreTestCommandTests {
  private static let header =
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Basket","stateType":"Basket.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{"timeZone":"Etc/UTC","calendar":"gregorian"},"segment":1}"#

  /// Returns a log with one state and the lines after it.
  private func log(_ state: String, _ lines: [String]) -> String {
    // Stacks have assigned ids.
    let next = state.contains(#""path":["#) ? #","nextStackElement":9"# : ""
    let checkpoint = #"{"kind":"checkpoint","seq":0,"state":\#(state),"effects":[]\#(next)}"#
    return ([Self.header, checkpoint] + lines).joined(separator: "\n") + "\n"
  }

  private func action(
    _ seq: Int,
    _ action: String,
    from origin: String = #""view""#,
    patch: String = "[]",
    effects: String? = nil
  ) -> [String] {
    [
      #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":\#(origin),"action":\#(action)}"#,
      #"{"kind":"change","seq":\#(seq),"patch":\#(patch)\#(effects.map { #","effects":\#($0)"# } ?? "")}"#,
    ]
  }

  /// Returns the command's output for a log, and its standard error.
  private func code(
    _ log: String,
    _ arguments: String...
  ) async throws -> (text: String, error: String) {
    let terminal = try Terminal()
    try terminal.folder.write(log, to: "basket-7.jsonl")
    let result = try await terminal.run(["test", "basket-7.jsonl", "--style", "store"] + arguments)
    #expect(result.status == 0)
    return (result.output, result.error)
  }

  /// Returns the statements after the store.
  private func steps(_ log: String, _ arguments: String...) async throws -> String {
    let terminal = try Terminal()
    try terminal.folder.write(log, to: "basket-7.jsonl")
    let result = try await terminal.run(["test", "basket-7.jsonl", "--style", "store"] + arguments)
    let parts = result.output.split(separator: "\n\n", omittingEmptySubsequences: false)
    let body = parts.dropFirst(2).joined(separator: "\n\n")
    return body.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0) }.joined(separator: "\n")
  }

  @Test func `test --style store writes sends, receives and assignments like a handwritten test`()
    async throws
  {
    let lines =
      action(
        1,
        #"{"addButtonTapped":{}}"#,
        patch:
          #"[{"op":"add","path":"/items/0","value":{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","title":""}}]"#
      )[...0]
      + [
        #"{"kind":"read","seq":1,"key":"uuid","value":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"}"#,
        #"{"kind":"read","seq":1,"key":"date","value":"2026-01-01T00:00:00Z"}"#,
      ]
      + action(
        1,
        "{}",
        patch:
          #"[{"op":"add","path":"/items/0","value":{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","title":""}},{"op":"replace","path":"/addedAt","value":"2026-01-01T00:00:00Z"}]"#
      )[1...]
      + action(
        2,
        #"{"titleChanged":{"id":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A","_1":"Milk, 1 l"}}"#,
        patch:
          #"[{"op":"replace","path":"/items/0/title","value":"Milk, 1 l"},{"op":"replace","path":"/isSaving","value":true}]"#,
        effects: #"[{"id":"2.0","op":"run","name":"save"}]"#
      )
      + action(
        3,
        #"{"saved":{"_0":{"success":{"_0":1}}}}"#,
        from: #"{"effect":"2.0"}"#,
        patch:
          #"[{"op":"replace","path":"/isSaving","value":false},{"op":"replace","path":"/filter","value":"open"}]"#,
        effects: #"[{"id":"3.0","op":"send","action":{"finished":{}}}]"#
      )
      + action(4, #"{"finished":{}}"#, from: #"{"effect":"3.0"}"#)
      + [
        #"{"kind":"effect","id":"2.0","event":"finished","sent":1,"at":9}"#,
        #"{"kind":"note","seq":4,"at":9,"text":"now it hangs"}"#,
      ]
      + action(5, #"{"poll":{}}"#, effects: #"[{"id":"5.0","op":"run"}]"#)
    let state = #"{"items":[],"addedAt":null,"isSaving":false,"filter":"all"}"#
    let (text, error) = try await code(
      log(state, lines),
      "--import",
      "Shop",
      "--reducer",
      "Basket(size: 1)"
    )
    #expect(error == "")
    #expect(
      text == ##"""
        import Foundation
        import Shop
        import TCACore
        import TCATesting
        import Testing

        /// Takes the steps that were recorded in basket-7.jsonl.
        @Test @MainActor func basket7Steps() async throws {
          let effects = StubbedEffects<Basket.Action>()
          let state: Basket.State = try logged(#"{"items":[],"addedAt":null,"isSaving":false,"filter":"all"}"#)
          let store = TestStore(initialState: state) {
            Basket(size: 1).stubbingEffects(by: effects)
          } withDependencies: {
            $0.uuid = .incrementing
          }

          store.dependencies.date = .constant(Date(timeIntervalSinceReferenceDate: 788918400.0))
          await store.send(.addButtonTapped) {
            try $0.items.append(logged(#"{"id":"00000000-0000-0000-0000-000000000000","title":""}"#))
            $0.addedAt = Date(timeIntervalSinceReferenceDate: 788918400.0)
          }
          await store.send(.titleChanged(id: UUID(0), "Milk, 1 l")) {
            $0.items[0].title = "Milk, 1 l"
            $0.isSaving = true
          }
          await effects.finish("save", sending: .saved(.success(1)))
          await store.receive(\.saved.success, 1) {
            $0.isSaving = false
            $0.filter = .open
          }
          await store.receive(\.finished)
          // now it hangs
          await store.send(.poll)
          await store.skipInFlightEffects()
        }

        """##
    )
  }

  @Test func `test --style store writes a log of Point-Free's library with its TestStore`()
    async throws
  {
    let lines =
      action(
        1,
        #"{"openTapped":{}}"#,
        patch: #"[{"op":"replace","path":"/isOpen","value":true}]"#,
        effects:
          #"[{"id":"1.0","op":"run","name":"(publisher)"},{"id":"1.1","op":"send","action":{"opened":{}}}]"#
      )
      + action(2, #"{"opened":{}}"#, from: #"{"effect":"1.1"}"#)
      + action(3, #"{"loadTapped":{}}"#, effects: #"[{"id":"3.0","op":"run","name":"load"}]"#)
      + action(
        4,
        #"{"loaded":{"_0":7}}"#,
        from: #"{"effect":"3.0"}"#,
        patch: #"[{"op":"replace","path":"/count","value":7}]"#
      )
      + [#"{"kind":"effect","id":"3.0","event":"finished","sent":1,"at":4}"#]
      + action(
        5,
        #"{"closed":{}}"#,
        from: #"{"effect":"1.0"}"#,
        patch: #"[{"op":"replace","path":"/isOpen","value":false}]"#
      )
      + [#"{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":5}"#]
      + action(6, #"{"rollTapped":{}}"#)[...0]
      + [#"{"kind":"read","seq":6,"key":"random","value":13961891240522562109}"#]
      + action(6, "{}", patch: #"[{"op":"replace","path":"/count","value":5}]"#)[1...]
    let text = log(#"{"isOpen":false,"count":0}"#, lines)
      .replacing(
        #""environment":{"#,
        with: #""environment":{"library":"ComposableArchitecture","#
      )
    let (code, error) = try await code(text)
    #expect(error == "")
    #expect(
      code == #"""
        import ComposableArchitecture
        import ComposableReplay
        import Testing

        /// Takes the steps that were recorded in basket-7.jsonl.
        @Test @MainActor func basket7Steps() async throws {
          let effects = StubbedEffects<Basket.Action>()
          let reads = StubbedReads()
          let state: Basket.State = try logged(#"{"isOpen":false,"count":0}"#)
          let store = TestStore(initialState: state) {
            Basket().stubbingEffects(by: effects).answeringReads(from: reads)
          } withDependencies: {
            $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
          }

          await store.send(.openTapped) {
            $0.isOpen = true
          }
          await store.receive(\.opened)
          await store.send(.loadTapped)
          await effects.finish("load", sending: .loaded(7))
          await store.receive(\.loaded, 7) {
            $0.count = 7
          }
          // A publisher of the feature sends this.
          await store.send(.closed) {
            $0.isOpen = false
          }
          reads.answer("random", with: "13961891240522562109")
          await store.send(.rollTapped) {
            $0.count = 5
          }
          await store.finish()
        }

        """#
    )
  }

  @Test func `a test of Point-Free's library receives actions in the enums of its features`()
    async throws
  {
    func inPath(_ action: String) -> String {
      #"{"path":{"_0":{"element":{"id":0,"action":{"detail":{"_0":\#(action)}}}}}}"#
    }
    func inSheet(_ action: String) -> String {
      #"{"sheet":{"_0":{"presented":{"_0":{"edit":{"_0":\#(action)}}}}}}"#
    }
    let lines =
      action(1, inPath(#"{"loadTapped":{}}"#), effects: #"[{"id":"1.0","op":"run"}]"#)
      + action(2, inPath(#"{"loaded":{"_0":7}}"#), from: #"{"effect":"1.0"}"#)
      + action(3, inPath(#"{"told":{"_0":{"ended":{}}}}"#), from: #"{"effect":"1.0"}"#)
      + action(4, inSheet(#"{"saved":{}}"#), from: #"{"effect":"1.0"}"#)
      + action(5, #"{"chosen":{"_0":{"edit":{"_0":1}}}}"#, from: #"{"effect":"1.0"}"#)
    let text = log(
      #"{"path":[{"id":0,"element":{"detail":{"_0":{"count":0}}}}],"sheet":{"edit":{"_0":{"count":0}}}}"#,
      lines
    )
    .replacing(
      #""environment":{"#,
      with: #""environment":{"library":"ComposableArchitecture","#
    )
    let (code, _) = try await code(text)
    #expect(
      code.split(separator: "\n").filter { $0.contains("store.receive") } == [
        #"  await store.receive(\.path[id: 0].detail.loaded, 7)"#,
        #"  await store.receive(\.path[id: 0].detail.told)"#,
        #"  await store.receive(\.sheet.presented.edit.saved)"#,
        #"  await store.receive(\.chosen)"#,
      ]
    )
  }

  /// The numbers of new stack elements, and whether a test of Point-Free's library answers them.
  ///
  /// Views of that library take numbers that no log shows.
  nonisolated static let elements: [(first: Int?, numbers: [Int], isAnswered: Bool)] = [
    (nil, [0, 1, 2], false), (nil, [0, 2], true), (nil, [1], true), (4, [4, 5], true),
  ]

  @Test(arguments: elements)
  func
    `a test of Point-Free's library answers the numbers of stack elements that its store would not give`(
      first: Int?,
      numbers: [Int],
      isAnswered: Bool
    ) async throws
  {
    var lines: [String] = []
    for (index, number) in numbers.enumerated() {
      let (seq, pushed) = (index + 1, action(index + 1, #"{"pushTapped":{}}"#))
      lines.append(pushed[0])
      lines.append(#"{"kind":"read","seq":\#(seq),"key":"stackElementID","value":\#(number)}"#)
      lines.append(pushed[1])
    }
    let next = first.map { #","nextStackElement":\#($0)"# } ?? ""
    let text = log(#"{"count":0}"#, lines)
      .replacing(
        #""environment":{"#,
        with: #""environment":{"library":"ComposableArchitecture","#
      )
      .replacing(#""effects":[]}"#, with: #""effects":[]\#(next)}"#)
    let (code, _) = try await code(text)
    #expect(
      code.split(separator: "\n").filter { $0.contains("reads.answer") }
        == (isAnswered
          ? numbers.map { #"  reads.answer("stackElementID", with: "\#($0)")"# } : [])
    )
  }

  /// The previous state, the patch, the options and the statements.
  nonisolated static let changes: [(String, String, [String], String)] = [
    (
      #"{"a":{"b":{"c":1},"d":2}}"#, #"[{"op":"replace","path":"/a/b/c","value":2}]"#, [],
      "$0.a.b.c = 2"
    ),
    // A value that was missing once is an optional.
    (
      #"{"rows":[{"id":1,"note":null},{"id":2,"note":{"x":1,"y":2}}]}"#,
      #"[{"op":"replace","path":"/rows/1/note/x","value":3}]"#, [], "$0.rows[1].note?.x = 3"
    ),
    // A word may be the raw value of an enum. A text with other characters is a string.
    (
      #"{"a":"one","b":null}"#, #"[{"op":"replace","path":"/b","value":"two"}]"#, [],
      ##"$0.b = try logged(#""two""#)"##
    ),
    (
      #"{"a":"one","b":""}"#, #"[{"op":"replace","path":"/b","value":"two"}]"#, [],
      ##"$0.b = "two""##
    ),
    (#"{"a":"one"}"#, #"[{"op":"replace","path":"/a","value":"two"}]"#, [], "$0.a = .two"),
    (
      #"{"a":"one"}"#, #"[{"op":"replace","path":"/a","value":"two"}]"#, ["--whole", "a"],
      ##"$0.a = try logged(#""two""#)"##
    ),
    (
      #"{"a":["Oslo"]}"#, #"[{"op":"add","path":"/a/1","value":"Bergen"}]"#, [],
      #"$0.a = ["Oslo", "Bergen"]"#
    ),
    (
      #"{"a":["x y"],"b":[]}"#, #"[{"op":"add","path":"/b/0","value":"qq"}]"#, [],
      ##"$0.b = try logged(#"["qq"]"#)"##
    ),
    (#"{"a":{}}"#, #"[{"op":"add","path":"/a/Buy milk","value":1}]"#, [], #"$0.a["Buy milk"] = 1"#),
    (
      #"{"a":{}}"#, #"[{"op":"add","path":"/a/milk","value":1}]"#, [],
      ##"$0.a = try logged(#"{"milk":1}"#)"##
    ),
    (
      #"{"a":{"idle":{}}}"#, #"[{"op":"replace","path":"/a","value":{"busy":{}}}]"#, [],
      "$0.a = .busy"
    ),
    (
      #"{"a":{"idle":{}}}"#, #"[{"op":"replace","path":"/a","value":{"failed":{"code":3}}}]"#, [],
      "$0.a = .failed(code: 3)"
    ),
    (
      #"{"a":{"login":{"_0":{"email":"","busy":false}}}}"#,
      #"[{"op":"replace","path":"/a/login/_0/email","value":"a@b"}]"#,
      [],
      """
      $0.a.modify(\\.login) {
        $0.email = "a@b"
      }
      """
    ),
    (
      #"{"path":[{"id":0,"element":{"title":"","done":false}}]}"#,
      #"[{"op":"replace","path":"/path/0/element/done","value":true}]"#, [],
      "$0.path[id: 0]?.done = true"
    ),
    (
      #"{"path":[{"id":0,"element":{"a":1,"b":2}}]}"#, #"[{"op":"remove","path":"/path/0"}]"#, [],
      "$0.path = []"
    ),
    (
      #"{"path":[{"id":0,"element":{"a":1}},{"id":1,"element":{"a":1}}]}"#,
      #"[{"op":"remove","path":"/path/1"}]"#, [],
      "$0.path[id: 1] = nil"
    ),
    (
      #"{"rows":[{"id":1,"t":"a b"},{"id":2,"t":"c d"}]}"#, #"[{"op":"remove","path":"/rows/0"}]"#,
      [],
      "$0.rows.remove(at: 0)"
    ),
    (
      #"{"draft":{"a":1,"b":2}}"#, #"[{"op":"replace","path":"/draft/a","value":7}]"#,
      ["--shared", "draft"],
      """
      $0.$draft.withLock {
        $0.a = 7
      }
      """
    ),
    (
      #"{"rate":1,"x":1}"#,
      #"[{"op":"replace","path":"/rate","value":7},{"op":"replace","path":"/x","value":2}]"#,
      ["--shared-reader", "rate"], "$0.x = 2"
    ),
    (
      #"{"a":{"b":1,"c":true}}"#, #"[{"op":"replace","path":"/a/b","value":2}]"#,
      ["--whole", "*"], ##"$0.a = try logged(#"{"b":2,"c":true}"#)"##
    ),
    // A text that may be a URL or data is not treated as a string.
    (
      #"{"a":null,"b":""}"#,
      #"[{"op":"replace","path":"/a","value":"https://a.org/b"},{"op":"replace","path":"/b","value":"AQ=="}]"#,
      [],
      ##"""
      $0.a = try logged(#""https://a.org/b""#)
      $0.b = try logged(#""AQ==""#)
      """##
    ),
    (
      #"{"a":"x"}"#, #"[{"op":"replace","path":"/a","value":"y"}]"#, [], ##"$0.a = "y""##
    ),
    // `Optional` has these cases, too.
    (
      #"{"a":null}"#, #"[{"op":"replace","path":"/a","value":{"none":{}}}]"#, [],
      ##"$0.a = try logged(#"{"none":{}}"#)"##
    ),
    (
      #"{"a":{"some":{"_0":1}}}"#, #"[{"op":"replace","path":"/a/some/_0","value":2}]"#, [],
      ##"$0.a = try logged(#"{"some":{"_0":2}}"#)"##
    ),
    (
      #"{"a":"one"}"#, #"[{"op":"replace","path":"/a","value":"none"}]"#, [],
      ##"$0.a = try logged(#""none""#)"##
    ),
    // Rows with the form of a stack's elements.
    (
      #"{"rows":[{"id":0,"element":"a b"}]}"#,
      #"[{"op":"replace","path":"/rows/0/element","value":"c d"}]"#, [],
      #"$0.rows[0].element = "c d""#
    ),
    (
      #"{"rows":[{"id":0,"element":{"title":"","done":false}}]}"#,
      #"[{"op":"replace","path":"/rows/0/element/done","value":true}]"#, [],
      "$0.rows[0].element.done = true"
    ),
    // The only call of a closure would become its result.
    (
      #"{"rows":[{"id":1,"t":"a b"},{"id":2,"t":"c d"}]}"#, #"[{"op":"remove","path":"/rows/0"}]"#,
      ["--shared", "rows"],
      """
      $0.$rows.withLock {
        _ = $0.remove(at: 0)
      }
      """
    ),
    // One value at two paths.
    (
      #"{"draft":{"a":1,"b":2},"step":{"draft":{"a":1,"b":2},"n":0}}"#,
      #"[{"op":"replace","path":"/draft/a","value":7},{"op":"replace","path":"/step/draft/a","value":7}]"#,
      [],
      """
      $0.$draft.withLock {
        $0.a = 7
      }
      """
    ),
  ]

  @Test(arguments: changes.indices)
  func `test --style store writes changes of the state as assignments`(_ index: Int) async throws {
    let (state, patch, options, expected) = Self.changes[index]
    let terminal = try Terminal()
    try terminal.folder.write(log(state, action(1, #"{"x":{}}"#, patch: patch)), to: "a.jsonl")
    let result = try await terminal.run(["test", "a.jsonl", "--style", "store"] + options)
    let lines = expected.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    #expect(
      result.output.hasSuffix("\n  await store.send(.x) {\n\(lines)\n  }\n}\n"),
      "\(result.output)"
    )
  }

  /// An action and the argument of `send`.
  nonisolated static let actions: [(String, String)] = [
    (#"{"tap":{}}"#, ".tap"),
    (#"{"moved":{"to":1,"_1":true}}"#, ".moved(to: 1, true)"),
    (#"{"child":{"_0":{"tap":{}}}}"#, ".child(.tap)"),
    (
      #"{"binding":{"_0":{"set":{"_0":"draft.name","_1":"A B"}}}}"#,
      #".binding(.set(\.draft.name, "A B"))"#
    ),
    (
      #"{"path":{"_0":{"element":{"id":0,"action":{"tap":{"_0":2}}}}}}"#,
      ".path(.element(id: 0, action: .tap(2)))"
    ),
    (#"{"alert":{"_0":{"presented":{"_0":{"ok":{}}}}}}"#, ".alert(.presented(.ok))"),
    (#"{"got":{"_0":{"items":[1]}}}"#, ##".got(logged(#"{"items":[1]}"#))"##),
    (
      #"{"got":{"_0":{"failure":{"_0":{"$error":{"type":"Refused","description":"","symbol":"x","value":{"busy":{"minutes":5}}}}}}}}"#,
      ".got(.failure(Refused.busy(minutes: 5)))"
    ),
    (#"{"got":{"_0":null}}"#, ".got(nil)"),
    (#"{"init":{"_0":"say \"hi\"\n"}}"#, #".`init`("say \"hi\"\n")"#),
  ]

  @Test(arguments: actions.indices)
  func `test --style store writes actions as Swift expressions`(_ index: Int) async throws {
    let (json, expected) = Self.actions[index]
    let text = try await steps(log(#"{"n":0}"#, action(1, json)))
    let isThrowing = expected.contains("logged(")
    #expect(text == "\(isThrowing ? "try " : "")await store.send(\(expected))")
  }

  /// The lines after the first action, the reason in the comment, and the last line of the warning.
  nonisolated static let limits: [(String, String)] = [
    (
      #"{"kind":"external","seq":1,"at":1,"patch":[{"op":"replace","path":"/n","value":2}]}"#,
      "after action 1 something outside of the feature changed the state, which a test store cannot do"
    ),
    (
      #"{"kind":"excluded","seq":2,"at":1,"origin":"view","patch":[]}"#,
      "action 2 was left out of the log by a filter"
    ),
    (#"{"kind":"gap","seq":1,"dropped":3,"reason":"full"}"#, "events are missing after action 1"),
    (
      #"{"kind":"action","seq":2,"at":1,"origin":"view","action":{"trap":{}}}"#,
      "the log was cut while action 2, .trap, was reduced"
    ),
    (
      #"{"kind":"action","seq":2,"at":1,"origin":{"reentrant":1},"action":{"y":{}}}"# + "\n"
        + #"{"kind":"change","seq":2,"patch":[]}"#,
      "the app sent action 2 while action 1 was handled, which a test store cannot do"
    ),
    (
      #"{"kind":"action","seq":2,"at":1,"origin":"view","action":{"y":{}}}"# + "\n"
        + #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/n","value":{"$double":"nan"}}]}"#,
      "after action 2 the state holds NaN, which does not equal itself"
    ),
    (
      #"{"kind":"action","seq":2,"at":1,"origin":"view","action":{"y":{"_0":{"$opaque":"Image"}}}}"#
        + "\n"
        + #"{"kind":"change","seq":2,"patch":[]}"#,
      "action 2 needs a value of Image, which the log does not hold"
    ),
    (
      #"{"kind":"action","seq":2,"at":1,"origin":"view","action":{"y":{}}}"# + "\n"
        + #"{"kind":"change","seq":2,"patch":[{"op":"replace","path":"/n","value":{"$opaque":"Image"}}]}"#,
      "action 2 needs a value of Image, which the log does not hold"
    ),
  ]

  @Test(arguments: limits.indices)
  func `test --style store ends the test at an event that it cannot express, with the reason`(
    _ index: Int
  ) async throws {
    let (line, reason) = Self.limits[index]
    let text = log(#"{"n":0}"#, action(1, #"{"x":{}}"#) + [line] + action(3, #"{"z":{}}"#))
    let result = try await code(text)
    #expect(
      result.text.hasSuffix(
        """
          await store.send(.x)
          // The test ends here: \(reason).
          await store.skipReceivedActions(strict: false)
          await store.skipInFlightEffects(strict: false)
        }

        """
      ),
      "\(result.text)"
    )
    #expect(result.error == "tca-replay: the test ends before basket-7.jsonl does: \(reason)\n")
  }

  @Test
  func `test --style store asks the reader to complete a state that the log does not contain`()
    async throws
  {
    let result = try await code(log(#"{"n":{"$opaque":"Image"},"m":1}"#, []))
    #expect(
      result.text.contains(
        """
          // The log does not hold all of this state: {"n":{"$opaque":"Image"},"m":1}
          let state = Basket.State()

        """
      )
    )
    #expect(
      result.error
        == "tca-replay: basket-7.jsonl does not hold the value of Image in the first state; write in the test what the store begins with\n"
    )
  }

  @Test func `test --style store refuses a log that contains no state`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(Self.header + "\n", to: "a.jsonl")
    #expect(
      try await terminal.run("test", "a.jsonl", "--style", "store")
        == .init(status: 65, output: "", error: "tca-replay: a.jsonl ends before its first state\n")
    )
  }

  @Test func `test refuses options of --style store without that style`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let result = try await terminal.run("test", "a.jsonl", "--whole", "x")
    #expect(result.status == 64)
    #expect(
      result.error == """
        tca-replay: '--whole' works only with '--style store'
        see 'tca-replay test --help'

        """
    )
  }

  @Test func `test --style store writes a note as comments on lines of their own`() async throws {
    let note = #"{"kind":"note","seq":1,"at":1,"text":"one\r\ntwo"}"#
    #expect(
      try await steps(log(#"{"n":0}"#, action(1, #"{"x":{}}"#) + [note])) == """
        await store.send(.x)
        // one
        // two
        """
    )
  }

  /// Effects of one name that run at the same time are distinguished by their order.
  @Test func `test --style store numbers effects with the same name that run at the same time`()
    async throws
  {
    let run = { (seq: Int) in #"[{"id":"\#(seq).0","op":"run","name":"load"}]"# }
    let lines =
      action(1, #"{"x":{}}"#, effects: run(1)) + action(2, #"{"x":{}}"#, effects: run(2))
      + action(3, #"{"y":{}}"#, from: #"{"effect":"2.0"}"#)
      + [#"{"kind":"effect","id":"1.0","event":"finished","sent":0,"at":9}"#]
      + action(4, #"{"y":{}}"#, from: #"{"effect":"2.0"}"#)
      + [#"{"kind":"effect","id":"2.0","event":"cancelled","by":"task","at":9}"#]
    #expect(
      try await steps(log(#"{"n":0}"#, lines)) == """
        await store.send(.x)
        await store.send(.x)
        await effects.send(.y, from: "load", at: 1)
        await store.receive(\\.y)
        await effects.finish("load", at: 0)
        await effects.send(.y, from: "load")
        await store.receive(\\.y)
        await effects.finish("load")
        """
    )
  }

  /// Actions that a test cannot follow start effects, which do nothing in it.
  @Test func `test --style store replaces effects that still run at the end of the test by stubs`()
    async throws
  {
    let lines =
      action(1, #"{"x":{}}"#, effects: #"[{"id":"1.0","op":"run","name":"load"}]"#)
      + [#"{"kind":"external","seq":1,"at":2,"patch":[{"op":"replace","path":"/n","value":2}]}"#]
    let (text, _) = try await code(log(#"{"n":0}"#, lines))
    #expect(text.contains("Basket().stubbingEffects(by: effects)"), "\(text)")
  }

  /// An action for a missing child, and the name of the child.
  nonisolated static let missing: [(action: String, name: String?)] = [
    (#"{"sheet":{"_0":{"presented":{"_0":{"tap":{}}}}}}"#, "sheet"),
    (#"{"rows":{"_0":{"element":{"id":3,"action":{"tap":{}}}}}}"#, "rows[3]"),
    (#"{"path":{"_0":{"element":{"id":3,"action":{"tap":{}}}}}}"#, "path[3]"),
    (
      #"{"rows":{"_0":{"element":{"id":1,"action":{"sheet":{"_0":{"presented":{"_0":{"tap":{}}}}}}}}}}"#,
      "sheet"
    ),
    (#"{"rows":{"_0":{"element":{"id":1,"action":{"tap":{}}}}}}"#, nil),
    (#"{"path":{"_0":{"element":{"id":0,"action":{"tap":{}}}}}}"#, nil),
    (#"{"sheet":{"_0":{"presented":{"_0":4}}}}"#, nil),
    (#"{"sheet":{"_0":{"dismiss":{}}}}"#, nil),
  ]

  @Test(arguments: missing.indices)
  func `test --style store expects an issue for an action only if its child is absent`(
    _ index: Int
  ) async throws {
    let (json, name) = Self.missing[index]
    let state =
      #"{"sheet":null,"rows":[{"id":1,"sheet":null}],"path":[{"id":0,"element":{"n":1}}]}"#
    let text = try await steps(log(state, action(1, json)))
    guard let name else {
      #expect(!text.contains("withKnownIssue"), "\(text)")
      return
    }
    let lines = text.split(separator: "\n")
    #expect(
      lines.prefix(2) == [
        "// Action 1 reports an issue: '\(name)' is not there. What else fails here is not told.",
        "await withKnownIssue(isIntermittent: true) {",
      ]
    )
    #expect(lines.last == "}")
  }

  @Test func `test --style store ends a test early instead of writing much more code than the log`()
    async throws
  {
    // All elements change, in few long texts.
    let words = { (seq: Int) in
      let text = "\"\(10_000 + seq)\(String(repeating: "x", count: 693))\""
      return "[\(Array(repeating: text, count: 20).joined(separator: ","))]"
    }
    let lines = (1...100).flatMap { seq in
      action(
        seq,
        #"{"shuffled":{}}"#,
        patch: #"[{"op":"replace","path":"/words","value":\#(words(seq))}]"#
      )
    }
    let (text, error) = try await code(log(#"{"words":[]}"#, lines))
    let steps = text.matches(of: /store\.send\(\.shuffled\)/).count
    #expect((70...90).contains(steps), "\(steps)")
    #expect(text.utf8.count < 1_100_000)
    let reason =
      "after action \(steps) the steps would be more than 1 MB of code; shorten the log with 'minimize', or use '--style replay'"
    #expect(text.contains("  // The test ends here: \(reason).\n"))
    #expect(error == "tca-replay: the test ends before basket-7.jsonl does: \(reason)\n")
  }
}
