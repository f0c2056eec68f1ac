import Testing

@testable import TCACore

private typealias Path = Store<StackState<Job.State>, StackActionOf<Job>>

extension Path {
  /// The stack as a `NavigationStack` reads and writes it.
  fileprivate var shown: [StackState<Job.State>.Component] {
    get { self[components: StackElementTypes<Job.State, Job.Action>()] }
    set { self[components: StackElementTypes<Job.State, Job.Action>()] = newValue }
  }
}

/// A stack as a `NavigationStack` shows it, without the view.
@MainActor
@Suite struct ComponentTests {
  private let store: StoreOf<Trip>
  private let path: Path

  init() {
    store = Store(initialState: Trip.State()) { Trip() }
    path = store[\.path, action: Trip.Action.pathCase]
  }

  @Test func `components of a stack keep their identity when their elements change`() {
    store.send(.append(Job.State()))
    store.send(.append(Job.State()))
    let before = path.shown
    store.send(.path(.element(id: 1, action: .done("a"))))
    #expect(path.shown == before)
    #expect(path.shown.map(\.element.done) == [[], ["a"]])
    store.send(.remove(0))
    #expect(path.shown == [before[1]])
  }

  @Test func `appending a link's component pushes its state`() {
    store.send(.append(Job.State(id: 1)))
    let link = StackState.Component(pushing: Job.State(id: 2))
    path.shown.append(link)
    #expect(store.path.map(\.id) == [1, 2])
    #expect(Array(store.path.ids) == [0, 1])
    // The view finds the element that it has pushed.
    #expect(path.shown.last == link)
    #expect(path.shown.first != link)
  }

  @Test func `each push of a navigation link gets an id that was not used before`() {
    path.shown.append(StackState.Component(pushing: Job.State(id: 1)))
    path.shown.removeLast()
    #expect(store.path.isEmpty)
    path.shown.append(StackState.Component(pushing: Job.State(id: 2)))
    store.send(.append(Job.State(id: 3)))
    path.shown.append(StackState.Component(pushing: Job.State(id: 4)))
    #expect(store.path.map(\.id) == [2, 3, 4])
    #expect(Array(store.path.ids) == [1, 2, 3])
  }

  @Test func `two navigation links are pushed in order`() {
    let links = [1, 2].map { StackState.Component(pushing: Job.State(id: $0)) }
    path.shown += links
    #expect(store.path.map(\.id) == [1, 2])
    #expect(path.shown == links)
  }

  @Test func `navigation links with equal states are different components`() {
    #expect(
      StackState.Component(pushing: Job.State()) != StackState.Component(pushing: Job.State())
    )
  }

  @Test func `a navigation link that is not pushed uses no id of a stack element`() {
    for _ in 0..<3 { _ = StackState.Component(pushing: Job.State()) }
    path.shown.append(StackState.Component(pushing: Job.State()))
    #expect(Array(store.path.ids) == [0])
  }

  @Test func `setting a shorter path sends one pop action`() {
    for id in 1...3 { store.send(.append(Job.State(id: id))) }
    path.shown.removeLast(2)
    #expect(store.path.map(\.id) == [1])
    // One action, regardless of the number of screens that the view has left.
    #expect(store.origins == ["view"])
    path.shown = []
    #expect(store.path.isEmpty)
    path.shown = []
    #expect(store.origins == ["view", "view"])
  }

  @Test func `setting the path to its current value sends no action`() {
    store.send(.append(Job.State()))
    let count = store.seen.count
    path.shown = path.shown
    #expect(store.seen.count == count)
  }

  @Test func `a stack element and its navigation link have the same store`() {
    store.send(.append(Job.State(id: 1)))
    path.shown.append(StackState.Component(pushing: Job.State(id: 2)))
    let shown = path.shown
    let stores: [StoreOf<Job>] = shown.map { path.store(of: $0) }
    #expect(stores == Array(store.scope(\.path, action: Trip.Action.pathCase)))
    stores[1].send(.done("a"))
    #expect(store.path[id: 1]?.done == ["a"])
    #expect(path.shown.map { path.store(of: $0) } == stores)
  }

  @Test func `the store of a popped navigation link is kept while its view uses it`() {
    let link = StackState.Component(pushing: Job.State())
    path.shown.append(link)
    var element: StoreOf<Job>? = path.store(of: link)
    element?.send(.done("a"))
    // The view is rendered.
    #expect(element?.done == ["a"])
    path.shown = []
    #expect(path.store(of: link) === element)
    #expect(element?.done == ["a"])
    // Without a retained view, a hidden view of this element still has the pushed state.
    weak let kept = element
    element = nil
    #expect(path.elementsOfStack() as [StoreOf<Job>] == [])
    #expect(kept == nil)
    let late: StoreOf<Job> = path.store(of: link)
    #expect(late.state == Job.State())
  }

  @Test func `a stack of a removed feature ignores pushes and pops`() throws {
    let store = Store(initialState: Station.State(trip: Trip.State())) { Station() }
    let trip: StoreOf<Trip> = try #require(store.scope(\.trip, action: \.trip))
    let path: Path = trip[\.path, action: Trip.Action.pathCase]
    path.shown.append(StackState.Component(pushing: Job.State()))
    #expect(store.trip?.path.count == 1)
    store.send(.close)
    let issues = recordingIssues {
      path.shown.append(StackState.Component(pushing: Job.State()))
      path.shown = []
    }
    #expect(issues == [])
  }
}

/// A feature with a stack that can be removed.
@Reducer
private struct Station {
  @ObservableState
  struct State {
    var trip: Trip.State?
  }

  enum Action {
    case trip(Trip.Action)
    case close
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .close = action { state.trip = nil }
      return .none
    }
    .ifLet(\.trip, action: \.trip) { Trip() }
  }
}
