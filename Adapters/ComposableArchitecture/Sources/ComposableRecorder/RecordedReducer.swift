public import ComposableArchitecture

/// A reducer whose actions, changes, reads and effects are written to a log.
///
/// It is made once, for the store; `recorded(to:)` returns it.
public struct RecordedReducer<Base: Reducer>: Reducer {
  private let base: Base
  /// `nil` within another recorded reducer.
  private let feature: RecordedFeature<Base.State, Base.Action>?
  /// Changes the state, and records and prints that; `nil` where nothing is printed.
  private let printed: ((inout Base.State, Base.Action) -> Effect<Base.Action>)?

  init(
    _ base: Base,
    as name: String?,
    _ configuration: RecorderConfiguration,
    _ recorder: Recorder?
  ) {
    self.base = base
    // A body is made anew for every action, and a recording in it would begin anew, too.
    guard !RecordingAttachment.isReducing else {
      RecordingAttachment.complainOfBody()
      feature = nil
      printed = nil
      return
    }
    RecordingAttachment.checkPrinting(of: Base.self)
    let feature = RecordedFeature<Base.State, Base.Action>(
      name ?? LogTypeName.of(Base.self),
      configuration
    )
    recorder?.add(feature.session)
    self.feature = feature
    // The effect that prints is around what is recorded.
    let printing = base as? any ChangePrinting<Base.State, Base.Action>
    printed = printing.map { printing in
      printing.printing { state, action in
        Self.record(action, &state, in: feature) { printing.reduceUnprinted(into: &$0, action: $1) }
      }
    }
  }

  /// What is known of the feature's effects; `nil` within another recorded reducer.
  package var effects: (any RunningEffects)? { feature }

  /// Changes the state as the reducer does.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    if let printed { return printed(&state, action) }
    guard let feature else { return base._reduce(into: &state, action: action) }
    return Self.record(action, &state, in: feature) { base._reduce(into: &$0, action: $1) }
  }

  private static func record(
    _ action: Base.Action,
    _ state: inout Base.State,
    in feature: RecordedFeature<Base.State, Base.Action>,
    by reduce: (inout Base.State, Base.Action) -> Effect<Base.Action>
  ) -> Effect<Base.Action> {
    feature.reduce(action, &state) { state, action in
      RecordingAttachment.$isReducing.withValue(true) { reduce(&state, action) }
    }
  }
}

extension Reducer {
  /// Writes every action, every state change and what can be seen of effects to a log.
  ///
  /// ```swift
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: .file("session.jsonl"))
  /// }
  /// ```
  ///
  /// It belongs there, at the store: a `body` is made anew for every action, and a recorder in it records nothing.
  ///
  /// The recording begins with the first action. It never changes what the reducer does: when the log cannot be written, the
  /// recorder says so once on standard error, the app runs on, and the log goes on with a gap as soon as it can.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it; the reducer's type name if it is left out.
  ///   - destination: The destination of the log.
  /// - Returns: The same reducer, recorded.
  public func recorded(
    as name: String? = nil,
    to destination: LogDestination
  ) -> RecordedReducer<Self> {
    RecordedReducer(self, as: name, RecorderConfiguration(destination), nil)
  }

  /// Writes to the logs of a recorder that the app has set up: with masks, filters and limits, notes and exports.
  ///
  /// ```swift
  /// let recorder = Recorder(RecorderConfiguration(.ring("flight.jsonl", megabytes: 8)))
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: recorder)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it; the reducer's type name if it is left out.
  ///   - recorder: The recorder.
  /// - Returns: The same reducer, recorded.
  public func recorded(as name: String? = nil, to recorder: Recorder) -> RecordedReducer<Self> {
    RecordedReducer(self, as: name, recorder.configuration, recorder)
  }
}
