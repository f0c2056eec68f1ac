extension LogEvent {
  /// What an event says about the state of its log.
  package enum StateUpdate: Sendable {
    /// Nothing: the state stays as it is.
    case none
    /// The whole state.
    case whole(JSON)
    /// What has changed in the state.
    case patch(JSON.Patch)
    /// The state is not known from here to the next checkpoint.
    case unknown
  }

  /// What the event says about the state; whatever follows the state through a log asks for it here.
  package var stateUpdate: StateUpdate {
    switch self {
    case .header, .gap: .unknown
    case .checkpoint(let event): .whole(event.state)
    case .change(let event): .patch(event.patch)
    case .external(let event): .patch(event.patch)
    case .excluded(let event): .patch(event.patch)
    case .withheld, .action, .read, .effect, .call, .note, .finding, .end, .unknown: .none
    }
  }

  /// Whether replaying the event needs a state.
  package var needsState: Bool {
    switch self {
    case .action, .effect, .external, .excluded, .end: true
    case .header, .checkpoint, .withheld, .read, .change, .call, .gap, .note, .finding, .unknown:
      false
    }
  }
}
