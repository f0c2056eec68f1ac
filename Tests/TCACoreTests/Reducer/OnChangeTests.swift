import TCACore
import Testing

/// A response to the change of a value.
@MainActor
@Suite struct OnChangeTests {
  private struct State {
    var number = 0
    var log: [String] = []
  }

  private enum Action {
    case set(Int)
    case setLater(Int)
    case note(String)
  }

  private var setting: Reduce<State, Action> {
    Reduce { state, action in
      switch action {
      case .set(let number):
        state.number = number
        return .send(.note("base"))
      case .setLater(let number):
        return .send(.set(number))
      case .note(let text):
        state.log.append(text)
        return .none
      }
    }
  }

  @Test
  func `onChange compares the state before and after its base reducer and merges its effect last`()
  {
    let store = Store(initialState: State()) {
      setting.onChange(of: \.number) { old, state in
        .send(.note("\(old) to \(state.number)"))
      }
      Reduce { state, action in
        // Outside the operator, so the change is not detected.
        if case .note = action { state.number += 1 }
        return .none
      }
    }
    store.send(.set(5))
    #expect(store.log == ["base", "0 to 5"])
    store.send(.set(store.number))
    #expect(store.log == ["base", "0 to 5", "base"])
  }

  @Test func `methods in extensions of Reducer can call onChange without self`() {
    func noting(_ text: String) -> Reduce<State, Action> {
      Reduce { state, _ in
        state.log.append(text)
        return .none
      }
    }
    let store = Store(initialState: State()) {
      setting.sending(.note("sent"), onChangeOf: \.number)
        .running(noting("run"), onChangeOf: \.number)
        .running(noting("run, too"), onChangeOf: \.number, unless: { $0 == $1 })
    }
    store.send(.set(5))
    #expect(store.log == ["run", "run, too", "base", "sent"])
  }

  @Test
  func `onChange does not react to its own change of the value, but to changes by later actions`() {
    let store = Store(initialState: State()) {
      setting.onChange(of: \.number) { old, state in
        state.log.append("\(old) to \(state.number)")
        state.number += 10
        return old == 0 ? .send(.setLater(7)) : .none
      }
    }
    store.send(.set(1))
    #expect(store.log == ["0 to 1", "base", "11 to 7", "base"])
    #expect(store.number == 17)
  }

  @Test func `onChange runs the reducer returned by its closure with the same action`() {
    let store = Store(initialState: State()) {
      setting.onChange(of: \.number) { old, new in
        Reduce { state, action in
          state.log.append("\(action) \(old) \(new)")
          return .none
        }
      }
    }
    store.send(.set(2))
    #expect(store.log == ["set(2) 0 2", "base"])
  }
}

/// Operators that call `onChange(of:)` without `self`. The compiler must not warn about them.
extension Reducer {
  fileprivate func sending<Value: Equatable>(
    _ action: Action,
    onChangeOf value: @escaping (State) -> Value
  ) -> some Reducer<State, Action> {
    onChange(of: value) { _, _ in .send(action) }
  }

  fileprivate func running<Value: Equatable>(
    _ response: Reduce<State, Action>,
    onChangeOf value: @escaping (State) -> Value
  ) -> some Reducer<State, Action> {
    onChange(of: value) { _, _ in response }
  }

  fileprivate func running<Value>(
    _ response: Reduce<State, Action>,
    onChangeOf value: @escaping (State) -> Value,
    unless isDuplicate: @escaping (Value, Value) -> Bool
  ) -> some Reducer<State, Action> {
    onChange(of: value, removeDuplicates: isDuplicate) { _, _ in response }
  }
}
