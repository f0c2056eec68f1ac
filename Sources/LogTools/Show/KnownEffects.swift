import ActionLog
import ReplayEngine

/// The effects that a log has started so far, with the labels that identify them to users.
package struct KnownEffects: Sendable {
  /// A started effect.
  package struct KnownEffect: Sendable {
    /// The effect's name in the app, its cancellation id, or its source location; empty if it has none.
    package let label: String
    /// The text of the cancellation id.
    package let cancelID: String?
    package let source: String?
    /// Whether the library added it.
    package let isInternal: Bool
    package fileprivate(set) var isCancelled = false
  }

  private var effects: [EffectID: KnownEffect] = [:]
  /// The labels of all effects that the app has started in the log.
  package private(set) var labels: Set<String> = []
  private let notation: Notation

  /// The maximum number of stored labels.
  ///
  /// More would not improve a suggestion.
  private static let mostLabels = 1000

  package init(_ notation: Notation = Notation()) { self.notation = notation }

  package subscript(_ id: EffectID) -> KnownEffect? { effects[id] }

  /// Adds the effects that an event starts.
  package mutating func register(_ event: LogEvent) {
    switch event {
    case .header: effects = [:]
    case .checkpoint(let checkpoint): for effect in checkpoint.effects { add(effect) }
    default: for effect in event.stateChange?.effects ?? [] { add(effect) }
    }
  }

  /// Updates an effect after one of its events was displayed.
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

  /// Returns the name of an effect in the app, or the closest substitute.
  static func label(_ effect: EffectDescription, _ notation: Notation) -> String {
    label(effect) { notation.cancelID($0) }
  }

  /// Returns a name that is shared by effects that differ only in the values of their ids, such as
  /// `OrderRow.TimerID(id: …)`.
  ///
  /// An effect without a name, or one that only sends an action, is named by its operation.
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
    // The file name without folders, such as `Todos.swift:41`.
    guard let file = effect.source?.split(separator: "/").last else { return "" }
    return Notation.visible(file)
  }

  /// Writes an effect in the form for display: `save 3.0`, `Todos.swift:41 3.0`, or `effect 3.0`.
  package func write(_ id: EffectID, to output: inout [UInt8]) {
    let label = effects[id]?.label ?? ""
    output.append(label.isEmpty ? "effect" : label)
    output.append(UInt8(ascii: " "))
    output.append(id)
  }

  /// Returns the name of an effect for display.
  package func name(of id: EffectID) -> String {
    var text: [UInt8] = []
    write(id, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns whether an effect event only ends an effect whose cancellation was displayed and that sent no action.
  package func isSettled(by turn: LogEvent.Effect) -> Bool {
    if case .finished(0) = turn.event { effects[turn.id]?.isCancelled == true } else { false }
  }

  /// Returns whether a typed text identifies an effect by number, name, source location, or cancellation id.
  package func isNamed(_ id: EffectID, _ text: String) -> Bool {
    if id.description == text { return true }
    guard let effect = effects[id] else { return false }
    if effect.label == text || effect.cancelID == text { return true }
    if let source = effect.source, source == text || source.hasSuffix("/" + text) { return true }
    // Without its number, an id matches all ids with the same text.
    let id = effect.cancelID?.prefix { $0 != "#" } ?? ""
    return id == text || id.hasPrefix(text + "(") || id.hasSuffix(".\(text)")
  }
}
