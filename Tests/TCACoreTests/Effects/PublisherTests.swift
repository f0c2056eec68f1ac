#if canImport(Combine)
import Combine
import TCACore
import Testing

/// Effects that send what a publisher publishes.
@MainActor
@Suite struct PublisherTests {
  enum Action {
    case start
    case stop
    case number(Int)
  }

  private func store(_ publisher: some Publisher<Int, Never>) -> Store<[Int], Action> {
    Store(initialState: []) {
      Reduce<[Int], Action> { numbers, action in
        switch action {
        case .start:
          return .publisher { publisher.map { Action.number($0) } }.cancellable(id: 0)
        case .stop:
          return .cancel(id: 0)
        case .number(let number):
          numbers.append(number)
          return .none
        }
      }
    }
  }

  @Test func `a publisher effect sends the values in order until the publisher completes`() async {
    let store = store([1, 2, 3].publisher)
    await store.send(.start).finish()
    #expect(store.state == [1, 2, 3])
  }

  @Test func `a publisher effect cancels its subscription when the effect is canceled`() async {
    let subject = PassthroughSubject<Int, Never>()
    var isSubscribed = false
    var isCancelled = false
    let store = store(
      subject.handleEvents(
        receiveSubscription: { _ in isSubscribed = true },
        receiveCancel: { isCancelled = true }
      )
    )
    let task = store.send(.start)
    while !isSubscribed { await Task.yield() }
    subject.send(1)
    while store.state.isEmpty { await Task.yield() }
    store.send(.stop)
    await task.finish()
    #expect(isCancelled)
    subject.send(2)
    #expect(store.state == [1])
  }
}
#endif
