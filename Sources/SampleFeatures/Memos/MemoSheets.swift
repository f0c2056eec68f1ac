package import TCACore

/// A sheet in which a memo gets another title.
@Reducer
package struct RenameMemo: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package let id: Memo.ID
    package var title: String

    package init(memo: Memo) {
      id = memo.id
      title = memo.title
    }
  }

  package enum Action: Sendable, ViewAction {
    case delegate(Delegate)
    case view(View)

    @CasePathable
    package enum Delegate: Equatable, Sendable { case renamed(Memo.ID, title: String) }

    @CasePathable
    package enum View: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case cancelButtonTapped
      case saveButtonTapped
    }
  }

  @Dependency(\.dismiss) private var dismiss

  package var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(.cancelButtonTapped):
        return .run { _ in await dismiss() }
      case .view(.saveButtonTapped):
        let title = state.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return .run { [id = state.id] send in
          await send(.delegate(.renamed(id, title: title)))
          await dismiss()
        }
      case .delegate, .view:
        return .none
      }
    }
  }
}

/// A sheet with the settings of the app.
@Reducer
package struct MemoSettings: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    @Shared(.confirmsDeletion) package var confirmsDeletion
    @Shared(.playbackRate) package var playbackRate

    package init() {}
  }

  package enum Action: Sendable {
    case confirmsDeletionToggled
    case doneButtonTapped
    case playbackRatePicked(Double)
  }

  @Dependency(\.dismiss) private var dismiss

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .confirmsDeletionToggled:
        state.$confirmsDeletion.withLock { $0.toggle() }
        return .none
      case .doneButtonTapped:
        return .run { _ in await dismiss() }
      case .playbackRatePicked(let rate):
        state.$playbackRate.withLock { $0 = min(max(rate, 0.5), 2) }
        return .none
      }
    }
  }
}
