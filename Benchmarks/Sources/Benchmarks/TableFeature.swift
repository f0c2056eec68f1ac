import TCARecorder

/// The feature of the table: ten scalars, a nested struct and rows of four members.
@Reducer
struct TableFeature {
  @ObservableState
  struct State: Codable, Equatable {
    var count = 0
    var total = 0
    var limit = 100
    var ratio = 0.5
    var temperature = 21.25
    var isLoading = false
    var isEnabled = true
    var title = "the title of the table"
    var filter = "all"
    var page = 1
    var user = User()
    var rows: [Row] = []

    struct User: Codable, Equatable {
      var name = "Blob"
      var email = "blob@pointfree.example"
      var age = 42
    }

    struct Row: Codable, Equatable {
      var id: Int
      var title: String
      var isDone: Bool
      var weight: Double
    }

    /// Creates a state with the given number of rows.
    init(rows count: Int) {
      rows = (0..<count).map {
        Row(id: $0, title: "the title of row \($0)", isDone: false, weight: Double($0))
      }
    }
  }

  enum Action: Codable, Equatable {
    case increment
    case weigh(row: Int, weight: Double)
    case rename(row: Int, title: String)
    case insert(at: Int)
    case remove(at: Int)
    case move(from: Int, to: Int)
    case enter(email: String)
    case nothing
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment: state.count += 1
      case .weigh(let row, let weight): state.rows[row].weight = weight
      case .rename(let row, let title): state.rows[row].title = title
      case .insert(let index):
        state.rows.insert(
          State.Row(id: -1, title: "a row that is new", isDone: false, weight: 0),
          at: index
        )
      case .remove(let index): state.rows.remove(at: index)
      case .move(let from, let to): state.rows.insert(state.rows.remove(at: from), at: to)
      case .enter(let email): state.user.email = email
      case .nothing: break
      }
      return .none
    }
  }
}
