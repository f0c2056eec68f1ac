import Dispatch
import Foundation
import TCACore
import Testing

// A search from the time when effects were publishers and could fail.

@available(*, deprecated)
extension Oldest {
  struct Place: Equatable { var name: String }

  struct PlaceClient {
    var search: (String) -> EffectPublisher<[Place], Failure>
    var weather: (Place) -> EffectPublisher<Int, Failure>

    struct Failure: Error, Equatable {}
  }

  struct SearchState: Equatable {
    var places: [Place] = []
    var query = ""
    var weather: Int?
    var seconds = 0
  }

  enum SearchAction: Equatable {
    case queryChanged(String)
    case placesResponse(Result<[Place], PlaceClient.Failure>)
    case placeTapped(Place)
    case weatherResponse(Result<Int, PlaceClient.Failure>)
    case timerStarted
    case timerTicked
    case timerStopped
  }

  struct SearchEnvironment {
    var client: PlaceClient
    var mainQueue: AnySchedulerOf<DispatchQueue>
  }

  static let searchReducer = Reducer<SearchState, SearchAction, SearchEnvironment> {
    state,
    action,
    environment in
    struct SearchID: Hashable {}
    struct TimerID: Hashable {}

    switch action {
    case .queryChanged(let query):
      state.query = query
      guard !query.isEmpty else {
        state.places = []
        return .cancel(id: SearchID())
      }
      return environment.client.search(query)
        .debounce(id: SearchID(), for: 0.3, scheduler: environment.mainQueue)
        .catchToEffect(SearchAction.placesResponse)

    case .placesResponse(.success(let places)):
      state.places = places
      return .none

    case .placesResponse(.failure):
      state.places = []
      return .none

    case .placeTapped(let place):
      return environment.client.weather(place)
        .receive(on: environment.mainQueue)
        .catchToEffect()
        .map { .weatherResponse($0) }
        .cancellable(id: SearchID(), cancelInFlight: true)

    case .weatherResponse(let result):
      state.weather = try? result.get()
      return .none

    case .timerStarted:
      return Effect.timer(id: TimerID(), every: 1, on: environment.mainQueue)
        .map { _ in .timerTicked }

    case .timerTicked:
      state.seconds += 1
      return .none

    case .timerStopped:
      return .cancel(id: TimerID())
    }
  }
  .debug(environment: { _ in DebugEnvironment(printer: { _ in }) })
}

@MainActor
@Suite("A search of the oldest style")
struct OldestSearchTests {
  @Test func `a test store runs an array of steps for a search feature with an environment`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let scheduler = DispatchQueue.test
        let store = TestStore(
          initialState: Oldest.SearchState(),
          reducer: Oldest.searchReducer,
          environment: Oldest.SearchEnvironment(
            client: Oldest.PlaceClient(
              search: { query in Effect(value: [Oldest.Place(name: query.uppercased())]) },
              weather: { _ in Effect(error: Oldest.PlaceClient.Failure()) }
            ),
            mainQueue: scheduler.eraseToAnyScheduler()
          )
        )
        await store.assert(
          .send(.queryChanged("r")) { $0.query = "r" },
          .do { await scheduler.advance(by: .milliseconds(200)) },
          .send(.queryChanged("rom")) { $0.query = "rom" },
          .do { await scheduler.advance(by: .milliseconds(300)) },
          .receive(.placesResponse(.success([Oldest.Place(name: "ROM")]))) {
            $0.places = [Oldest.Place(name: "ROM")]
          },
          .send(.placeTapped(Oldest.Place(name: "ROM"))),
          .do { await scheduler.advance() },
          .receive(.weatherResponse(.failure(Oldest.PlaceClient.Failure()))),
          .sequence([
            .send(.queryChanged("x")) { $0.query = "x" },
            .send(.queryChanged("")) {
              $0.query = ""
              $0.places = []
            },
          ]),
          .send(.timerStarted),
          .do { await scheduler.advance(by: 2) },
          .receive(.timerTicked) { $0.seconds = 1 },
          .receive(.timerTicked) { $0.seconds = 2 },
          .send(.timerStopped),
          .do { await scheduler.run() }
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `catchToEffect reports an error of an unexpected type`() async throws {
    struct Code: OldCode {
      enum Action {
        case start
        case done(Result<Int, Expected>)
      }
      struct Expected: Error {}
      struct Other: Error {}

      @available(*, deprecated)
      func run() async throws {
        let issues = await recordingIssues {
          let store = Store(initialState: 0) {
            Reduce<Int, Action> { state, action in
              state += 1
              guard case .start = action else { return .none }
              return Effect<Int>(error: Other()).catchToEffect(Action.done)
            }
          }
          await store.send(.start).finish()
          #expect(store.state == 1)
        }
        #expect(issues.count == 1)
      }
    }
    try await LegacyTests.run(Code.self)
  }
}
