import Foundation
import TCACore
import Testing

private enum NumberKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 10
}

extension DependencyValues {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

/// The value of a dependency in each context.
@MainActor
@Suite struct DependencyTests {
  private struct Reader {
    @Dependency(\.number) var number
    @Dependency(NumberKey.self) var byKey
  }

  @Test func `the context selects the value of a dependency that is not overridden`() {
    #expect(Reader().number == 10)
    #expect(
      withDependencies {
        $0.context = .live
      } operation: {
        Reader().number
      } == 1
    )
    #expect(
      withDependencies {
        $0.context = .replay
      } operation: {
        Reader().byKey
      } == 1
    )
  }

  @Test
  func `current values of dependencies take precedence over the values captured by a property`() {
    let reader = withDependencies {
      $0.number = 2
    } operation: {
      Reader()
    }
    #expect(reader.number == 2)
    #expect(
      withDependencies {
        $0.number = 3
      } operation: {
        reader.number
      } == 3
    )
    let date = Date(timeIntervalSince1970: 1)
    #expect(
      withDependencies {
        $0.date = .constant(date)
      } operation: {
        reader.number
      } == 2
    )
  }

  @Test func `withEscapedDependencies applies captured dependencies after its call`() {
    let escaped = withDependencies {
      $0.number = 2
    } operation: {
      withEscapedDependencies { $0 }
    }
    #expect(Reader().number == 10)
    #expect(escaped.yield { Reader().number } == 2)
  }

  @Test func `a dependency's key path can continue to a member`() {
    @Dependency(\.date.now) var now
    let date = Date(timeIntervalSince1970: 1)
    #expect(
      withDependencies {
        $0.date.now = date
      } operation: {
        now
      } == date
    )
  }

  @Test func `incrementing uuids start at zero for each override`() {
    @Dependency(\.uuid) var uuid
    for _ in 1...2 {
      withDependencies {
        $0.uuid = .incrementing
      } operation: {
        #expect(uuid() == UUID(0))
        #expect(uuid() == UUID(1))
      }
    }
    #expect(UUID(255).uuidString == "00000000-0000-0000-0000-0000000000FF")
    #expect(UUID(-1) != UUID(1))
  }

  // MARK: Stores

  private enum Action: Sendable {
    case tap
    case response(Int)
  }

  private func chain(_ wrap: Bool) -> Reduce<[Int], Action> {
    Reduce { state, action in
      if case .response(let number) = action { state.append(number) }
      guard state.count < 3 else { return .none }
      @Dependency(\.number) var base
      return withDependencies {
        if wrap { $0.number += 1 }
      } operation: {
        .run { send in
          @Dependency(\.number) var number
          await send(.response(number))
        }
      }
    }
  }

  @Test func `withDependencies around an effect applies to that effect only`() async {
    let store = Store(initialState: [Int]()) {
      chain(true)
    } withDependencies: {
      $0.number = 0
    }
    await store.send(.tap).finish()
    #expect(store.state == [1, 1, 1])
  }

  @Test func `a dependency set on a reducer applies to effects that later actions start`() async {
    let store = Store(initialState: [Int]()) {
      CombineReducers { chain(false) }
        .dependency(\.number, 42)
        .dependency(\.number, 1729)
    }
    await store.send(.tap).finish()
    #expect(store.state == [42, 42, 42])
  }

  @Test func `a store creates its state and its reducer with the overridden dependencies`() {
    struct State {
      let made: Int
      init() {
        @Dependency(\.number) var number
        made = number
      }
    }
    struct Feature: Reducer {
      let captured: Int
      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        #expect(captured == 7)
        return .none
      }
    }
    @Dependency(\.number) var number
    let store = Store(initialState: State()) {
      Feature(captured: number)
    } withDependencies: {
      $0.number = 7
    }
    store.send(0)
    #expect(store.made == 7)
  }
}
