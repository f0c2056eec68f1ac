package import TCACore

/// An app that records and plays voice memos.
@Reducer
package struct Memos: Sendable {
  /// The control at the bottom of the list.
  @Reducer
  package enum Panel {
    case asking
    case denied
    case recording(Recording)
  }

  @Reducer
  package enum Destination {
    case alert(AlertState<Memos.Alert>)
    case delete(ConfirmationDialogState<Memos.Delete>)
    case rename(RenameMemo)
    case settings(MemoSettings)
  }

  @CasePathable
  package enum Alert: Equatable, Sendable { case recordAgain }

  @CasePathable
  package enum Delete: Equatable, Sendable {
    case confirmed(Memo.ID)
    case confirmedAlways(Memo.ID)
  }

  /// A deleted memo that can be restored.
  @LogValue
  package struct Deletion: Equatable, Sendable {
    package let memo: Memo
    package let index: Int

    package init(memo: Memo, index: Int) {
      self.memo = memo
      self.index = index
    }
  }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var memos: IdentifiedArrayOf<MemoRow.State>
    package var panel: Panel.State?
    package var deletion: Deletion?
    @Shared(.confirmsDeletion) package var confirmsDeletion
    @Presents package var destination: Destination.State?

    package init(memos: [Memo] = []) {
      self.memos = IdentifiedArray(uniqueElements: memos.map { MemoRow.State(memo: $0) })
    }
  }

  package enum Action: Sendable {
    case destination(PresentationAction<Destination.Action>)
    case memos(IdentifiedActionOf<MemoRow>)
    case openSettingsButtonTapped
    case panel(Panel.Action)
    case permissionResponse(Bool)
    case recordButtonTapped
    case settingsButtonTapped
    case undoButtonTapped
    case undoExpired
  }

  private enum CancelID { case undo }

  @Dependency(\.audioRecorder) private var recorder
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date) private var date
  @Dependency(\.permissions) private var permissions
  @Dependency(\.uuid) private var uuid

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .destination(.presented(let action)):
        return presented(&state, action)
      case .memos(.element(let id, .delegate(let delegate))):
        return row(id, &state, delegate)
      case .openSettingsButtonTapped:
        state.panel = nil
        return .run { _ in await permissions.openSettings() }
      case .panel(.recording(.delegate(let delegate))):
        return recorded(&state, delegate)
      case .permissionResponse(let isGranted):
        guard isGranted else {
          state.panel = .denied
          return .none
        }
        return record(&state)
      case .recordButtonTapped:
        return recordButtonTapped(&state)
      case .settingsButtonTapped:
        state.destination = .settings(MemoSettings.State())
        return .none
      case .undoButtonTapped:
        guard let deletion = state.deletion else { return .none }
        state.deletion = nil
        let index = min(deletion.index, state.memos.count)
        state.memos.insert(MemoRow.State(memo: deletion.memo), at: index)
        return .cancel(id: CancelID.undo)
      case .undoExpired:
        state.deletion = nil
        return .none
      case .destination, .memos, .panel:
        return .none
      }
    }
    .forEach(\.memos, action: \.memos) { MemoRow() }
    .ifLet(\.panel, action: \.panel) { Panel.body }
    .ifLet(\.$destination, action: \.destination)
  }

  private func presented(
    _ state: inout State,
    _ action: Destination.Action
  ) -> Effect<Action> {
    switch action {
    case .alert(.recordAgain):
      return .send(.recordButtonTapped)
    case .delete(.confirmed(let id)):
      return delete(id, &state)
    case .delete(.confirmedAlways(let id)):
      state.$confirmsDeletion.withLock { $0 = false }
      return delete(id, &state)
    case .rename(.delegate(.renamed(let id, let title))):
      state.memos[id: id]?.memo.title = title
      return .none
    case .rename, .settings:
      return .none
    }
  }

  private func row(
    _ id: Memo.ID,
    _ state: inout State,
    _ delegate: MemoRow.Action.Delegate
  ) -> Effect<Action> {
    switch delegate {
    case .deletes:
      guard state.confirmsDeletion else { return delete(id, &state) }
      state.destination = .delete(.delete(id))
      return .none
    case .failed:
      state.destination = .alert(.notPlayed)
      return .none
    case .plays:
      // Only one memo is played at a time.
      return silence(&state, except: id)
    case .renames:
      guard let memo = state.memos[id: id]?.memo else { return .none }
      state.destination = .rename(RenameMemo.State(memo: memo))
      return .none
    }
  }

  private func silence(_ state: inout State, except id: Memo.ID? = nil) -> Effect<Action> {
    .merge(
      state.memos
        .filter { $0.id != id && $0.playback != .stopped }
        .map { .send(.memos(.element(id: $0.id, action: .stop))) }
    )
  }

  private func recordButtonTapped(_ state: inout State) -> Effect<Action> {
    guard state.panel == nil || state.panel == .denied else { return .none }
    switch permissions.microphone() {
    case .denied:
      state.panel = .denied
      return .none
    case .granted:
      return record(&state)
    case .undetermined:
      state.panel = .asking
      return .run(name: "permission") { send in
        await send(.permissionResponse(permissions.requestMicrophone()))
      }
    }
  }

  private func record(_ state: inout State) -> Effect<Action> {
    state.panel = .recording(Recording.State(id: uuid(), date: date.now))
    return .merge(silence(&state), .send(.panel(.recording(.task))))
  }

  private func recorded(
    _ state: inout State,
    _ delegate: Recording.Action.Delegate
  ) -> Effect<Action> {
    state.panel = nil
    switch delegate {
    case .discarded:
      break
    case .failed(let error):
      state.destination = .alert(.notRecorded(error))
    case .finished(let memo):
      state.memos.insert(MemoRow.State(memo: memo), at: 0)
    }
    return .none
  }

  /// Removes a memo and ends its playback; deletes its file once the memo can't be restored.
  private func delete(_ id: Memo.ID, _ state: inout State) -> Effect<Action> {
    guard let index = state.memos.index(id: id) else { return .none }
    let previous = state.deletion?.memo.id
    state.deletion = Deletion(memo: state.memos.remove(at: index).memo, index: index)
    let expire: Effect<Action> = .run(name: "expire") { send in
      try await clock.sleep(for: .seconds(5))
      await send(.undoExpired)
      try? await recorder.delete(memo: id)
    }
    .cancellable(id: CancelID.undo, cancelInFlight: true)
    guard let previous else { return expire }
    return .merge(
      expire,
      .run(name: "delete previous") { _ in try? await recorder.delete(memo: previous) }
    )
  }
}

