// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import TCACore

// Each macro, in the form in which apps use it.

@Reducer
struct Home {
  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var path = StackState<Path.State>()
    var name = ""
    @ObservationStateIgnored var hidden = 0
    @LogIgnored var scratch = 0
  }

  enum Action: ViewAction {
    case view(View)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Path>)

    enum View: BindableAction {
      case binding(BindingAction<State>)
      case saveButtonTapped
    }
  }

  @Reducer
  enum Destination {
    case edit(Edit)
    @ReducerCaseEphemeral case alert(AlertState<Never>)
    @ReducerCaseIgnored case note(String)
  }

  @Reducer
  enum Path {
    case edit(Edit)
  }

  @Dependency(\.saver) var saver

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      if case .view(.saveButtonTapped) = action {
        return .run { [name = state.name] _ in try await saver.save(name: name) }
      }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
  }
}

extension Home.Destination.State: Equatable {}
extension Home.Path.State: Equatable {}

@Reducer
struct Edit {
  @ObservableState
  struct State: Equatable {
    var text = ""
  }

  enum Action {
    case textChanged(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .textChanged(let text): state.text = text
      }
      return .none
    }
  }
}

@CasePathable
enum Shape {
  case circle(radius: Double)
  case none
}

@DependencyClient
struct Saver: Sendable {
  var save: @Sendable (_ name: String) async throws -> Void
  @DependencyEndpoint(method: "find") var load: @Sendable (_ id: Int) throws -> String
}

extension DependencyValues {
  @DependencyEntry var saver: Saver = Saver()
}

@MainActor
@ViewAction(for: Home.self)
struct HomeView {
  let store: StoreOf<Home>

  func tap() { send(.saveButtonTapped) }
}
