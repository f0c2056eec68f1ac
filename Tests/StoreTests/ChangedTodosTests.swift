import Foundation
import SampleFeatures
import TCACore
import TCATesting
import Testing

/// A change of the feature that a mistake could cause.
enum FeatureChange: String, CaseIterable, Sendable {
  case stateIsKept, stateIsAdded, effectIsGone, effectIsAdded, effectIsNotCancelled, actionIsAdded,
    otherIsSent,
    dateIsOther, idIsSkipped
}

/// The to-do list with one change.
struct ChangedTodos: Reducer {
  /// The change that is active in a test.
  @TaskLocal static var change: FeatureChange?

  private let change = Self.change
  private let base = Todos()
  @Dependency(\.uuid) private var uuid

  func reduce(into state: inout Todos.State, action: Todos.Action) -> Effect<Todos.Action> {
    if change == .idIsSkipped, case .addButtonTapped = action { _ = uuid() }
    let wasSaving = state.isSaving
    let effect = base.reduce(into: &state, action: action)
    switch (change, action) {
    case (.stateIsKept, .saved): state.isSaving = wasSaving
    case (.stateIsAdded, .doneToggled): state.filter = .active
    case (.effectIsGone, .doneToggled): return .none
    case (.effectIsAdded, .filterPicked): return .run { _ in }
    case (.effectIsNotCancelled, .titleChanged): return effect.withoutCancellation
    case (.actionIsAdded, .deleted): return .merge(.send(.filterPicked(.all)), effect)
    case (.otherIsSent, .clearCompletedButtonTapped):
      return .merge(.send(.filterPicked(.active)), effect.runs)
    case (.dateIsOther, .addButtonTapped):
      state.todos[0] = Todos.Todo(id: state.todos[0].id, addedAt: .distantPast)
    default: break
    }
    return effect
  }
}

extension Effect {
  /// The effect without its cancellation.
  fileprivate var withoutCancellation: Effect {
    guard case .cancellable(let inner, _, _) = operation else { return self }
    return inner
  }

  /// The effect without the actions that it sends immediately.
  fileprivate var runs: Effect {
    guard case .merge(let parts) = operation else { return self }
    return .merge(parts.filter { if case .send = $0.operation { false } else { true } })
  }
}

/// Generated steps check the recorded behavior: they pass with the original feature and fail with each change.
@MainActor @Suite struct ChangedTodosTests {
  @Test func `a generated test passes with the feature that was recorded`() async throws {
    try await changedTodosSteps()
  }

  @Test(arguments: FeatureChange.allCases)
  func `a generated test fails with a changed feature`(_ change: FeatureChange) async {
    await withKnownIssue {
      try await ChangedTodos.$change.withValue(change) { try await changedTodosSteps() }
    }
  }
}
