public import TCACore

/// A text that is saved while one goes on writing, with a race: to try `explore` and `minimize` on, and no example to follow.
@Reducer
public struct Draft: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// What was written.
    public var text = ""
    /// How often the text has changed.
    public var revision = 0
    /// The revision that the server has.
    public var savedRevision = 0
    /// How many letters the text has; counted in the background.
    public var letters = 0
    /// For how long one has been writing, in ticks of the clock.
    public var ticks = 0

    /// An empty draft.
    public init() {}
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// The text field is opened.
    case editButtonTapped
    /// Time goes by.
    case ticked
    /// A letter was typed.
    case typed(String)
    /// The letters have been counted.
    case counted(Int)
    /// The button that saves.
    case saveButtonTapped
    /// The server has a revision.
    case saved(revision: Int)
    /// The text field is closed.
    case doneButtonTapped
  }

  private enum CancelID { case clock, count }

  @Dependency(\.continuousClock) private var clock

  /// A draft.
  public init() {}

  /// What the draft does.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .editButtonTapped:
        return .run(name: "tick") { send in
          while true {
            try await clock.sleep(for: .milliseconds(40))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.clock, cancelInFlight: true)
      case .ticked:
        state.ticks += 1
        return .none
      case .typed(let letters):
        state.text += letters
        state.revision += 1
        return .run(name: "count", input: state.text) { [text = state.text] send in
          try await clock.sleep(for: .milliseconds(2))
          await send(.counted(text.count))
        }
        .cancellable(id: CancelID.count, cancelInFlight: true)
      case .counted(let letters):
        state.letters = letters
        return .none
      case .saveButtonTapped:
        // Wrong: an answer may be overtaken by that of a later save, which nothing cancels or refuses.
        return .run(name: "save", input: state.revision) { [revision = state.revision] send in
          try await clock.sleep(for: .milliseconds(4))
          await send(.saved(revision: revision))
        }
      case .saved(let revision):
        state.savedRevision = revision
        return .none
      case .doneButtonTapped:
        return .cancel(id: CancelID.clock)
      }
    }
  }
}
