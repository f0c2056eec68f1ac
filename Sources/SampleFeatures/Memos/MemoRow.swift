package import Foundation
package import TCACore

/// A row of the list: a memo and its playback position.
@Reducer
package struct MemoRow: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package var memo: Memo
    package var playback: Playback = .stopped
    @SharedReader(.playbackRate) package var rate

    package init(memo: Memo) {
      self.memo = memo
    }

    package var id: Memo.ID { memo.id }
  }

  @CasePathable
  @dynamicMemberLookup
  package enum Playback: Equatable, Sendable {
    case stopped
    case playing(second: Int)
    case paused(second: Int)
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case deleteButtonTapped
    case playButtonTapped
    case played(Result<Bool, any Error>)
    case renameButtonTapped
    case sliderMoved(to: Int)
    case stop
    case ticked

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case deletes
      case failed
      case plays
      case renames
    }
  }

  private enum CancelID { case playback }

  @Dependency(\.audioPlayer) private var player
  @Dependency(\.continuousClock) private var clock

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .deleteButtonTapped:
        return .send(.delegate(.deletes))
      case .playButtonTapped:
        switch state.playback {
        case .playing(let second):
          state.playback = .paused(second: second)
          return .cancel(id: CancelID.playback)
        case .paused(let second):
          return play(from: second, &state).merge(with: .send(.delegate(.plays)))
        case .stopped:
          return play(from: 0, &state).merge(with: .send(.delegate(.plays)))
        }
      case .played(.success):
        state.playback = .stopped
        return .cancel(id: CancelID.playback)
      case .played(.failure):
        state.playback = .stopped
        return .merge(.cancel(id: CancelID.playback), .send(.delegate(.failed)))
      case .renameButtonTapped:
        return .send(.delegate(.renames))
      case .sliderMoved(let second):
        let second = min(max(second, 0), state.memo.seconds)
        guard state.playback.is(\.playing) else {
          state.playback = .paused(second: second)
          return .none
        }
        return play(from: second, &state)
      case .stop:
        state.playback = .stopped
        return .cancel(id: CancelID.playback)
      case .ticked:
        guard let second = state.playback.playing, second < state.memo.seconds else { return .none }
        state.playback = .playing(second: second + 1)
        return .none
      case .delegate:
        return .none
      }
    }
  }

  /// Plays the memo and counts the seconds; cancels an earlier playback.
  private func play(from second: Int, _ state: inout State) -> Effect<Action> {
    state.playback = .playing(second: second)
    return .merge(
      .run(name: "play", input: second) { [id = state.id, rate = state.rate] send in
        await send(
          .played(
            Result {
              try await player.play(memo: id, second: second, rate: rate)
              return true
            }
          )
        )
      },
      .run(name: "tick") { [rate = state.rate] send in
        for await _ in clock.timer(interval: .seconds(1 / rate)) { await send(.ticked) }
      }
    )
    .cancellable(id: CancelID.playback, cancelInFlight: true)
  }
}

/// A voice memo.
@LogValue
package struct Memo: Equatable, Identifiable, Sendable {
  package let id: UUID
  package var title: String
  package let date: Date
  package let seconds: Int

  package init(id: UUID, title: String = "", date: Date, seconds: Int) {
    self.id = id
    self.title = title
    self.date = date
    self.seconds = seconds
  }
}

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  /// The setting for a confirmation before a memo is deleted.
  package static var confirmsDeletion: Self {
    Self[.appStorage("confirmsDeletion"), default: true]
  }
}

extension SharedKey where Self == AppStorageKey<Double>.Default {
  /// The setting for the playback rate; 1 is the original speed.
  package static var playbackRate: Self {
    Self[.appStorage("playbackRate"), default: 1]
  }
}
