import TCACore

/// A shared list and one of its books.
@Reducer
struct Library {
  struct Book: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
  }

  @Reducer
  struct Editor {
    @ObservableState
    struct State: Equatable {
      @Shared var book: Book
      var edits = 0
    }

    enum Action {
      case titled(String)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .titled(let title):
          state.$book.withLock { $0.title = title }
          state.edits += 1
          return .none
        }
      }
    }
  }

  @ObservableState
  struct State: Equatable {
    @Shared var books: IdentifiedArrayOf<Book>
    @Shared var titles: [String]
    @Presents var editor: Editor.State?
  }

  enum Action {
    case edit(Int)
    case editor(PresentationAction<Editor.Action>)
    case inserted(Int)
    case removed(Int)
    case listed(String)
    case unlisted
    case cleared
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edit(let id):
        state.editor = Shared(state.$books[id: id]).map { Editor.State(book: $0) }
      case .editor: break
      case .inserted(let id):
        state.$books.withLock { _ = $0.insert(Book(id: id, title: "new \(id)"), at: 0) }
      case .removed(let id): state.$books.withLock { _ = $0.remove(id: id) }
      case .listed(let title): state.$titles.withLock { $0.append(title) }
      case .unlisted: state.$titles.withLock { _ = $0.removeFirst() }
      case .cleared: state.$books.withLock { $0 = [] }
      }
      return .none
    }
    .ifLet(\.$editor, action: \.editor) { Editor() }
  }
}