extension Memos.Panel.State: Equatable, Sendable {}
extension Memos.Panel.Action: Sendable {}
extension Memos.Destination.State: Equatable, Sendable {}
extension Memos.Destination.Action: Sendable {}

extension AlertState where Action == Memos.Alert {
  package static let notPlayed = Self { TextState("The memo cannot be played") }

  package static func notRecorded(_ error: AudioError?) -> Self {
    Self {
      TextState("Nothing was recorded")
    } actions: {
      if error != .noRoom { ButtonState(action: .recordAgain) { TextState("Try again") } }
      ButtonState(role: .cancel) { TextState("OK") }
    } message: {
      switch error {
      case .noMicrophone: TextState("There is no microphone.")
      case .noRoom: TextState("There is no room left on the device.")
      case .noFile, nil: TextState("Something went wrong.")
      }
    }
  }
}

extension ConfirmationDialogState where Action == Memos.Delete {
  package static func delete(_ id: Memo.ID) -> Self {
    Self(titleVisibility: .hidden) {
      TextState("Delete this memo?")
    } actions: {
      ButtonState(role: .destructive, action: .confirmed(id)) { TextState("Delete") }
      ButtonState(role: .destructive, action: .confirmedAlways(id)) {
        TextState("Delete, and don't ask again")
      }
      ButtonState(role: .cancel) { TextState("Keep") }
    }
  }
}

/// A sheet that renames a memo.
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

/// A sheet with the app's settings.
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
