import TCACore
import Testing

/// Stores of parts.
@MainActor
@Suite struct ScopeTests {
  @Test func `scope returns a store for an optional child while the child's state exists`() throws {
    let store = Store(initialState: Office.State(job: Job.State())) { Office() }
    let job = try #require(store.scope(\.job, action: \.job) as StoreOf<Job>?)
    #expect(store.scope(\.job, action: \.job) === job)
    job.send(.done("a"))
    #expect(job.done == ["a"])
    store.send(.set(nil))
    #expect(store.scope(\.job, action: \.job) as StoreOf<Job>? == nil)
    // The last state stays for views that are being removed.
    #expect(job.done == ["a"])
  }

  @Test func `scope returns the same store for a presented feature`() throws {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    let job: StoreOf<Job> = try #require(store.scope(\.job, action: \.job))
    job.send(.done("a"))
    #expect(store.job?.done == ["a"])
    #expect(store.scope(\.job, action: \.job) === job)
  }

  @Test func `stores of list elements stay the same when elements are reordered or removed`() {
    let store = Store(initialState: Crew.State()) { Crew() }
    let rows = Array(store.scope(\.jobs, action: \.jobs))
    #expect(rows.map(\.id) == store.scope(\.jobs, action: \.jobs).map(\.id))
    rows[1].send(.done("b"))
    #expect(store.jobs[id: 2]?.done == ["b"])
    store.send(.reverse)
    #expect(Array(store.scope(\.jobs, action: \.jobs)) == [rows[1], rows[0]])
    store.send(.remove(1))
    #expect(Array(store.scope(\.jobs, action: \.jobs)) == [rows[1]])
  }

  @Test func `scope returns stores for the elements of a stack`() {
    let store = Store(initialState: Trip.State(path: [Job.State(), Job.State()])) { Trip() }
    let elements = Array(store.scope(\.path, action: \.path))
    elements[1].send(.done("b"))
    #expect(store.path[id: 1]?.done == ["b"])
    store.send(.path(.popFrom(id: 1)))
    #expect(Array(store.scope(\.path, action: \.path)) == [elements[0]])
    #expect(store.scope(\.path[id: 0], action: \.path[id: 0]) as StoreOf<Job>? != nil)
  }

  @Test func `scope with the label state returns the same stores as scope without the label`()
    throws
  {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    let job: StoreOf<Job> = try #require(store.scope(state: \.job, action: \.job))
    #expect(job === store.scope(\.job, action: \.job))
    let crew = Store(initialState: Crew.State()) { Crew() }
    let rows = crew.scope(state: \.jobs, action: \.jobs)
    #expect(Array(rows) == Array(crew.scope(\.jobs, action: \.jobs)))
    let trip = Store(initialState: Trip.State(path: [Job.State()])) { Trip() }
    let elements = trip.scope(state: \.path, action: \.path)
    #expect(Array(elements) == Array(trip.scope(\.path, action: \.path)))
    let office = Store(initialState: Office.State(job: Job.State())) { Office() }
    #expect(
      office.scope(state: \.job, action: \.job) as StoreOf<Job>?
        === office.scope(\.job, action: \.job) as StoreOf<Job>?
    )
  }

  @Test @available(*, deprecated) func `scope with closures creates a new store for each call`() {
    let store = Store(initialState: Crew.State()) { Crew() }
    func last() -> Store<[String], Job.Action> {
      store.scope(state: { $0.jobs[1].done }, action: { .jobs(.element(id: 2, action: $0)) })
    }
    last().send(.done("b"))
    #expect(last().state == ["b"])
    #expect(store.jobs[1].done == ["b"])
    #expect(last() !== last())
  }

  @Test func `a store of a removed child drops property writes and reports actions`() throws {
    let store = Store(initialState: Sheet.State(form: Form.State())) { Sheet() }
    let form: StoreOf<Form> = try #require(store.scope(\.form, action: \.form))
    form.name = "Blob"
    #expect(form.name == "Blob")
    store.send(.close)
    #expect(recordingIssues { form.name = "Blob Jr." } == [])
    #expect(form.name == "Blob")
    #expect(store.actions == 2)
    let issues = recordingIssues { _ = form.send(.isOn) }
    #expect(issues.first?.contains("Sheet.Action.form(.") == true)
    #expect(issues.count == 1)
    #expect(store.actions == 3)
  }

  @Test @available(*, deprecated)
  func `scoping an optional child of a store created with closures reports an issue`() {
    let store = Store(initialState: Club.State()) { EmptyReducer<Club.State, Club.Action>() }
    let club = store.scope(state: { $0 }, action: { (action: Club.Action) in action })
    let message = """
      A part that comes and goes was scoped from a store of type "StoreOf<Club>" that closures made. \
      Such a store is another one each time, and so are its parts: what observes them loses them. \
      Make it with key paths, "scope(_:action:)".
      """
    #expect(recordingIssues { _ = club.scope(\.job, action: \.job) as StoreOf<Job>? } == [message])
    #expect(recordingIssues { _ = Array(club.scope(\.jobs, action: \.jobs)) } == [message])
    #expect(recordingIssues { _ = Array(club.scope(\.path, action: \.path)) } == [message])
    // A permanent child is scoped as before, and its scopes are not stored either.
    let inner: StoreOf<Club> = club.scope(\.self, action: \.self)
    #expect(recordingIssues { _ = inner.scope(\.job, action: \.job) as StoreOf<Job>? } == [message])
    #expect(recordingIssues { _ = store.scope(\.job, action: \.job) as StoreOf<Job>? } == [])
  }

  @Test func `a store and its child store do not retain each other`() {
    weak var root: StoreOf<Desk>?
    weak var child: StoreOf<Job>?
    do {
      let store = Store(initialState: Desk.State()) { Desk() }
      store.send(.set(Job.State()))
      root = store
      child = store.scope(\.job, action: \.job)
      #expect(child != nil)
    }
    #expect(root == nil)
    #expect(child == nil)
  }
}

/// A feature that presents a form.
@Reducer
private struct Sheet {
  @ObservableState
  struct State {
    @Presents var form: Form.State?
    var actions = 0
  }

  enum Action {
    case form(PresentationAction<Form.Action>)
    case close
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.actions += 1
      if case .close = action { state.form = nil }
      return .none
    }
    .ifLet(\.$form, action: \.form) { Form() }
  }
}

@Reducer
private struct Club {
  @ObservableState
  struct State {
    var job: Job.State? = Job.State()
    var jobs: IdentifiedArrayOf<Job.State> = [Job.State()]
    var path = StackState([Job.State()])
  }

  enum Action {
    case job(Job.Action)
    case jobs(IdentifiedActionOf<Job>)
    case path(StackActionOf<Job>)
  }
}
