import ActionLog
import ReplayEngine

/// The words of `show` and `diff`.
extension Wording {
  package static func title(_ header: LogEvent.Header) -> String {
    "\(header.feature)  log \(header.id)"
      + (header.startedAt.isEmpty ? "" : ", recorded \(header.startedAt)")
      + (header.recorder.isEmpty ? "" : " by recorder \(header.recorder)")
  }

  /// Writes what `title` says of an effect.
  package static func write(_ effect: EffectText, to output: inout [UInt8]) {
    output.append(literal: "effect ")
    if let id = effect.id {
      output.append(id)
      output.append(UInt8(ascii: " "))
    }
    output.append(effect.operation.rawValue)
    if let name = effect.name {
      output.append(literal: " '")
      output.append(contentsOf: name)
      output.append(UInt8(ascii: "'"))
    }
    if let id = effect.cancelID {
      output.append(literal: " id ")
      output.append(contentsOf: id.type)
      output.append(UInt8(ascii: " "))
      output.append(abbreviating: id.value)
    }
    if effect.cancelInFlight { output.append(literal: " cancelling what is in flight") }
    if let action = effect.action {
      output.append(literal: "  ")
      output.append(abbreviating: action)
    }
    if let input = effect.input {
      output.append(literal: "  input ")
      output.append(abbreviating: input)
    }
    if effect.isInternal { output.append(literal: " (of the library)") }
  }

  package static func turn(_ effect: LogEvent.Effect) -> String {
    var text: [UInt8] = []
    write(effect, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes a turn in the life of an effect.
  package static func write(_ effect: LogEvent.Effect, to output: inout [UInt8]) {
    output.append(literal: "effect ")
    output.append(effect.id)
    switch effect.event {
    case .started: output.append(literal: " started")
    case .finished(1): output.append(literal: " finished after 1 action")
    case .finished(let sent):
      output.append(literal: " finished after ")
      output.append(decimal: sent)
      output.append(literal: " actions")
    case .cancelled(let canceller, _):
      output.append(literal: " cancelled by ")
      output.append(name(canceller))
    case .failed(let error):
      output.append(literal: " failed  ")
      output.append(abbreviating: error)
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
  package static func origin(_ origin: LogEvent.Origin, of seq: Int?, isInLog: Bool) -> String {
    guard isInLog, case .effect(let id, let via) = origin else {
      return self.origin(origin, of: seq)
    }
    return "sent by effect \(id)\(via.map { " through \($0)" } ?? "")"
  }

  /// Writes what sent an action whose log is at hand.
  package static func write(_ origin: LogEvent.Origin, to output: inout [UInt8]) {
    guard case .effect(let id, nil) = origin else {
      return output.append(Self.origin(origin, of: nil, isInLog: true))
    }
    output.append(literal: "sent by effect ")
    output.append(id)
  }

  /// A place in the state.
  package static func place(_ path: JSON.Pointer) -> String {
    path.tokens.isEmpty ? wholeState : path.description
  }

  static func sameLogs(through seq: Int) -> String {
    seq == 0 ? "no difference, without actions" : "no difference, through action \(seq)"
  }

  static func otherFeature(_ features: [String]) -> String {
    "the logs are of different features, \(features[0]) and \(features[1]); expected two of one feature"
  }

  static func heading(_ seq: Int) -> String {
    seq == 0 ? "before the first action" : "action \(seq)"
  }

  package static func value(_ value: JSON, at path: JSON.Pointer, after seq: Int) -> String {
    let place = path.tokens.isEmpty ? "the state" : "\(path)"
    let when = seq == 0 ? "before the first action" : "after action \(seq)"
    return "\(place) is \(value.abbreviated) \(when)"
  }

  static let lastChange = "last changed by"
  package static func changedFromOutside(after seq: Int) -> String {
    "something else than an action of the feature, after action \(seq)"
  }
  static let neverChanged = "as it was in the first checkpoint: no action has changed it"
}
