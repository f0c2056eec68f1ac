/// A tracker that computes the changes to a value, such as the state of a feature, in the form that a log contains.
///
/// ```swift
/// var tracker = StateTracker()
/// tracker.begin(Counter(count: 1))  // {"count":1}
/// tracker.patch(from: Counter(count: 1), to: Counter(count: 2))
/// // [{"op":"replace","path":"/count","value":2}]
/// ```
///
/// The states before and after an action are compared member by member. The cost depends on the size of the change. For
/// values behind references, the tracker stores the last logged values, because both states refer to the same object.
///
/// If the state can change between actions, the tracker also stores the last state itself. It never stores objects,
/// because that would extend their lifetime. A state that can contain objects is therefore encoded completely for each
/// action, and the texts are compared.
///
/// All values given to a tracker must have the same type. The tracker is not copyable, because a copy would retain all
/// stored values.
public struct StateTracker: ~Copyable, Sendable {
  /// The builder that compares states, with the last logged values behind references.
  private var builder: PatchBuilder
  private var last: LastState?

  /// The last known state, as a copy or as text.
  private enum LastState: Sendable {
    case state(SendableCopy)
    case text([UInt8])
  }

  /// Creates a tracker that has no state yet.
  ///
  /// - Parameters:
  ///   - ownsState: Whether only the tracked reducer changes the state, so that it doesn't change between two actions.
  ///   - splices: Whether partial changes to long strings become splices, which the log's header must declare.
  ///     Otherwise, the strings are replaced, as RFC 6902 requires.
  public init(ownsState: Bool = true, splices: Bool = false) {
    builder = PatchBuilder(copies: ownsState ? ReferencedValueCopies() : nil)
    builder.splices = splices
  }

  /// Creates a tracker for a log with masks.
  ///
  /// - Parameters:
  ///   - ownsState: Whether only the tracked reducer changes the state, so that it doesn't change between two actions.
  ///   - marks: The marks to write for the masker, or `nil` for none.
  package init(ownsState: Bool, marking marks: MaskerMarkings?) {
    builder = PatchBuilder(copies: ownsState ? ReferencedValueCopies() : nil)
    builder.splices = marks == nil
    builder.marks = marks
  }

  /// Starts tracking with a state.
  ///
  /// - Returns: The state in the form that a log contains.
  public mutating func begin<State>(_ state: State) -> JSON {
    track(state)
    return JSON(logging: state, marking: builder.marks)
  }

  /// Returns the patch from the state before an action to the state after it.
  ///
  /// - Parameters:
  ///   - old: The state before the action. Ignored by a tracker that doesn't own the state, because it compares with
  ///     the last known state.
  ///   - new: The state after the action.
  /// - Returns: The patch, which is empty if the state has not changed.
  public mutating func patch<State>(from old: State, to new: State) -> JSON.Patch {
    written { tracker, encoder in tracker.write(from: old, to: new, into: &encoder) }
  }

  /// Returns the patch from the last known state to this one.
  ///
  /// - Parameter state: The current state. A tracker that owns the state compares only the values behind references.
  /// - Returns: The patch, which is empty if the state has not changed.
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
    // Parsing can't fail, because this process has written the text.
    return encoder.count == 2
      ? JSON.Patch() : (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }
}

extension StateTracker {
  /// Encodes the parts of a state that can refer to values outside of it, and skips all other parts.
  ///
  /// An implementation of `encode(to:)` can thus find the references in a state.
  ///
  /// ```swift
  /// let mayRefer = StateTracker.encodeReferences(in: state)
  /// ```
  ///
  /// - Parameter state: The state.
  /// - Returns: Whether the type of the state can have such parts.
  public static func encodeReferences<State>(in state: State) -> Bool {
    var builder = PatchBuilder(copies: ReferencedValueCopies())
    guard !builder.isPlain(State.self) else { return false }
    builder.copy(state)
    return true
  }
}

// Recorders use these functions to write lines without creating trees.
extension StateTracker {
  /// Whether a copy of the state is enough to recover its old value.
  ///
  /// `true` if the tracker owns the state and the state contains no references.
  package var isPlain: Bool { builder.copies?.isEmpty == true }

  /// Whether the write stamps prove that the state equals the last logged one.
  package var isCurrent: Bool { builder.copies?.areCurrent == true }

  /// The values that the tracker stores between two actions.
  package var kept: [any Sendable] {
    guard let last else { return [builder] }
    return [builder, last]
  }

  private var comparesInStep: Bool { builder.copies != nil }

  /// Starts tracking with a state, without returning its logged form.
  package mutating func track<State>(_ state: State) {
    if comparesInStep { followReferences { $0.copy(state) } } else { store(state) }
  }

  /// Runs a comparison of all values behind references, and records when it took place.
  private mutating func followReferences(_ look: (inout PatchBuilder) -> Void) {
    // The stamp is read before the comparison, so that values written during the comparison are compared again.
    let lastWrite = WriteStamp.last
    builder.copies?.startComparison()
    look(&builder)
    builder.copies?.didCompare(since: lastWrite)
  }

  /// Writes the operations that `patch(from:to:)` returns.
  ///
  /// - Parameters:
  ///   - old: The state before the action.
  ///   - new: The state after the action.
  ///   - encoder: An encoder in which an array of operations is open.
  package mutating func write<State>(
    from old: State,
    to new: State,
    into encoder: inout LogEncoder
  ) {
    guard comparesInStep else { return write(new, into: &encoder) }
    followReferences { $0.write(to: &encoder) { $0.value(old, new) } }
  }

  /// Writes the operations that `patch(to:)` returns.
  ///
  /// - Parameters:
  ///   - state: The current state. If the tracker owns the state, only values behind references can have changed.
  ///   - encoder: An encoder in which an array of operations is open.
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
    last = SendableCopy(state, &builder.types).map { .state($0) } ?? .text(text(of: state))
  }

  private func text<State>(of state: State) -> [UInt8] {
    LogEncoder(writing: state, marking: builder.marks).releaseBytes()
  }
}
