import ActionLog

/// The words of `show` and `diff`.
extension Wording {
  static func title(_ header: LogEvent.Header) -> String {
    "\(header.feature)  log \(header.id)"
      + (header.startedAt.isEmpty ? "" : ", recorded \(header.startedAt)")
      + (header.recorder.isEmpty ? "" : " by recorder \(header.recorder)")
  }

  static func title(_ effect: EffectDescription) -> String {
    var text = "effect \(effect.id.map { "\($0) " } ?? "")\(effect.operation.rawValue)"
    if let name = effect.name { text += " '\(name)'" }
    if let id = effect.cancelID { text += " id \(id.type) \(id.value.abbreviated)" }
    if effect.cancelInFlight { text += " cancelling what is in flight" }
    if let action = effect.action { text += "  \(action.abbreviated)" }
    if let input = effect.input { text += "  input \(input.abbreviated)" }
    return effect.isInternal ? text + " (of the library)" : text
  }

  static func turn(_ effect: LogEvent.Effect) -> String {
    switch effect.event {
    case .started: "effect \(effect.id) started"
    case .finished(let sent): "effect \(effect.id) finished after \(actions(sent))"
    case .cancelled(let canceller, _): "effect \(effect.id) cancelled by \(name(canceller))"
    case .failed(let error): "effect \(effect.id) failed  \(error.abbreviated)"
    }
  }

  private static func name(_ canceller: LogEvent.Effect.Canceller) -> String {
    switch canceller {
    case .action(let seq): "action \(seq)"
    case .effect(let id): "effect \(id)"
    case .task: "the task of its action"
    case .store: "the end of the store"
    }
  }

  /// What sent an action whose log is at hand.
  static func origin(_ origin: LogEvent.Origin, of seq: Int?, isInLog: Bool) -> String {
    guard isInLog, case .effect(let id, let via) = origin else {
      return self.origin(origin, of: seq)
    }
    return "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
  }

  static func sameLogs(through seq: Int) -> String {
    seq == 0 ? "no difference, without actions" : "no difference, through action \(seq)"
  }

  static func heading(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq)"
  }

  static func value(_ value: JSON, at path: JSON.Pointer, after seq: Int) -> String {
    let place = path.tokens.isEmpty ? "the state" : "\(path)"
    let when = seq == 0 ? "before the first action" : "after action \(seq)"
    return "\(place) is \(value.abbreviated) \(when)"
  }

  static let lastChange = "last changed by"
  static func changedFromOutside(after seq: Int) -> String {
    "something else than an action of the feature, after action \(seq)"
  }
  static let neverChanged = "as it was in the first checkpoint: no action has changed it"
}
