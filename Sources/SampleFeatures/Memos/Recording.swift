package import Foundation
package import TCACore

/// A recording in progress.
@Reducer
package struct Recording: Sendable {
  @ObservableState
  package struct State: Equatable, Sendable {
    package let id: UUID
    package let date: Date
    package var mode: Mode = .starting
    package var seconds = 0
    /// The most recent audio levels, for the waveform.
    package var levels: [Int] = []
    @Presents package var dialog: ConfirmationDialogState<Action.Dialog>?

    package init(id: UUID, date: Date) {
      self.id = id
      self.date = date
    }

    /// The maximum duration of a recording in seconds.
    package static let limit = 3600
    fileprivate static let levelCount = 4
  }

  @CasePathable
  package enum Mode: Equatable, Sendable {
    case starting
    case recording
    case paused(Pause)
    case stopping
  }

  /// The cause of a pause.
  @LogValue
  package enum Pause: Equatable, Sendable {
    case user, call
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case dialog(PresentationAction<Dialog>)
    case discardButtonTapped
    case interrupted(Bool)
    case levelMeasured(Int)
    case pauseButtonTapped
    case started(Result<Bool, any Error>)
    case stopButtonTapped
    case stopped(Result<Int, any Error>)
    case task
    case ticked

    @CasePathable
    package enum Dialog: Equatable, Sendable { case discard }

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case discarded
      case failed(AudioError?)
      case finished(Memo)
    }
  }

  private enum CancelID { case timer, microphone }

  @Dependency(\.audioRecorder) private var recorder
  @Dependency(\.continuousClock) private var clock

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .dialog(.presented(.discard)):
        return .concatenate(
          .cancel(id: CancelID.timer),
          .cancel(id: CancelID.microphone),
          .run(name: "discard") { [id = state.id] send in
            _ = try? await recorder.stop()
            try? await recorder.delete(memo: id)
            await send(.delegate(.discarded))
          }
        )
      case .discardButtonTapped:
        state.dialog = .discard
        return .none
      case .interrupted(true):
        return state.mode == .recording ? pause(.call, &state) : .none
      case .interrupted(false):
        return state.mode == .paused(.call) ? resume(&state) : .none
      case .levelMeasured(let level):
        guard state.mode == .recording else { return .none }
        state.levels = (state.levels + [level]).suffix(State.levelCount)
        return .none
      case .pauseButtonTapped:
        switch state.mode {
        case .recording: return pause(.user, &state)
        case .paused: return resume(&state)
        case .starting, .stopping: return .none
        }
      case .started(.success):
        state.mode = .recording
        return .merge(tick(), listen())
      case .started(.failure(let error)), .stopped(.failure(let error)):
        return .send(.delegate(.failed(error as? AudioError)))
      case .stopButtonTapped:
        return stop(&state)
      case .stopped(.success):
        let memo = Memo(id: state.id, date: state.date, seconds: state.seconds)
        return .send(.delegate(.finished(memo)))
      case .task:
        return .run(name: "start") { [id = state.id] send in
          await send(
            .started(
              Result {
                try await recorder.start(memo: id)
                return true
              }
            )
          )
        }
      case .ticked:
        state.seconds += 1
        return state.seconds == State.limit ? .send(.stopButtonTapped) : .none
      case .delegate, .dialog:
        return .none
      }
    }
    .ifLet(\.$dialog, action: \.dialog)
  }

  private func tick() -> Effect<Action> {
    .run(name: "tick") { send in
      for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
    }
    .cancellable(id: CancelID.timer, cancelInFlight: true)
  }

  private func listen() -> Effect<Action> {
    .merge(
      .run(name: "levels") { send in
        for await level in recorder.levels() { await send(.levelMeasured(level)) }
      },
      .run(name: "interruptions") { send in
        for await isCalling in recorder.interruptions() { await send(.interrupted(isCalling)) }
      }
    )
    .cancellable(id: CancelID.microphone)
  }

  private func pause(_ pause: Pause, _ state: inout State) -> Effect<Action> {
    state.mode = .paused(pause)
    return .merge(.cancel(id: CancelID.timer), .run(name: "pause") { _ in await recorder.pause() })
  }

  private func resume(_ state: inout State) -> Effect<Action> {
    state.mode = .recording
    return .merge(tick(), .run(name: "resume") { _ in await recorder.resume() })
  }

  private func stop(_ state: inout State) -> Effect<Action> {
    guard state.mode == .recording || state.mode.is(\.paused) else { return .none }
    state.mode = .stopping
    return .merge(
      .cancel(id: CancelID.timer),
      .cancel(id: CancelID.microphone),
      .run(name: "stop") { send in
        await send(.stopped(Result { try await recorder.stop() }))
      }
    )
  }
}

extension ConfirmationDialogState where Action == Recording.Action.Dialog {
  package static let discard = Self {
    TextState("Discard this recording?")
  } actions: {
    ButtonState(role: .destructive, action: .discard) { TextState("Discard") }
    ButtonState(role: .cancel) { TextState("Go on") }
  }
}
