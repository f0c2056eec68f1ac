public import TCACore

/// A text that is saved during typing, with a deliberate race as a test case for `explore` and `minimize`.
@Reducer
public struct Draft: Sendable {
  /// The state of the draft.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The text that the user has typed.
    public var text = ""
    /// The number of changes of the text.
    public var revision = 0
    /// The latest revision that the server has confirmed.
    public var savedRevision = 0
    /// The number of letters in the text, counted in the background.
    public var letters = 0
    /// The duration of the editing session in ticks of the clock.
    public var ticks = 0

    /// Creates an empty draft.
    public init() {}
  }

  /// The actions of the draft.
  public enum Action: Equatable, Sendable {
    /// The user opened the text field.
    case editButtonTapped
    /// The clock ticked.
    case ticked
    /// The user typed a letter.
    case typed(String)
    /// The background task has counted the letters.
    case counted(Int)
    /// The user tapped the save button.
    case saveButtonTapped
    /// The server has confirmed a revision.
    case saved(revision: Int)
    /// The user closed the text field.
    case doneButtonTapped
  }

  private enum CancelID { case clock, count }

  @Dependency(\.continuousClock) private var clock

  /// Creates the feature.
  public init() {}

  /// The reducer of the draft.
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
        // Bug: the response to a later save may arrive first, because no save cancels or ignores an earlier one.
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
