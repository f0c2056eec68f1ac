/// Says what changes in a value, such as the state of a feature, as the log has it.
///
/// ```swift
/// var tracker = StateTracker()
/// tracker.begin(Counter(count: 1))  // {"count":1}
/// tracker.patch(from: Counter(count: 1), to: Counter(count: 2))
/// // [{"op":"replace","path":"/count","value":2}]
/// ```
///
/// The state before an action and the state after it are walked in step, which costs what has changed; of what lies behind
/// references a written copy is kept, for both states show the same there. Where the state before the action is not the one
/// after the last, the tracker keeps the last one itself. It does not keep objects, which would live longer for that: of a state
/// that may hold some all is written for each action then, and the texts are compared.
///
/// All values given to one tracker are of one type. It is not copyable: each copy would retain all that it holds.
public struct StateTracker: ~Copyable, Sendable {
  /// Compares states in step, and keeps what was written of values behind references when it does.
  private var builder: PatchBuilder
  private var last: Last?

  /// The state as it was last seen.
  private enum Last: Sendable {
    case state(PlainCopy)
    case text([UInt8])
  }

  /// A tracker that has seen no state.
  ///
  /// - Parameters:
  ///   - ownsState: Whether no one but the tracked reducer changes the state between two actions.
  ///   - splices: Whether long texts that change in a part are spliced, which the log's header has to say; else they are
  ///     replaced, as RFC 6902 knows it.
  public init(ownsState: Bool = true, splices: Bool = false) {
    builder = PatchBuilder(copies: ownsState ? WrittenCopies() : nil)
    builder.splices = splices
  }

  /// A tracker for a masker.
  ///
  /// - Parameters:
  ///   - ownsState: As for the others.
  ///   - marks: What is marked in the text.
  package init(ownsState: Bool, marking marks: LogMarkings?) {
    builder = PatchBuilder(copies: ownsState ? WrittenCopies() : nil)
    builder.splices = marks == nil
    builder.marks = marks
  }

  /// Begins with a state.
  ///
  /// - Returns: The state as it is written.
  public mutating func begin<State>(_ state: State) -> JSON {
    track(state)
    return JSON(logging: state, marking: builder.marks)
  }

  /// The patch that turns the state before an action into the state after it.
  ///
  /// - Parameters:
  ///   - old: The state before the action. Not looked at by a tracker that does not own the state: it is compared with
  ///     what was written of it last.
  ///   - new: The state after the action.
  /// - Returns: The operations; none when nothing has changed.
  public mutating func patch<State>(from old: State, to new: State) -> JSON.Patch {
    written { tracker, encoder in tracker.write(from: old, to: new, into: &encoder) }
  }

  /// The patch that turns the last written state into this one.
  ///
  /// - Parameter state: The state; a tracker that owns the state looks at what lies behind references alone.
  /// - Returns: The operations; none when nothing has changed.
  public mutating func patch<State>(to state: State) -> JSON.Patch {
    written { tracker, encoder in tracker.write(state, into: &encoder) }
  }

  private mutating func written(
    _ write: (inout StateTracker, inout LogEncoder) -> Void
  ) -> JSON.Patch {
    var encoder = LogEncoder()
    encoder.marks = builder.marks
    encoder.beginArray()
    write(&self, &encoder)
    encoder.endArray()
    // What this process has just written can be read.
    return encoder.count == 2
      ? JSON.Patch() : (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }
}

// What a recorder needs to write lines without trees.
extension StateTracker {
  /// Whether a state shows all that it was, as long as a copy is kept: the tracker owns the state, and has met no references.
  package var isPlain: Bool { builder.copies?.isEmpty == true }

  /// Whether the state is as it was written last, as far as that is known without a look at it.
  package var isCurrent: Bool { builder.copies?.areCurrent == true }

  /// What is kept from action to action.
  package var kept: [any Sendable] {
    guard let last else { return [builder] }
    return [builder, last]
  }

  private var comparesInStep: Bool { builder.copies != nil }

  /// Begins with a state that is not written.
  package mutating func track<State>(_ state: State) {
    if comparesInStep { followReferences { $0.copy(state) } } else { store(state) }
  }

  /// Lets the builder look at all that lies behind references.
  private mutating func followReferences(_ look: (inout PatchBuilder) -> Void) {
    // Before it looks: what is written meanwhile is looked at again.
    let lastWrite = WriteStamp.last
    look(&builder)
    builder.copies?.didCompare(since: lastWrite)
  }

  /// Writes the operations of `patch(from:to:)`.
  ///
  /// - Parameters:
  ///   - old: The state before the action.
  ///   - new: The state after the action.
  ///   - encoder: An encoder that has opened the array of operations.
  package mutating func write<State>(
    from old: State,
    to new: State,
    into encoder: inout LogEncoder
  ) {
    guard comparesInStep else { return write(new, into: &encoder) }
    followReferences { $0.write(to: &encoder) { $0.value(old, new) } }
  }

  /// Writes the operations of `patch(to:)`.
  ///
  /// - Parameters:
  ///   - state: The state; where states are compared in step, only others can have changed it.
  ///   - encoder: An encoder that has opened the array of operations.
  package mutating func write<State>(_ state: State, into encoder: inout LogEncoder) {
    switch last {
    case .state(let copy):
      guard let last = copy.value(as: State.self) else { break }
      builder.write(to: &encoder) { $0.value(last, state) }
    case .text(let text):
      let new = self.text(of: state)
      guard text != new else { return }
      builder.write(to: &encoder) { $0.texts(from: text, to: new) }
      self.last = .text(new)
      return
    case nil:
      return followReferences { $0.write(to: &encoder) { $0.value(state, state) } }
    }
    store(state)
  }

  private mutating func store<State>(_ state: State) {
    last = PlainCopy(state, &builder.types).map { .state($0) } ?? .text(text(of: state))
  }

  private func text<State>(of state: State) -> [UInt8] {
    LogEncoder(writing: state, marking: builder.marks).releaseBytes()
  }
}
