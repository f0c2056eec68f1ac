import TCACore
import TCAReplay

/// A door that breaks when it is kicked, for `.ci/coverage`.
@Reducer
struct Door {
  @ObservableState
  struct State: Equatable {
    var isOpen = false
    var knocks = 0
    var guest: String?
  }

  enum Action {
    case knocked
    case opened(by: String)
    case closed
    case kicked
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .knocked:
        state.knocks += 1
        if state.knocks > 2 {
          state.isOpen = true
        }
        return .none
      case .opened(by: let guest):
        state.isOpen = true
        state.guest = guest
        return .none
      case .closed:
        state.isOpen = false
        return .none
      case .kicked:
        let force = state.knocks - 1
        precondition(force < 0, "the door breaks")
        return .none
      }
    }
  }
}

extension Door.State: SchemaVersioned {
  static let schemaVersion = 2
}

@main
struct DoorReplay: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Door", migrations: [renamedOpened]) {
        Door()
      } initialState: {
        Door.State()
      }
    ]
  }

  /// Logs of version 1 use another name for an action.
  private static let renamedOpened = Migration(
    from: 1,
    action: { try $0.move(from: "/unlocked", to: "/opened") }
  )
}
