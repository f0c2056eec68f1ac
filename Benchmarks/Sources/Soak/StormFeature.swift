import Foundation
import TCARecorder

/// A feature whose effects start, send, cancel each other and end in any order.
@Reducer
struct Storms: Sendable {
  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State> = []
    @Presents var sheet: Row.State?
    @Shared var total: Int
    var added = 0
    var started = 0
    var finished = 0
    var last: UUID?
    var secret = ""

    init() { _total = Shared(value: 0) }
  }

  enum Action: Sendable {
    case added
    case removed
    case storm(Int)
    case calm
    case finished(Int)
    case entered(String)
    case shown
    case rows(IdentifiedActionOf<Row>)
    case sheet(PresentationAction<Row.Action>)
  }

  struct StormID: Hashable, Sendable { let number: Int }

  /// The number of cancellation ids, which is smaller than the number of effects of most storms.
  static let ids = 7

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added:
        state.last = uuid()
        state.added += 1
        state.rows.append(Row.State(id: state.added))
      case .removed:
        if let first = state.rows.first { state.rows.remove(id: first.id) }
      case .storm(let count):
        state.started += count
        return .merge((0..<count).map { Self.effect($0) })
      case .calm:
        return .merge((0..<Self.ids).map { .cancel(id: StormID(number: $0)) })
      case .finished(let number):
        state.finished += 1
        state.$total.withLock { $0 += number }
        if number.isMultiple(of: 5) { return .cancel(id: StormID(number: number % Self.ids)) }
      case .entered(let text):
        state.secret = text
        return .run(name: "enter", input: text) { _ in await Task.yield() }
      case .shown: state.sheet = state.sheet == nil ? Row.State(id: -1) : nil
      case .rows, .sheet: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row() }
    .ifLet(\.$sheet, action: \.sheet) { Row() }
  }

  private static func effect(_ number: Int) -> Effect<Action> {
    .run(name: "storm") { send in
      for _ in 0..<number % 4 { await Task.yield() }
      await send(.finished(number))
      if number.isMultiple(of: 3) { try await Task.sleep(for: .milliseconds(number)) }
    }
    .cancellable(
      id: StormID(number: number % ids),
      cancelInFlight: number.isMultiple(of: 11)
    )
  }
}

/// An element with its own timer.
@Reducer
struct Row: Sendable {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var ticks = 0
  }

  enum Action: Sendable {
    case started
    case ticked
    case stopped
  }

  private enum CancelID { case timer }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started:
        return .run(name: "timer") { send in
          for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(2))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .ticked:
        state.ticks += 1
        return .none
      case .stopped: return .cancel(id: CancelID.timer)
      }
    }
  }
}
