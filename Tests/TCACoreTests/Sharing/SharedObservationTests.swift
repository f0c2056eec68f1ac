import Observation
import Synchronization
import TCACore
import Testing

/// Returns whether observers of a read value are notified of a change.
private func notifies(reading read: () -> Void, change: () throws -> Void) rethrows -> Bool {
  let told = Told()
  withObservationTracking(read) { told.set() }
  try change()
  return told.isSet
}

private final class Told: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

/// A key whose loads and saves end under control of the test.
private final class LateKey: SharedKey {
  let loads = LockIsolated<[LoadContinuation<Int>]>([])
  let saves = LockIsolated<[SaveContinuation]>([])

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    loads.withValue { $0.append(continuation) }
  }

  func subscribe(
    context: LoadContext<Int>,
    subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    saves.withValue { $0.append(continuation) }
  }
}

@Suite struct SharedObservationTests {
  @ObservableState
  struct Profile: Equatable {
    var name = "Blob"
    var age = 42
  }

  @ObservableState
  struct State: Equatable {
    @Shared var count: Int
    @Shared var profile: Profile
    @SharedReader var limit: Int
    var text = ""

    init() {
      _count = Shared(value: 0)
      _profile = Shared(value: Profile())
      _limit = .constant(10)
    }
  }

  @Test func `observers of a shared value are notified of its changes`() {
    let count = Shared(value: 0)
    #expect(notifies(reading: { _ = count.wrappedValue }, change: { count.withLock { $0 += 1 } }))
    #expect(!notifies(reading: {}, change: { count.withLock { $0 += 1 } }))
    let reader = SharedReader(count)
    #expect(notifies(reading: { _ = reader.wrappedValue }, change: { count.withLock { $0 += 1 } }))
  }

  @Test func `a change of a shared member notifies its observers and the container's`() {
    let profile = Shared(value: [1, 2])
    #expect(notifies(reading: { _ = profile.count }, change: { profile.withLock { $0.append(3) } }))
    #expect(
      notifies(reading: { _ = profile[0].wrappedValue }, change: { profile[0].withLock { $0 = 5 } })
    )
  }

  @Test func `observers of a shared state's member are notified of its changes only`() {
    let state = State()
    #expect(
      !notifies(
        reading: { _ = state.profile.name },
        change: { state.$profile.withLock { $0.age += 1 } }
      )
    )
    #expect(
      notifies(
        reading: { _ = state.profile.name },
        change: { state.$profile.withLock { $0.name = "B" } }
      )
    )
    #expect(
      !notifies(reading: { _ = state.profile }, change: { state.$profile.withLock { $0.age += 1 } })
    )
    #expect(
      notifies(
        reading: { _ = state.profile },
        change: { state.$profile.withLock { $0 = Profile() } }
      )
    )
    #expect(!notifies(reading: { _ = state.text }, change: { state.$count.withLock { $0 += 1 } }))
  }

  @Test func `an observer can change the shared value that it observes`() {
    let count = Shared(value: 0)
    let log = LockIsolated<[Int]>([])
    @Sendable func observe() {
      withObservationTracking {
        _ = count.wrappedValue
      } onChange: {
        log.withValue { $0.append(count.wrappedValue) }
        if count.wrappedValue < 3 {
          observe()
          count.withLock { $0 += 1 }
        }
      }
    }
    observe()
    count.withLock { $0 = 1 }
    #expect(count.wrappedValue == 3)
    // The number of notifications for its own changes is up to Observation.
    #expect(log.value.first == 1 && Set(log.value) == [1, 2, 3])
  }

  @Test func `observers of a shared value receive the last change by concurrent tasks`() async {
    let count = Shared(value: 0)
    let last = LockIsolated(0)
    @Sendable func observe() {
      let value = withObservationTracking {
        count.wrappedValue
      } onChange: {
        Task { observe() }
      }
      last.withValue { $0 = max($0, value) }
    }
    observe()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<100 { count.withLock { $0 += 1 } } }
      }
    }
    while last.value < 400 { await Task.yield() }
    #expect(last.value == 400)
  }

  @Test func `observers of a shared value are notified when a load or save ends`() throws {
    try withOwnSharing {
      let key = LateKey()
      let shared = Shared(wrappedValue: 0, key)
      #expect(shared.isLoading)
      let load = try #require(key.loads.value.first)
      #expect(notifies(reading: { _ = shared.isLoading }, change: { load.resume(returning: 1) }))
      #expect(!shared.isLoading)
      #expect(shared.wrappedValue == 1)

      shared.withLock { $0 = 2 }
      let save = try #require(key.saves.value.first)
      #expect(
        notifies(
          reading: { _ = shared.saveError },
          change: { save.resume(throwing: CancellationError()) }
        )
      )
      #expect(shared.saveError is CancellationError)
    }
  }

  @MainActor @Test
  func `observers of a store are notified of changes to the shared values they read`() {
    let store = Store(initialState: Sharer.State()) { Sharer() }
    #expect(notifies(reading: { _ = store.count }, change: { store.send(.increment) }))
    #expect(store.count == 1)
    #expect(!notifies(reading: { _ = store.own }, change: { store.send(.increment) }))
    store.send(.present)
    #expect(store.destination?.child?.count == 2)
    #expect(
      notifies(reading: { _ = store.destination?.child?.count }, change: { store.send(.increment) })
    )
    store.send(.destination(.presented(.child(.increment))))
    #expect(store.count == 4)
    #expect(store.destination?.child?.count == 4)
  }
}

@Reducer
struct Sharer {
  @ObservableState
  struct State: Equatable {
    @Shared(value: 0) var count: Int
    @Presents var destination: Destination.State?
    var own = 0
  }

  enum Action {
    case increment
    case present
    case destination(PresentationAction<Destination.Action>)
  }

  @Reducer
  enum Destination {
    case child(SharingChild)
    @ReducerCaseIgnored case value(Shared<Int>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.$count.withLock { $0 += 1 }
      case .present:
        state.destination = .child(SharingChild.State(count: state.$count))
      case .destination:
        break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension Sharer.Destination.State: Equatable {}

@Reducer
struct SharingChild {
  @ObservableState
  struct State: Equatable {
    @Shared var count: Int
  }

  enum Action {
    case increment
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.$count.withLock { $0 += 1 }
      return .none
    }
  }
}
