import Observation
import Synchronization
import Testing

@testable import TCACore

/// A feature with a value that an action sets.
@Reducer
private struct Tabs {
  @ObservableState
  struct State {
    var tab = "home"
    var taps: [String] = []
  }

  enum Action {
    case selected(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .selected(let tab):
        state.tab = tab
        state.taps.append(tab)
        return .none
      }
    }
  }
}

/// A feature with a presentation that no reducer handles.
@Reducer
private struct Careless {
  @ObservableState
  struct State {
    @Presents var job: Job.State?
  }

  enum Action {
    case job(PresentationAction<Job.Action>)
  }
}

/// An enum of features that is presented case by case.
@Reducer
private struct Bureau {
  @Reducer
  enum Destination {
    case job(Job)
    case alert(AlertState<Never>)
    @ReducerCaseIgnored case note(String)
  }

  @ObservableState
  struct State {
    @Presents var destination: Destination.State?
  }

  enum Action {
    case destination(PresentationAction<Destination.Action>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().ifLet(\.$destination, action: \.destination)
  }
}

/// The reads and writes of bindings for views, without the views.
@MainActor
@Suite struct PresentingTests {
  @Test func `setting a binding of a store sends an action, even for an equal value`() {
    let store = Store(initialState: Tabs.State()) { Tabs() }
    #expect(store[\.tab, sending: \.selected] == "home")
    store[\.tab, sending: \.selected] = "search"
    #expect(store.tab == "search")
    // Setting the current value also sends an action, because the reducer may respond, for example by scrolling to the
    // top.
    store[\.tab, sending: \.selected] = "search"
    #expect(store.taps == ["search", "search"])
  }

  @Test func `each case of a presented enum has its own store`() throws {
    let paths = Bureau.Destination.CaseScope._$paths
    let (box, actions) = (\Bureau.State.$destination, \Bureau.Action.Cases.destination)
    let (job, jobActions) = (box.appending(paths.job), actions.appending(paths.job))
    let (alert, alertActions) = (box.appending(paths.alert), actions.appending(paths.alert))
    let store = Store(initialState: Bureau.State()) { Bureau() }
    #expect(store[job, presenting: jobActions, as: store.identity(of: job)] == nil)

    let shown = Store(initialState: Bureau.State(destination: .job(Job.State(id: 1)))) { Bureau() }
    let identity = shown.identity(of: job)
    let child = try #require(shown[job, presenting: jobActions, as: identity])
    child.send(.become(2))
    #expect(shown.state.destination?.job?.id == 2)
    #expect(shown[alert, presenting: alertActions, as: nil] == nil)
    // Another case has no store to close.
    shown[alert, presenting: alertActions, as: shown.identity(of: alert)] = nil
    #expect(shown.state.destination != nil)
    shown[job, presenting: jobActions, as: shown.identity(of: job)] = nil
    #expect(shown.state.destination == nil)
    // The same scope gives the same key path, by which views compare bindings.
    #expect(box.appending(paths.job) == job)
    #expect(actions.appending(paths.job) == jobActions)
  }

  @Test func `setting a binding of a removed child sends no action`() throws {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) { Desk() }
    let job: StoreOf<Job> = try #require(store.scope(\.job, action: \.job))
    store.send(.set(nil))
    #expect(recordingIssues { job[\.id, sending: \.become] = 2 } == [])
    #expect(store.seen.count == 1)
    #expect(job.state.id == 1)
  }

  @Test func `setting a binding to a child store that always exists has no effect`() {
    let store = Store(initialState: Trip.State()) { Trip() }
    let path: Store<StackState<Job.State>, StackActionOf<Job>> = store[
      \.path,
      action: Trip.Action.pathCase
    ]
    #expect(path === store[\.path, action: Trip.Action.pathCase])
    store[\.path, action: Trip.Action.pathCase] = path
    #expect(store.seen == [])
    store.itself = store
    #expect(store.itself === store)
  }

  /// Views compare bindings by their key paths.
  @Test func `the key path to a presented store stays equal while the child has the same identity`()
  {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    func path() -> AnyKeyPath {
      let identity = store.identity(of: \.job)
      let path: ReferenceWritableKeyPath<StoreOf<Desk>, StoreOf<Job>?> =
        \.[\.job, presenting: \.job, as: identity]
      return path
    }
    let first = path()
    #expect(path() == first)
    store.send(.job(.presented(.done("a"))))
    #expect(path() == first)
    store.send(.set(Job.State(id: 2)))
    #expect(path() != first)
  }

  @Test func `setting a presented store to nil dismisses the feature`() throws {
    let store = Store(initialState: Desk.State()) { Desk() }
    #expect(store[\.job, presenting: \.job, as: store.identity(of: \.job)] == nil)
    store.send(.set(Job.State()))
    let identity = store.identity(of: \.job)
    let job = try #require(store[\.job, presenting: \.job, as: identity])
    #expect(job === store.scope(\.job, action: \.job))
    // A view sets the value that it has read.
    store[\.job, presenting: \.job, as: identity] = job
    #expect(store.job != nil)
    store[\.job, presenting: \.job, as: identity] = nil
    #expect(store.job == nil)
    #expect(store.origins == ["view"])
  }

