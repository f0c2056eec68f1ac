import Dispatch
import TCACore
import Testing

@MainActor
@Suite("Features of the oldest style")
struct AnyReducerTests {
  @Test func `combined AnyReducers run in order on one state`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let store = Store(
          initialState: OldAppState(),
          reducer: oldApp,
          environment: OldAppEnvironment()
        )
        store.send(.counter(.increment))
        store.send(.counter(.increment))
        #expect(store.state.counter.count == 2)
        // The parent's reducer is last and sees the change of the child.
        #expect(store.state.log == ["old 1", "old 2"])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `effects of an AnyReducer use the environment of their child`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let environment = OldAppEnvironment(fact: FactClient { "<\($0)>" })
        let store = Store(initialState: OldAppState(), reducer: oldApp, environment: environment)
        store.send(.counter(.increment))
        await store.send(.counter(.factButtonTapped)).finish()
        #expect(store.state.counter.fact == "<1>")
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `an error thrown by an effect of AnyReducer arrives as a failure in an action`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct Failure: Error {}
        let environment = OldAppEnvironment(fact: FactClient { _ in throw Failure() })
        let store = Store(initialState: OldAppState(), reducer: oldApp, environment: environment)
        await store.send(.counter(.factButtonTapped)).finish()
        #expect(store.state.counter.fact == "no fact")
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `AnyReducer runs on optional states and on elements of dictionaries and arrays`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var state = OldAppState()
        state.optional = OldCounterState()
        state.rows = [OldRow(id: 7), OldRow(id: 9)]
        state.named = ["a": OldCounterState(), "b": OldCounterState()]
        state.list = [OldCounterState(), OldCounterState()]
        let store = Store(initialState: state, reducer: oldApp, environment: OldAppEnvironment())
        store.send(.optional(.increment))
        store.send(.row(id: 9, action: .increment))
        store.send(.named("b", .decrement))
        store.send(.list(index: 1, action: .increment))
        await store.send(.row(id: 7, action: .factButtonTapped)).finish()
        await store.send(.named("b", .factButtonTapped)).finish()
        await store.send(.list(index: 1, action: .factButtonTapped)).finish()
        #expect(store.state.optional?.count == 1)
        #expect(store.state.rows.map(\.counter.count) == [0, 1])
        #expect(store.state.rows[id: 7]?.counter.fact == "0 is a number")
        #expect(
          store.state.named == [
            "a": OldCounterState(),
            "b": OldCounterState(count: -1, fact: "-1 is a number"),
          ]
        )
        #expect(
          store.state.list == [
            OldCounterState(), OldCounterState(count: 1, fact: "1 is a number"),
          ]
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test(arguments: missing)
  func `AnyReducer reports an action whose state is missing, and runs the parent`(
    _ missing: Missing
  ) {
    let store = (OldApp() as any StoreMaking).store(OldAppState())
    let issues = recordingIssues { store.send(missing.action) }.map(withoutLines)
    #expect(issues == [missing.message])
    #expect(store.state.log == ["old 0"])
  }

  private struct OldApp: StoreMaking {
    @available(*, deprecated)
    func store(_ state: OldAppState) -> Store<OldAppState, OldAppAction> {
      Store(initialState: state, reducer: oldApp, environment: OldAppEnvironment())
    }
  }

  struct Missing: Sendable {
    let action: OldAppAction
    let message: String
  }

  nonisolated static let missing: [Missing] = [
    Missing(
      action: .optional(.increment),
      message: """
        The reducer at LegacyTests/OldApp.swift:N received an action while the state of its feature is nil: …

            OldCounterAction.increment

        The feature did not run. Send actions of a feature only while its state is there, set the \
        state to nil after the feature has run, and cancel what may still send.
        """
    ),
    Missing(
      action: .row(id: 3, action: .increment),
      message: missingElement("row(id: 3, action: .increment)", "3")
    ),
    Missing(
      action: .named("x", .increment),
      message: missingElement("named(\"x\", .increment)", "x")
    ),
    Missing(
      action: .list(index: 0, action: .increment),
      message: missingElement("list(index: 0, action: .increment)", "0")
    ),
  ]

  nonisolated private static func missingElement(_ action: String, _ id: String) -> String {
    """
    The reducer at LegacyTests/OldApp.swift:N received an action for the element \(id), which is not there: …

        OldAppAction.\(action)

    The feature did not run. Send actions of an element only while it is there, remove it after its \
    feature has run, and cancel what may still send.
    """
  }

  @Test func `AnyReducer runs on an enum's case, and reports actions if another case is current`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        enum State: Equatable {
          case counter(OldCounterState)
          case done
        }
        let reducer = AnyReducer<State, OldCounterAction, Void>.combine(
          oldCounter.pullback(
            state: /State.counter,
            action: /OldCounterAction.self,
            environment: { _ in OldCounterEnvironment(fact: .counting) }
          ),
          AnyReducer { state, action, _ in
            if action == .decrement { state = .done }
            return .none
          }
        )
        let store = Store(
          initialState: .counter(OldCounterState()),
          reducer: reducer,
          environment: ()
        )
        store.send(.increment)
        #expect(store.state == .counter(OldCounterState(count: 1)))
        store.send(.decrement)
        #expect(store.state == .done)
        let issues = recordingIssues { store.send(.increment) }.map(withoutLines)
        #expect(
          issues == [
            """
            The reducer at LegacyTests/AnyReducerTests.swift:N received an action while the state stands in another case: …

                Action: OldCounterAction.increment
                State: AnyReducerTests.Code.State.done

            The feature of the action did not run. Send actions of a feature only while its case is \
            there, and change the case after the feature has run.
            """
          ]
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `the empty AnyReducer changes nothing, and reducers are callable`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        var state = 1
        let empty = AnyReducer<Int, Int, Void>.empty
        let adding = AnyReducer<Int, Int, Void> { state, action, _ in
          state += action
          return .none
        }
        _ = empty(&state, 5, ())
        _ = adding.combined(with: adding).run(&state, 5, ())
        #expect(state == 11)
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `the binding method of AnyReducer sets the property before the reducer runs`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        struct State: Equatable {
          @BindingState var name = ""
          var log: [String] = []
        }
        enum Action: BindableAction, Equatable {
          case binding(BindingAction<State>)
        }
        let reducer = AnyReducer<State, Action, Void> { state, action, _ in
          switch action {
          case .binding(\.$name): state.log.append("name \(state.name)")
          case .binding: state.log.append("other")
          }
          return .none
        }
        .binding()
        let store = Store(initialState: State(), reducer: reducer, environment: ())
        store.send(.binding(.set(\.$name, "Blob")))
        store.send(.set(\.$name, "Blob Jr."))
        #expect(store.state.name == "Blob Jr.")
        #expect(store.state.log == ["name Blob", "name Blob Jr."])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `the debug method of AnyReducer prints actions through the environment`() async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let printed = LockIsolated<[String]>([])
        let queue = DispatchQueue(label: "test")
        let reducer = oldCounter.debug("counter", actionFormat: .labelsOnly) { _ in
          DebugEnvironment(printer: { text in printed.withValue { $0.append(text) } }, queue: queue)
        }
        let environment = OldCounterEnvironment(fact: .counting)
        let store = Store(
          initialState: OldCounterState(),
          reducer: reducer,
          environment: environment
        )
        store.send(.increment)
        queue.sync {}
        let expected = """
          counter: received action: OldCounterAction.increment
            OldCounterState(
          -   count: 0,
          +   count: 1,
              fact: nil
            )

          """
        #expect(printed.value == [expected])
      }
    }
    try await LegacyTests.run(Code.self)
  }
}

@MainActor
private protocol StoreMaking {
  func store(_ state: OldAppState) -> Store<OldAppState, OldAppAction>
}
