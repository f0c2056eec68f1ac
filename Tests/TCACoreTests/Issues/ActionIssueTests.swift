import TCACore
import Testing

/// A feature with all kinds of children, whose operators have explicit source lines.
@Reducer
private struct Elements {
  @ObservableState
  struct State {
    @Presents var sheet: Job.State?
    var plain: Job.State?
    var rows: IdentifiedArrayOf<Job.State> = []
    var path = StackState<Job.State>()
  }

  enum Action {
    case sheet(PresentationAction<Job.Action>)
    case plain(Job.Action)
    case rows(IdentifiedActionOf<Job>)
    case path(StackActionOf<Job>)
    case fail
  }

  enum Failure: Error { case offline(code: Int) }

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      guard case .fail = action else { return .none }
      return .run(
        operation: { _ in throw Failure.offline(code: 7) },
        fileID: "App/Elements.swift",
        line: 5
      )
    }
    .ifLet(
      \.$sheet,
      action: \.sheet,
      destination: { Job() },
      fileID: "App/Elements.swift",
      line: 1
    )
    .ifLet(\.plain, action: \.plain, then: { Job() }, fileID: "App/Elements.swift", line: 2)
    .forEach(\.rows, action: \.rows, element: { Job() }, fileID: "App/Elements.swift", line: 3)
    .forEach(
      \.path,
      action: \.path,
      destination: { Job() },
      fileID: "App/Elements.swift",
      line: 4
    )
  }
}

/// Issues about actions contain the complete action, the reducer that reports them, and types in source form.
@MainActor
@Suite struct ActionIssueTests {
  private struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let action: @Sendable () -> Elements.Action
    let message: String
  }

  nonisolated private static let misuses: [Misuse] = [
    Misuse(
      testDescription: "an action of what is not presented",
      action: { .sheet(.presented(.done("a"))) },
      message: """
        The reducer at App/Elements.swift:1 received an action while the state of its feature is nil: …

            Elements.Action.sheet(.presented(.done("a")))

        The feature did not run. Send actions of a feature only while its state is there, set the \
        state to nil after the feature has run, and cancel what may still send.
        """
    ),
    Misuse(
      testDescription: "the dismissal of what is not presented",
      action: { .sheet(.dismiss) },
      message: """
        The reducer at App/Elements.swift:1 was to dismiss a feature whose state is nil: …

            Elements.Action.sheet(.dismiss)

        Nothing was dismissed. Send "dismiss" only while the feature is presented.
        """
    ),
    Misuse(
      testDescription: "an action of an optional that is nil",
      action: { .plain(.become(3)) },
      message: """
        The reducer at App/Elements.swift:2 received an action while the state of its feature is nil: …

            Elements.Action.plain(.become(3))

        The feature did not run. Send actions of a feature only while its state is there, set the \
        state to nil after the feature has run, and cancel what may still send.
        """
    ),
    Misuse(
      testDescription: "an action of a row that is not there",
      action: { .rows(.element(id: 1, action: .look)) },
      message: """
        The reducer at App/Elements.swift:3 received an action for the element 1, which is not there: …

            Elements.Action.rows(.element(id: 1, action: .look))

        The feature did not run. Send actions of an element only while it is there, remove it after \
        its feature has run, and cancel what may still send.
        """
    ),
    Misuse(
      testDescription: "an action of an element that is not there",
      action: { .path(.element(id: 1, action: .look)) },
      message: """
        The reducer at App/Elements.swift:4 received an action for the element #1, which is not there: …

            Elements.Action.path(.element(id: #1, action: .look))

        The feature did not run. Send actions of an element only while it is there, remove it after \
        its feature has run, and cancel what may still send.
        """
    ),
    Misuse(
      testDescription: "a pop of an element that is not there",
      action: { .path(.popFrom(id: 1)) },
      message: """
        The reducer at App/Elements.swift:4 was to pop the element #1, which is not in the stack: …

            Elements.Action.path(.popFrom(id: #1))

        Nothing was popped. Pop an element only while it is there.
        """
    ),
    Misuse(
      testDescription: "a push ahead of the next element",
      action: { .path(.push(id: 3, state: Job.State())) },
      message: """
        The reducer at App/Elements.swift:4 was to push an element with the id #3, while the next one \
        of the store is #0: …

            Elements.Action.path(.push(id: #3, state: Job.State(…)))

        The element was pushed. In tests push elements under ids that follow each other.
        """
    ),
  ]

  @Test(arguments: misuses)
  private func `an issue of an action without matching state names the action in full`(
    misuse: Misuse
  ) {
    let store = Store(initialState: Elements.State()) { Elements() }
    let issues = recordingIssues { _ = store.send(misuse.action()) }
    #expect(issues == [misuse.message])
  }

  @Test func `an issue of a push with an existing id names the action in full`() {
    let path = StackState([Job.State()])
    let store = Store(initialState: Elements.State(path: path)) { Elements() }
    let issues = recordingIssues {
      _ = store.send(.path(.push(id: store.path.ids[0], state: Job.State())))
    }
    #expect(
      issues == [
        """
        The reducer at App/Elements.swift:4 was to push an element with the id #0, which is in the \
        stack already: …

            Elements.Action.path(.push(id: #0, state: Job.State(…)))

        Nothing was pushed. Push each element under an id of its own.
        """
      ]
    )
  }

  @Test func `an issue of an effect's error names type, case and source location`() async {
    let store = Store(initialState: Elements.State()) { Elements() }
    let collector = IssueCollector()
    await withIssueReporters([collector]) { await store.send(.fail).finish() }
    #expect(
      collector.messages == [
        """
        The effect at App/Elements.swift:5 threw an error that nothing caught: …

            Elements.Failure.offline(code: 7)

        Catch it inside "run", or give "run" a "catch".
        """
      ]
    )
    #expect(collector.places == ["App/Elements.swift:5"])
  }

  @Test func `an issue of an action sent from inside a reducer names the action in full`() {
    let store = LockIsolated<StoreOf<Elements>?>(nil)
    let made = Store(initialState: Elements.State(plain: Job.State())) {
      Reduce<Elements.State, Elements.Action> { _, action in
        guard case .fail = action else { return .none }
        MainActor.assumeIsolated { _ = store.value?.send(.plain(.done("b"))) }
        return .none
      }
    }
    store.setValue(made)
    let issues = recordingIssues { _ = made.send(.fail) }
    #expect(
      issues == [
        """
        An action was sent while the store was busy with another one, from inside a reducer or an \
        observer: …

            Elements.Action.plain(.done("b"))

        It is handled after that one. Return an effect that sends it, or send it later.
        """
      ]
    )
  }
}
