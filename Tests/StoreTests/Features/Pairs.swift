import TCACore

/// Rows with the form of a stack's elements, next to a stack.
@Reducer
struct Pairs {
  struct Pair: Codable, Equatable, Sendable {
    var id: Int
    var element: String
  }

  struct Box: Codable, Equatable, Sendable {
    var id: Int
    var element: Content
  }

  struct Content: Codable, Equatable, Sendable {
    var title: String
    var isOpen: Bool
  }

  @ObservableState
  struct State: Equatable {
    var pairs: [Pair] = []
    var boxes: [Box] = []
  }

  enum Action {
    case paired(Int, String)
    case boxed(Int, String)
    case opened(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .paired(let id, let element): state.pairs.append(Pair(id: id, element: element))
      case .boxed(let id, let title):
        state.boxes.append(Box(id: id, element: Content(title: title, isOpen: false)))
      case .opened(let index): state.boxes[index].element.isOpen = true
      }
      return .none
    }
  }
}
