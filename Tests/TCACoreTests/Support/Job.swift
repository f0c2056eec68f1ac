import TCACore

/// A feature whose effects wait at gates, to be attached to parents.
@Reducer
struct Job {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 1
    var done: [String] = []
  }

  enum Action {
    case work(Gate, as: String)
    case done(String)
    case cancel
    case become(Int)
    case close
    case closeWhenOpen(Gate)
    case closeAnimated(String)
    case look
  }

  enum CancelID { case work }

  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.isPresented) private var isPresented

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .work(let gate, let name):
        return Self.work(gate) { .done(name) }
      case .done(let name):
        state.done.append(name)
        return .none
      case .cancel:
        return .cancel(id: CancelID.work)
      case .become(let id):
        state.id = id
        return .none
      case .close:
        return .run { [dismiss] _ in await dismiss() }
      case .closeAnimated(let way):
        return .run { [dismiss] _ in
          if way == "animation" {
            await dismiss(animation: .default)
          } else {
            await dismiss(transaction: Transaction(animation: .linear))
          }
        }
      case .closeWhenOpen(let gate):
        return .run { [dismiss] send in
          await gate.wait()
          await dismiss()
          await send(.done("sent after the dismissal"))
        }
      case .look:
        state.done.append(isPresented ? "presented" : "not presented")
        return .none
      }
    }
  }

  /// Sends an action once the gate opens, under an id that all features of the tests use.
  static func work<A>(_ gate: Gate, _ action: @escaping @Sendable () -> A) -> Effect<A> {
    .run { send in
      await gate.wait()
      await send(action())
    }
    .cancellable(id: CancelID.work)
  }
}
