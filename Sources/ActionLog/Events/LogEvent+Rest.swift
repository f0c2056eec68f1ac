extension LogEvent {
  /// The members that this version does not know; of an unknown event there are none, for it is kept whole.
  package var rest: JSON.Object {
    get {
      switch self {
      case .header(let event): event.rest
      case .checkpoint(let event): event.rest
      case .action(let event): event.rest
      case .read(let event): event.rest
      case .change(let event): event.rest
      case .effect(let event): event.rest
      case .external(let event): event.rest
      case .excluded(let event): event.rest
      case .gap(let event): event.rest
      case .note(let event): event.rest
      case .finding(let event): event.rest
      case .end(let event): event.rest
      case .unknown: JSON.Object()
      }
    }
    set {
      switch self {
      case .header(var event):
        event.rest = newValue
        self = .header(event)
      case .checkpoint(var event):
        event.rest = newValue
        self = .checkpoint(event)
      case .action(var event):
        event.rest = newValue
        self = .action(event)
      case .read(var event):
        event.rest = newValue
        self = .read(event)
      case .change(var event):
        event.rest = newValue
        self = .change(event)
      case .effect(var event):
        event.rest = newValue
        self = .effect(event)
      case .external(var event):
        event.rest = newValue
        self = .external(event)
      case .excluded(var event):
        event.rest = newValue
        self = .excluded(event)
      case .gap(var event):
        event.rest = newValue
        self = .gap(event)
      case .note(var event):
        event.rest = newValue
        self = .note(event)
      case .finding(var event):
        event.rest = newValue
        self = .finding(event)
      case .end(var event):
        event.rest = newValue
        self = .end(event)
      case .unknown: break
      }
    }
  }
}
