import Foundation
import TCACore
import Testing

// One screen leads to several others, of which one at most is there: an enum of features in one optional property.

@Reducer
struct BookForm {
  @ObservableState
  struct State: Equatable { var title = "" }
  enum Action {
    case titleChanged(String)
    case delegate(Delegate)

    @CasePathable
    enum Delegate: Equatable { case saved(String) }
  }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .titleChanged(let title):
        state.title = title
        return .none
      case .delegate: return .run { _ in await dismiss() }
      }
    }
  }
}

@Reducer
struct Shelf {
  @Reducer
  enum Destination {
    case add(BookForm)
    case alert(AlertState<Alert>)
    case confirm(ConfirmationDialogState<Dialog>)
    case nowhere
    case page(number: Int, of: String)
    @ReducerCaseIgnored case share(URL)

    @CasePathable
    enum Alert: Equatable { case deleteConfirmed(Int) }
    enum Dialog: Equatable { case archive, keep }
  }

  @ObservableState
  struct State: Equatable {
    var books = ["Kim"]
    @Presents var destination: Destination.State?
  }
  enum Action {
    case addTapped
    case deleteTapped(Int)
    case moreTapped
    case pageTapped
    case destination(PresentationAction<Destination.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addTapped: state.destination = .add(BookForm.State())
      case .deleteTapped(let index): state.destination = .alert(.delete(index))
      case .moreTapped:
        state.destination = .confirm(
          ConfirmationDialogState {
            TextState("More")
          } actions: {
            ButtonState(action: .archive) { TextState("Archive") }
          }
        )
      case .pageTapped: state.destination = .page(number: 1, of: "Kim")
      case .destination(.presented(.add(.delegate(.saved(let title))))):
        state.books.append(title)
      case .destination(.presented(.alert(.deleteConfirmed(let index)))):
        state.books.remove(at: index)
      case .destination(.presented(.confirm(.archive))): state.books = []
      case .destination: break
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension Shelf.Destination.State: Equatable {}

extension AlertState where Action == Shelf.Destination.Alert {
  static func delete(_ index: Int) -> Self {
    Self {
      TextState("Delete?")
    } actions: {
      ButtonState(role: .destructive, action: .deleteConfirmed(index)) { TextState("Delete") }
      ButtonState(role: .cancel) { TextState("Keep") }
    }
  }
}

@MainActor
@Suite("Documented destinations")
struct DestinationDocumentationTests {
  let store = Store(initialState: Shelf.State()) { Shelf() }

  @Test("A presented feature changes its state, informs its parent and dismisses itself")
  func form() async {
    store.send(.addTapped)
    store.send(.destination(.presented(.add(.titleChanged("Emma")))))
    #expect(store.destination?.add?.title == "Emma")
    #expect(store.destination?.is(\.add) == true)
    await store.send(.destination(.presented(.add(.delegate(.saved("Emma")))))).finish()
    #expect(store.books == ["Kim", "Emma"])
    #expect(store.destination == nil)
  }

  @Test("An alert is dismissed by its button")
  func alert() {
    store.send(.deleteTapped(0))
    #expect(store.destination?.alert?.title == TextState("Delete?"))
    store.send(.destination(.presented(.alert(.deleteConfirmed(0)))))
    #expect(store.books.isEmpty && store.destination == nil)
  }

  @Test("A confirmation dialog is dismissed by its button")
  func dialog() {
    store.send(.moreTapped)
    #expect(store.destination?.confirm?.buttons.count == 1)
    store.send(.destination(.presented(.confirm(.archive))))
    #expect(store.books.isEmpty && store.destination == nil)
  }

  @Test("A destination case without a feature holds a plain value")
  func plain() {
    store.send(.pageTapped)
    #expect(store.destination == .page(number: 1, of: "Kim"))
    #expect(store.destination?.page?.of == "Kim")
    store.send(.destination(.dismiss))
    #expect(store.destination == nil)
  }

  @Test("The store of a presented form is scoped from the presented enum")
  func scopes() {
    store.send(.addTapped)
    let child = store.scope(\.destination?.add, action: \.destination.add)
    child?.send(.titleChanged("Emma"))
    #expect(store.destination?.add?.title == "Emma")
    guard case .add(let form)? = store.scope(\.destination, action: \.destination)?.case else {
      Issue.record("no store")
      return
    }
    #expect(form.title == "Emma")
  }
}
