import ActionLog
import ReplayEngine

/// The effects in a log that have started and have not ended, with the labels that identify them to users.
package struct LabeledEffects: Sendable {
  /// An effect that has started, and has not finished or failed.
  package struct LabeledEffect: Sendable {
    /// The effect's name, or else its cancellation id, or else its source location; empty if it has none of them.
    package let label: String
    /// The cancellation id as displayed text, or `nil` if the effect has none.
    package let cancelID: String?
    package let source: String?
    /// Whether the library added the effect.
    package let isInternal: Bool
    package fileprivate(set) var isCancelled = false
  }

  private var effects: [EffectID: LabeledEffect] = [:]
  /// The labels of effects that the app has started, as candidates for a suggestion.
  package private(set) var labels: Set<String> = []
  private let notation: Notation

  /// The maximum number of stored labels, because more would not improve a suggestion.
  private static let mostLabels = 1000

  package init(_ notation: Notation = Notation()) { self.notation = notation }

  package subscript(_ id: EffectID) -> LabeledEffect? { effects[id] }

  /// Adds the effects that start with an event.
  package mutating func register(_ event: LogEvent) {
    switch event {
    case .header: effects = [:]
    case .checkpoint(let checkpoint): for effect in checkpoint.effects { add(effect) }
    default: for effect in event.stateChange?.effects ?? [] { add(effect) }
    }
  }

  /// Marks an effect as canceled, or removes it after it has finished or failed.
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
      effects[id] = LabeledEffect(
        label: label,
        cancelID: cancelID,
        source: effect.source,
        isInternal: effect.isInternal,
        isCancelled: effect.isCancelled
      )
    }
    for part in effect.effects { add(part) }
  }

  /// Returns the label for an effect: its name, or else its cancellation id, or else its source location.
  static func label(_ effect: EffectDescription, _ notation: Notation) -> String {
    label(effect) { notation.cancelID($0) }
  }

  /// Returns a label that omits the values in ids, such as `OrderRow.TimerID(id: …)`, so that similar effects share it.
  ///
  /// The label is the operation for an effect that runs no asynchronous work, or that has no other label.
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
    // The source location is shown without folders, such as `Todos.swift:41`.
    guard let file = effect.source?.split(separator: "/").last else { return "" }
    return Notation.visible(file)
  }

  /// Appends the displayed form of an effect, such as `save 3.0`, `Todos.swift:41 3.0`, or `effect 3.0`.
  package func write(_ id: EffectID, to output: inout [UInt8]) {
    let label = effects[id]?.label ?? ""
    output.append(label.isEmpty ? "effect" : label)
    output.append(UInt8(ascii: " "))
    output.append(id)
  }

  /// Returns the displayed form of an effect, such as `save 3.0`.
  package func name(of id: EffectID) -> String {
    var text: [UInt8] = []
    write(id, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether an event adds no information, because it ends a canceled effect that has sent no actions.
  package func isSettled(by turn: LogEvent.Effect) -> Bool {
    if case .finished(0) = turn.event { effects[turn.id]?.isCancelled == true } else { false }
  }

  /// Returns whether a string identifies an effect by its number, name, source location, or cancellation id.
  package func isNamed(_ id: EffectID, _ text: String) -> Bool {
    if id.description == text { return true }
    guard let effect = effects[id] else { return false }
    if effect.label == text || effect.cancelID == text { return true }
    if let source = effect.source, source == text || source.hasSuffix("/" + text) { return true }
    // An id without its number after `#` matches all ids with the same text.
    let id = effect.cancelID?.prefix { $0 != "#" } ?? ""
    return id == text || id.hasPrefix(text + "(") || id.hasSuffix(".\(text)")
  }
}
