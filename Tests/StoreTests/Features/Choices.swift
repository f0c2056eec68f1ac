import TCACore

/// Values that look like the cases of `Optional`.
@Reducer
struct Choices {
  enum Choice: Codable, Equatable, Sendable {
    case none
    case some(Int)
    case all
  }

  enum Level: String, Codable, Equatable, Sendable {
    case none, some, high
  }

  @ObservableState
  struct State: Equatable {
    var choice: Choice?
    var choices: [Choice?] = []
    var level: Level? = .high
    var certain = Choice.all
  }

  enum Action {
    case choice(Choice?)
    case choices([Choice?])
    case level(Level?)
    case certain(Choice)
    case none
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .choice(let choice): state.choice = choice
      case .choices(let choices): state.choices = choices
      case .level(let level): state.level = level
      case .certain(let choice): state.certain = choice
      case .none: state.choice = Choice.none
      }
      return .none
    }
  }
}
