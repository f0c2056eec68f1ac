import TCACore
import Testing

/// Stores of parts.
@MainActor
@Suite struct ScopeTests {
  @Test func anOptionalPartHasAStoreWhileItIsThere() throws {
    let store = Store(initialState: Office.State(job: Job.State())) { Office() }
    let job = try #require(store.scope(\.job, action: \.job) as StoreOf<Job>?)
    #expect(store.scope(\.job, action: \.job) === job)
    job.send(.done("a"))
    #expect(job.done == ["a"])
    store.send(.set(nil))
    #expect(store.scope(\.job, action: \.job) as StoreOf<Job>? == nil)
    // The last state stays, for views that are on their way out.
    #expect(job.done == ["a"])
  }

  @Test func aPresentedFeatureHasAStore() throws {
    let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
    let job: StoreOf<Job> = try #require(store.scope(\.job, action: \.job))
    job.send(.done("a"))
    #expect(store.job?.done == ["a"])
    #expect(store.scope(\.job, action: \.job) === job)
  }

  @Test func elementsOfAListHaveStoresThatStay() {
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

  @Test func elementsOfAStackHaveStores() {
    let store = Store(initialState: Trip.State(path: [Job.State(), Job.State()])) { Trip() }
    let elements = Array(store.scope(\.path, action: \.path))
    elements[1].send(.done("b"))
    #expect(store.path[id: 1]?.done == ["b"])
    store.send(.path(.popFrom(id: 1)))
    #expect(Array(store.scope(\.path, action: \.path)) == [elements[0]])
    #expect(store.scope(\.path[id: 0], action: \.path[id: 0]) as StoreOf<Job>? != nil)
  }

  @Test func noStoreKeepsAnother() {
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
