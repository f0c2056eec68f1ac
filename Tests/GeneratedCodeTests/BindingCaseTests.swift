import TCACore
import Testing

@Suite("The case for binding actions")
struct BindingCaseTests {
  @Test func `is read by its case path if the macro can name it`() {
    #expect(nameBindings(Named.Action.allCasePaths))
    #expect(Named.Action.set(\.name, "Blob").binding == .set(\.name, "Blob"))
    #expect(Named.Action.tap.binding == nil)
  }

  @Test func `is read by reflection inside a condition`() {
    #expect(!nameBindings(Conditional.Action.allCasePaths))
    #expect(Conditional.Action.set(\.name, "Blob").binding == .set(\.name, "Blob"))
    #expect(Conditional.Action.tap.binding == nil)
  }

  @Test func `is another case with another payload`() {
    #expect(!nameBindings(Other.Action.allCasePaths))
  }
}

/// Returns whether case paths have one for binding actions, with a type that the compiler can't know.
private func nameBindings(_ paths: Any) -> Bool { paths is any _$BindingCasePaths }

@Reducer
private struct Named {
  @ObservableState
  struct State { var name = "" }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case tap
  }
}

@Reducer
private struct Conditional {
  @ObservableState
  struct State { var name = "" }

  enum Action: BindableAction {
    case tap
    #if !NOTHING
    case binding(BindingAction<State>)
    #endif
  }
}

@Reducer
private struct Other {
  struct State {}

  enum Action { case binding(Int) }
}
