import ActionLog
import ReplayEngine

/// What is known of the effects that a log has started so far: by what a person recognizes them.
package struct KnownEffects: Sendable {
  /// An effect.
  package struct KnownEffect: Sendable {
    /// Its name in the app, or the id by which it is cancelled, or its place in the source; empty when it has none.
    package let label: String
    /// The text of the id by which it is cancelled.
    package let cancelID: String?
    package let source: String?
    /// Whether the library added it.
    package let isInternal: Bool
    package fileprivate(set) var isCancelled = false
  }

  private var effects: [EffectID: KnownEffect] = [:]
  /// The labels of all effects of the app that the log has started.
  package private(set) var labels: Set<String> = []
  private let notation: Notation

  /// More labels are no help to somebody who looks for one.
  private static let mostLabels = 1000

  package init(_ notation: Notation = Notation()) { self.notation = notation }

  package subscript(_ id: EffectID) -> KnownEffect? { effects[id] }

  /// Takes the effects that an event starts.
  package mutating func register(_ event: LogEvent) {
    switch event {
    case .header: effects = [:]
    case .checkpoint(let checkpoint): for effect in checkpoint.effects { add(effect) }
    default: for effect in event.stateChange?.effects ?? [] { add(effect) }
    }
  }

  /// Takes a turn in the life of an effect after it was shown.
  package mutating func finish(_ turn: LogEvent.Effect) {
    switch turn.event {
    case .started: break
    case .cancelled: effects[turn.id]?.isCancelled = true
    case .finished, .failed: effects[turn.id] = nil
    }
  }

  private mutating func add(_ effect: EffectDescription) {
    if let id = effect.id, effects[id] == nil {
      let cancelID = effect.ownCancelID.map { notation.cancelID($0) }
      let label = Self.label(effect, notation)
      if !effect.isInternal, !label.isEmpty, labels.count < Self.mostLabels { labels.insert(label) }
      effects[id] = KnownEffect(
        label: label,
        cancelID: cancelID,
        source: effect.source,
        isInternal: effect.isInternal,
        isCancelled: effect.isCancelled
      )
    }
    for part in effect.effects { add(part) }
  }

  /// The name of an effect in the app, or what comes closest to one.
  static func label(_ effect: EffectDescription, _ notation: Notation) -> String {
    label(effect) { notation.cancelID($0) }
  }

  /// The name that effects have in common which differ in the values of their ids alone: `OrderRow.TimerID(id: …)`.
  ///
  /// An effect without any name, or one that only sends an action, is named by what it does.
  static func kind(_ effect: EffectDescription, _ notation: Notation) -> String {
    guard effect.operation == .run else { return effect.operation.rawValue }
    let label = label(effect) { notation.form(of: $0) }
    return label.isEmpty ? effect.operation.rawValue : label
  }

  private static func label(
    _ effect: EffectDescription,
    _ text: (EffectDescription.CancelID) -> String
  ) -> String {
    if let name = effect.name { return Notation.visible(name) }
    if let id = effect.ownCancelID { return text(id) }
    // The file without its folders: `Todos.swift:41`.
    guard let file = effect.source?.split(separator: "/").last else { return "" }
    return Notation.visible(file)
  }

  /// An effect as people read it: `save 3.0`, `Todos.swift:41 3.0`, or `effect 3.0`.
  package func write(_ id: EffectID, to output: inout [UInt8]) {
    let label = effects[id]?.label ?? ""
    output.append(label.isEmpty ? "effect" : label)
    output.append(UInt8(ascii: " "))
    output.append(id)
  }

  /// An effect as people read it.
  package func name(of id: EffectID) -> String {
    var text: [UInt8] = []
    write(id, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a turn is the end of an effect of which the cancellation was shown, and nothing else: it has sent no action.
  package func isSettled(by turn: LogEvent.Effect) -> Bool {
    if case .finished(0) = turn.event { effects[turn.id]?.isCancelled == true } else { false }
  }

  /// Whether a text that a person typed names an effect: by its number, its name, its place in the source, or the id by which
  /// it is cancelled.
  package func isNamed(_ id: EffectID, _ text: String) -> Bool {
    if id.description == text { return true }
    guard let effect = effects[id] else { return false }
    if effect.label == text || effect.cancelID == text { return true }
    if let source = effect.source, source == text || source.hasSuffix("/" + text) { return true }
    // Without its number an id stands for all that print alike.
    let id = effect.cancelID?.prefix { $0 != "#" } ?? ""
    return id == text || id.hasPrefix(text + "(") || id.hasSuffix(".\(text)")
  }
}
