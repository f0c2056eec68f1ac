import ActionLog

/// Follows a state from action to action and writes what changes in it.
///
/// Two ways lead there. The state before an action and the state after it are walked in step, which costs what has changed;
/// of what lies behind references a written copy is kept, for both states show the same there. Where the state before the
/// action is not the one after the last, or where what is written is not what is in the state, all of it is written for
/// each action and the texts are compared.
package struct StateTracker: Sendable {
  /// Compares states in step, and keeps what was written of values behind references when it does.
  private var patch: PatchBuilder
  private var written: Written?

  /// The state as it was last written, as text and as a value.
  private struct Written {
    var text: [UInt8]
    var json: JSON
  }

  /// A tracker that has seen no state.
  ///
  /// - Parameters:
  ///   - isOnlyWriter: Whether no one but the tracked reducer changes the state between two actions.
  ///   - splices: Whether long texts that change in a part are spliced, which the log's header has to say.
  package init(isOnlyWriter: Bool, splices: Bool) {
    patch = PatchBuilder(copies: isOnlyWriter ? WrittenCopies() : nil)
    patch.splices = splices
  }

  /// Whether the state can change where it is, because parts of it lie behind references.
  package var holdsReferences: Bool { patch.copies?.isEmpty != true }

  /// Whether a state shows all that it was, as long as a copy is kept.
  package var isPlain: Bool { comparesInStep && !holdsReferences }

  /// Whether the state before an action is asked for.
  package var comparesInStep: Bool { patch.copies != nil }

  /// Begins with a state.
  ///
  /// - Returns: The state as it is written.
  package mutating func begin<State>(_ state: State) -> JSON {
    let written = write(state)
    guard comparesInStep else {
      self.written = written
      return written.json
    }
    patch.copy(state)
    return written.json
  }

  /// Begins with a state of which nobody asks how it is written.
  package mutating func follow<State>(_ state: State) {
    if comparesInStep { patch.copy(state) } else { written = write(state) }
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
    patch.write(to: &encoder) { compare(old, new, &$0) }
  }

  /// Writes the operations that turn the state as it was written last into the state as it is.
  ///
  /// - Parameters:
  ///   - state: The state, which nobody but others can have changed where states are compared in step.
  ///   - encoder: An encoder that has opened the array of operations.
  package mutating func write<State>(_ state: State, into encoder: inout LogEncoder) {
    guard comparesInStep else { return compareWritten(state, into: &encoder) }
    write(from: state, to: state, by: { old, new, patch in patch.value(old, new) }, into: &encoder)
  }

  private mutating func compareWritten<State>(_ state: State, into encoder: inout LogEncoder) {
    var text = LogEncoder()
    text.value(state)
    guard text.bytes != written?.text else { return }
    let new = write(state)
    let changes = JSON.Patch(
      from: written?.json ?? .null,
      to: new.json,
      splices: patch.splices
    )
    for operation in changes.operations { encoder.value(operation.json) }
    written = new
  }

  private func write<State>(_ state: State) -> Written {
    var text = LogEncoder()
    text.value(state)
    return Written(text: text.bytes, json: JSON(written: text))
  }
}
