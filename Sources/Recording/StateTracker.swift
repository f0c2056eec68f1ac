import ActionLog

/// Follows a state from action to action and writes what changes in it.
///
/// The state before an action and the state after it are walked in step, which costs what has changed; of what lies behind
/// references a written copy is kept, for both states show the same there. Where the state before the action is not the one
/// after the last, the tracker keeps the last one itself. It does not keep objects, which would live longer for that: of a state
/// that may hold some all is written for each action then, and the texts are compared.
package struct StateTracker: Sendable {
  /// Compares states in step, and keeps what was written of values behind references when it does.
  private var patch: PatchBuilder
  private var last: Last?

  /// The state as it was last seen.
  private enum Last: Sendable {
    case state(Copy)
    case text([UInt8])
  }

  private struct Copy: Sendable {
    // A state without references, which no one changes.
    nonisolated(unsafe) let state: Any
  }

  /// A tracker that has seen no state.
  ///
  /// - Parameters:
  ///   - ownsState: Whether no one but the tracked reducer changes the state between two actions.
  ///   - splices: Whether long texts that change in a part are spliced, which the log's header has to say.
  package init(ownsState: Bool, splices: Bool) {
    patch = PatchBuilder(copies: ownsState ? WrittenCopies() : nil)
    patch.splices = splices
  }

  /// Whether a state shows all that it was, as long as a copy is kept: no part of it lies behind references.
  package var isPlain: Bool { patch.copies?.isEmpty == true }

  /// Whether the state is as it was written last, as far as that is known without a look at it.
  package var isCurrent: Bool { patch.copies?.areCurrent == true }

  /// Whether the state before an action is asked for.
  package var comparesInStep: Bool { patch.copies != nil }

  /// Begins with a state.
  ///
  /// - Returns: The state as it is written.
  package mutating func begin<State>(_ state: State) -> JSON {
    follow(state)
    return JSON(logging: state)
  }

  /// Begins with a state of which nobody asks how it is written.
  package mutating func follow<State>(_ state: State) {
    if comparesInStep { followReferences { $0.copy(state) } } else { keep(state) }
  }

  /// Lets the builder look at all that lies behind references.
  private mutating func followReferences(_ look: (inout PatchBuilder) -> Void) {
    // Before it looks: what is written meanwhile is looked at again.
    let lastWrite = WriteStamp.last
    look(&patch)
    patch.copies?.didCompare(since: lastWrite)
  }

  /// Writes the operations that turn the state before an action into the state after it, where they are compared in step.
  ///
  /// - Parameters:
  ///   - old: The state before the action.
  ///   - new: The state after the action.
  ///   - compare: How states are compared.
  ///   - encoder: An encoder that has opened the array of operations.
  package mutating func write<State>(
    from old: State,
    to new: State,
    by compare: LogCoding<State>.Compare,
    into encoder: inout LogEncoder
  ) {
    followReferences { $0.write(to: &encoder) { compare(old, new, &$0) } }
  }

  /// Writes the operations that turn the state as it was written last into the state as it is.
  ///
  /// - Parameters:
  ///   - state: The state, which nobody but others can have changed where states are compared in step.
  ///   - encoder: An encoder that has opened the array of operations.
  package mutating func write<State>(_ state: State, into encoder: inout LogEncoder) {
    switch last {
    case .state(let copy):
      guard let last = copy.state as? State else { break }
      patch.write(to: &encoder) { $0.value(last, state) }
    case .text(let text):
      let new = Self.text(of: state)
      guard text != new else { return }
      patch.write(to: &encoder) { $0.texts(from: text, to: new) }
      self.last = .text(new)
      return
    case nil:
      return followReferences { $0.write(to: &encoder) { $0.value(state, state) } }
    }
    keep(state)
  }

  private mutating func keep<State>(_ state: State) {
    last = patch.isPlain(State.self) ? .state(Copy(state: state)) : .text(Self.text(of: state))
  }

  private static func text<State>(of state: State) -> [UInt8] {
    LogEncoder(writing: state).take()
  }
}
