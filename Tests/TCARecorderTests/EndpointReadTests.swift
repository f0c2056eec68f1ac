import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import TCARecorder
import Testing

@DependencyClient
private struct Weather: Sendable {
  var celsius: @Sendable (_ city: String) -> Double = { _ in 0 }
  var station: @Sendable (_ number: Int) throws -> String
  var forecast: @Sendable () throws(Unknown) -> Double = { () throws(Unknown) in 1 }
  var alert: @Sendable () -> String?
  var log: @Sendable (String) -> Void
  var fetch: @Sendable () async throws -> Double

  struct Offline: Error, Codable {}
  enum Unknown: String, Error, Codable { case fog }
}

extension Weather: DependencyKey {
  static let liveValue = Weather(
    celsius: { city in
      // A read by the endpoint itself is not a read of the reducer.
      _ = DependencyValues._current.uuid()
      return Double(city.count)
    },
    station: { number in
      if number < 0 { throw Offline() }
      return "station \(number)"
    },
    forecast: { () throws(Unknown) in throw .fog },
    alert: { "storm" },
    log: { _ in },
    fetch: { 7 }
  )
}

@Reducer
private struct Window {
  @ObservableState
  struct State: Equatable {
    var celsius = 0.0
    var text = ""
  }
  enum Action {
    case look(String)
    case call(Int)
    case forecast
    case later
    case arrived(Double)
  }

  @Dependency(Weather.self) var weather

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .look(let city):
        state.celsius = weather.celsius(city: city)
        state.text = weather.alert() ?? ""
        weather.log(city)
      case .call(let number):
        do { state.text = try weather.station(number: number) } catch {
          state.text = error is Weather.Offline ? "offline" : "\(error)"
        }
      case .forecast:
        do throws(Weather.Unknown) {
          state.celsius = try weather.forecast()
        } catch {
          state.text = error.rawValue
        }
      case .later:
        return .run { [weather] send in
          await send(.arrived(try await weather.fetch() + weather.celsius(city: "Oslo")))
        }
      case .arrived(let celsius): state.celsius = celsius
      }
      return .none
    }
  }
}

@MainActor
@Suite("Reads at endpoints")
struct EndpointReadTests {
  private func reads(
    _ body: (Store<Window.State, Window.Action>) async throws -> Void
  ) async rethrows -> [String] {
    let sink = MemorySink()
    let store = Store(initialState: Window.State()) {
      Window().recorded(to: sink.destination)
    } withDependencies: {
      $0.uuid = .incrementing
      $0[Weather.self] = .liveValue
    }
    try await body(store)
    return sink.lines.filter { $0.contains(#""kind":"read""#) }
  }

  @Test("The value that an endpoint returns in a reducer is recorded as a read")
  func values() async {
    let reads = await reads { $0.send(.look("Rome")) }
    #expect(
      reads == [
        #"{"kind":"read","seq":1,"key":"Weather.celsius","value":4.0}"#,
        #"{"kind":"read","seq":1,"key":"Weather.alert","value":"storm"}"#,
      ]
    )
  }

  @Test(
    "The error that an endpoint throws in a reducer is recorded and reaches the reducer unchanged"
  )
  func errors() async {
    let reads = await reads { store in
      store.send(.call(3))
      store.send(.call(-1))
      #expect(store.text == "offline")
      store.send(.forecast)
      #expect(store.text == "fog")
    }
    #expect(
      reads.map { $0.replacing(/\(unknown[^"]*\)\./, with: "") } == [
        #"{"kind":"read","seq":1,"key":"Weather.station","value":{"success":{"_0":"station 3"}}}"#,
        #"{"kind":"read","seq":2,"key":"Weather.station","value":{"failure":{"_0":{"$error":{"type":"Weather.Offline","description":"Offline()"}}}}}"#,
        #"{"kind":"read","seq":3,"key":"Weather.forecast","value":{"failure":{"_0":"fog"}}}"#,
      ]
    )
  }

  @Test("A call of an endpoint in an effect is not recorded as a read")
  func effects() async {
    let reads = await reads { store in
      await store.send(.later).finish()
      #expect(store.celsius == 11)
    }
    #expect(reads.isEmpty)
  }
}
