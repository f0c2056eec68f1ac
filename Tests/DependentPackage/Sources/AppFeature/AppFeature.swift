// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written like an app, which documents only what its code does not show.

import Foundation
import TCACore

/// A greeting that arrives with a delay.
@Reducer
public struct AppFeature: Sendable {
  @ObservableState
  public struct State: Equatable, Sendable {
    public var name = ""
    public var greetings: [Greeting] = []
    public var seen: Set<String> = []

    public init() {}
  }

  @LogValue
  public struct Greeting: Equatable, Sendable {
    public var id: UUID
    public var text: String
  }

  public enum Action: Sendable {
    case nameChanged(String)
    case greetButtonTapped
    case greeted(Result<Greeting, GreetingError>)
  }

  @LogValue
  public enum GreetingError: Error, Equatable {
    case nobody
  }

  @Dependency(\.uuid) private var uuid

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      print("handling", action)
      if getenv("APP_ASKS") != nil, let typed = readLine() { state.name = typed }
      switch action {
      case .nameChanged(let name):
        state.name = name
        state.seen.insert(name)
        return .none
      case .greetButtonTapped:
        let id = uuid()
        return .run(name: "greet") { [name = state.name] send in
          await send(
            .greeted(
              name.isEmpty ? .failure(.nobody) : .success(Greeting(id: id, text: "Hi, \(name)"))
            )
          )
        }
      case .greeted(.success(let greeting)):
        state.greetings.append(greeting)
        return .none
      case .greeted(.failure):
        return .send(.nameChanged("nobody"))
      }
    }
  }
}
