public import ComposableArchitecture

/// A reducer that writes its actions, changes, reads and effects to a log.
///
/// It is created once for the store. `recorded(to:)` returns it.
public struct RecordedReducer<Base: Reducer>: Reducer {
  private let base: Base
  /// `nil` inside another recorded reducer.
  private let feature: StoreRecording<Base.State, Base.Action>?
  /// Changes the state, records the change and prints it; `nil` if nothing is printed.
  private let printed: ((inout Base.State, Base.Action) -> Effect<Base.Action>)?

  init(
    _ base: Base,
    as name: String?,
    _ configuration: RecorderConfiguration,
    _ recorder: Recorder?
  ) {
    self.base = base
    // A `body` is created for every action. A recording in it would restart with every action.
    guard !RecordingAttachment.isReducing else {
      RecordingAttachment.complainOfBody()
      feature = nil
      printed = nil
      return
    }
    RecordingAttachment.checkPrinting(of: Base.self)
    let named = (Base.self as? any ChangePrinting.Type)?.printedType ?? Base.self
    let feature = StoreRecording<Base.State, Base.Action>(
      name ?? LogTypeName.of(named),
      configuration
    )
    recorder?.add(feature.session)
    self.feature = feature
    // The effect that prints surrounds the recorded part.
    let printing = base as? any ChangePrinting<Base.State, Base.Action>
    printed = printing.map { printing in
      printing.printing { state, action in
        Self.record(action, &state, in: feature) { printing.reduceUnprinted(into: &$0, action: $1) }
      }
    }
  }

  /// The feature's running effects; `nil` inside another recorded reducer.
  package var effects: (any RunningEffects)? { feature }

  /// Changes the state as the base reducer does.
  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    if let printed { return printed(&state, action) }
    guard let feature else { return base._reduce(into: &state, action: action) }
    return Self.record(action, &state, in: feature) { base._reduce(into: &$0, action: $1) }
  }

  private static func record(
    _ action: Base.Action,
    _ state: inout Base.State,
    in feature: StoreRecording<Base.State, Base.Action>,
    by reduce: (inout Base.State, Base.Action) -> Effect<Base.Action>
  ) -> Effect<Base.Action> {
    feature.reduce(action, &state) { state, action in
      RecordingAttachment.$isReducing.withValue(true) { reduce(&state, action) }
    }
  }
}

extension Reducer {
  /// Writes every action, every state change and the visible properties of effects to a log.
  ///
  /// ```swift
  /// Store(initialState: AppFeature.State()) {
  ///   AppFeature()
  ///     .recorded(to: .file("session.jsonl"))
  /// }
  /// ```
  ///
  /// Attach it at the store. A `body` is created for every action, and a recorder in it records nothing.
  ///
  /// The recording begins with the first action. It never changes the behavior of the reducer. If the log cannot be
  /// written, the recorder reports this once on standard error, and the app continues. The log continues with a gap as
  /// soon as possible.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the log, by which a replay finds it. The default is the reducer's type name.
  ///   - destination: The destination of the log.
  /// - Returns: The same reducer with a recorder.
  public func recorded(
    as name: String? = nil,
    to destination: LogDestination
  ) -> RecordedReducer<Self> {
    RecordedReducer(self, as: name, RecorderConfiguration(destination), nil)
  }

  /// Writes to the logs of a configured recorder, with masks, filters and limits, notes and exports.
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
  ///   - name: The name of the feature in the log, by which a replay finds it. The default is the reducer's type name.
  ///   - recorder: The recorder.
  /// - Returns: The same reducer with a recorder.
  public func recorded(as name: String? = nil, to recorder: Recorder) -> RecordedReducer<Self> {
    RecordedReducer(self, as: name, recorder.configuration, recorder)
  }
}
