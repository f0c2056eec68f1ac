import TCACore
import Testing

/// The description of a child's position in a log.
@Suite struct NavigationPathTests {
  private struct Plain {
    var job: Job.State? = Job.State()
    var computed: Job.State? {
      get { job }
      set { job = newValue }
    }
  }

  /// Returns the steps to the effect that a reducer returns.
  private func steps<R: Reducer>(_ reducer: R, _ state: R.State, _ action: R.Action) -> [JSON] {
    var state = state
    guard
      case .cancellable(_, let id, _) = reducer._reduce(into: &state, action: action).operation
    else { return [] }
    return id.path.flatMap { step in
      [step.place, step.identity].map { $0.map { JSON(logging: $0.base) } ?? .null }
    }
  }

  private let work = Job.Action.work(Gate(), as: "a")

  @Test func `the path of an effect consists of the observed property's name and the element's id`()
  {
    #expect(steps(Office(), Office.State(job: Job.State(id: 7)), .job(work)) == ["job", 7])
    let rows = Crew.Action.jobs(.element(id: 2, action: work))
    #expect(steps(Crew(), Crew.State(), rows) == ["jobs", 2])
  }

  @Test func `the path of an effect consists of the enum case's name and the state's id`() {
    let shift = Shift(seen: LockIsolated([]))
    #expect(steps(shift, .night(Job.State(id: 3)), .night(work)) == ["night", 3])
  }

  @Test func `the path of an effect consists of the stored property's name and the state's id`() {
    let reducer = EmptyReducer<Plain, Job.Action>().ifLet(\.job, action: \.self) { Job() }
    #expect(steps(reducer, Plain(), work) == ["job", 1])
  }

  @Test func `the path of an effect consists of the computed property's type and the state's id`() {
    let reducer = EmptyReducer<Plain, Job.Action>().ifLet(\.computed, action: \.self) { Job() }
    let name = LogTypeName.of(Job.State?.self)
    #expect(steps(reducer, Plain(), work) == [.string(name), 1])
  }
}