  @Test func `setting a presented store to nil twice dismisses the feature once`() {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    let identity = store.identity(of: \.job)
    store[\.job, presenting: \.job, as: identity] = nil
    #expect(recordingIssues { store[\.job, presenting: \.job, as: identity] = nil } == [])
    #expect(store.origins == ["view"])
  }

  @Test func `closing a view late does not dismiss the next presented feature`() {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) { Desk() }
    let first = store.identity(of: \.job)
    store.send(.set(Job.State(id: 2)))
    store[\.job, presenting: \.job, as: first] = nil
    #expect(store.job?.id == 2)
    store[\.job, presenting: \.job, as: store.identity(of: \.job)] = nil
    #expect(store.job == nil)
  }

  @Test func `if a reducer replaces a dismissed feature, the new feature stays presented`() {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) {
      Desk(replacement: Job.State(id: 2))
    }
    let identity = store.identity(of: \.job)
    #expect(recordingIssues { store[\.job, presenting: \.job, as: identity] = nil } == [])
    #expect(store.job?.id == 2)
  }

  @Test func `a dismissal by a view reports an issue if the feature's state remains`() {
    let store = Store(initialState: Careless.State(job: Job.State())) { Careless() }
    let identity = store.identity(of: \.job)
    let issues = recordingIssues { store[\.job, presenting: \.job, as: identity] = nil }
    let message = """
      A view has dismissed a feature, but its state is still there: "Job.State". The reducer that presents it has no "ifLet" \
      for it, or sets it again. Add "ifLet" with the presentation's state and action.
      """
    #expect(issues == [message])
    #expect(store.job != nil)
  }

  @Test func `closing the view of one destination leaves another destination presented`() {
    let store = Store(initialState: Folder.State()) { Folder() }
    store.send(.show(.job(Job.State())))
    let job = store.identity(of: \.destination?.job)
    #expect(store[\.destination?.job, presenting: \.destination.job, as: job] != nil)
    #expect(store[\.destination?.alert, presenting: \.destination.alert, as: nil] == nil)
    store.send(.show(.alert(Folder.question)))
    store[\.destination?.job, presenting: \.destination.job, as: job] = nil
    #expect(store.destination?.alert != nil)
    let alert = store.identity(of: \.destination?.alert)
    store[\.destination?.alert, presenting: \.destination.alert, as: alert] = nil
    #expect(store.destination == nil)
  }

  @Test func `closing an alert does not close the alert that its action has presented`() throws {
    let store = Store(initialState: Folder.State()) { Folder() }
    store.send(.ask)
    let first = store.identity(of: \.alert)
    let alert = try #require(store[\.alert, presenting: \.alert, as: first])
    // A button that presents another alert. The view closes the first alert afterwards.
    alert.send(.askAgain)
    store[\.alert, presenting: \.alert, as: first].isThere = false
    #expect(store.alert == Folder.question)
    #expect(store.identity(of: \.alert) != first)
  }

  @Test func `an alert button without an action dismisses the alert`() {
    let store = Store(initialState: Folder.State()) { Folder() }
    store.send(.ask)
    let identity = store.identity(of: \.alert)
    store[\.alert, presenting: \.alert, as: identity].isThere = true
    #expect(store.alert != nil)
    store[\.alert, presenting: \.alert, as: identity].isThere = false
    #expect(store.alert == nil)
  }

  @Test func `a store of a presentation state presents its child and dismisses it`() throws {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) { Desk() }
    let presentation: Store<PresentationState<Job.State>, PresentationAction<Job.Action>> =
      store.scope(\.$job, action: \.job)
    let identity = store.identity(of: \.job)
    let job = try #require(presentation[presented: identity])
    #expect(job === presentation[presented: identity])
    job.send(.done("a"))
    #expect(store.job?.done == ["a"])
    store.send(.set(Job.State(id: 2)))
    presentation[presented: identity] = nil
    #expect(store.job?.id == 2)
    presentation[presented: store.identity(of: \.job)] = nil
    #expect(store.job == nil)
  }

  @Test
  func `observers of a presented store are notified only of its presentation and its dismissal`() {
    let store = Store(initialState: Desk.State()) { Desk() }
    let changes = Mutex(0)
    func observe() {
      withObservationTracking {
        _ = store[\.job, presenting: \.job, as: store.identity(of: \.job)]
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    observe()
    store.send(.set(Job.State()))
    #expect(changes.withLock { $0 } == 1)
    observe()
    // A change in the feature concerns only its own view.
    store.send(.job(.presented(.done("a"))))
    #expect(changes.withLock { $0 } == 1)
    store.send(.job(.dismiss))
    #expect(changes.withLock { $0 } == 2)
  }
}
