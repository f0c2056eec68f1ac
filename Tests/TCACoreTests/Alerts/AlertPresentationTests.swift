import TCACore
import Testing

/// The dismissal of alerts.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct AlertPresentationTests {
  private let store = Store(initialState: Folder.State()) { Folder() }

  @Test(arguments: [PresentationAction.presented(Folder.Action.Alert.delete), .dismiss])
  func `an alert closes after the action of a button and after a dismissal`(
    action: PresentationAction<Folder.Action.Alert>
  ) {
    store.send(.ask)
    store.send(.alert(action))
    #expect(store.seen == [false, true])
    #expect(store.alert == nil)
    #expect(store.isIdle)
  }

  @Test func `an alert that replaces itself by its own action stays presented under a new id`() {
    store.send(.ask)
    let first = store.alert
    store.send(.alert(.presented(.askAgain)))
    #expect(store.alert == first)
    #expect(store.alert?.id != first?.id)
  }

  @Test func `a store is idle after a send that presents an alert`() {
    store.send(.ask)
    #expect(store.isIdle)
  }

  @Test func `an alert in a destination closes after its own action, but not after other actions`()
  {
    store.send(.show(.alert(Folder.question)))
    let issues = recordingIssues { _ = store.send(.destination(.presented(.job(.look)))) }
    #expect(issues.count == 1)
    #expect(store.destination?.is(\.alert) == true)
    store.send(.destination(.presented(.alert(.delete))))
    #expect(store.destination == nil)
  }

  @Test func `an alert that replaces a presented feature cancels the feature's effects`() async {
    let task = store.send(.show(.job(Job.State())))
    let work = store.send(.destination(.presented(.job(.work(Gate(), as: "a")))))
    store.send(.show(.alert(Folder.question)))
    await task.finish()
    await work.finish()
    #expect(store.destination?.is(\.alert) == true)
    #expect(await store.becomesIdle())
  }

  @Test func `a feature in a destination dismisses itself`() async {
    let tasks = [
      store.send(.show(.job(Job.State()))), store.send(.destination(.presented(.job(.close)))),
    ]
    for task in tasks { await task.finish() }
    #expect(store.destination == nil)
  }

  @Test func `ifLet closes an optional alert without PresentationState`() {
    let store = Store(initialState: AlertState<Int>?.some(AlertState { TextState("?") })) {
      EmptyReducer<AlertState<Int>?, Int>().ifLet(\.self, action: \.self)
    }
    store.send(1)
    #expect(store.state == nil)
  }
}
