import ActionLog
import ReplayEngine

/// Formats actions, values, and changes for a trace.
struct TraceText {
  let notation: Notation
  private let changes: ChangeText

  init(_ style: Style) {
    let style = style.withoutColor
    notation = style.notation
    changes = ChangeText(style: style, value: style.notation)
  }

  /// The maximum number of changes in the details of one action.
  private static let mostChanges = 50

  /// Returns an action as displayed text.
  func action(_ action: JSONText) -> String {
    text { notation.append(action: action, to: &$0) }
  }

  /// Returns the case path of an action, which is also its name in `stats`.
  func casePath(_ action: JSONText) -> String {
    text { notation.append(casePath: action, to: &$0) }
  }

  /// Returns the key and value of a read as displayed text.
  func read(_ read: LogEvent.Read) -> String {
    text {
      $0.append(Notation.visible(read.key) + ": ")
      notation.append(value: read.logged, to: &$0)
    }
  }

  /// Returns the operations of a patch as displayed text.
  ///
  /// - Parameters:
  ///   - patch: The patch of a change.
  ///   - before: The state before the patch, which contains the old values, or `nil` if it is unknown.
  /// - Returns: A line for each operation. If the text is limited, the last line counts the operations beyond the
  ///   limit.
  func changes(_ patch: PatchText, _ before: JSON?) -> [String] {
    var lines: [String] = []
    var left = 0
    let most = notation.isFull ? Int.max : Self.mostChanges
    notation.shown(patch, before).forEachOperation { operation in
      guard lines.count < most else {
        left += 1
        return
      }
      var line: [UInt8] = []
      changes.write(operation, before, to: &line)
      lines.append(String(decoding: line, as: UTF8.self))
    }
    if left > 0 { lines.append(Wording.more(left)) }
    return lines
  }

  /// Returns the sender of an action as displayed text.
  func sender(_ origin: LogEvent.Origin, _ effects: LabeledEffects) -> String {
    switch origin {
    case .view: "view"
    case .parent: "parent"
    case .reentrant(let seq): "action \(seq)"
    case .effect(let id, let via):
      text { effects.write(id, to: &$0) } + (via.map { " through \(Notation.visible($0))" } ?? "")
    }
  }

  /// Adds the effects that an action started, the actions that its effects send directly, and the ids that it canceled.
  func add(_ effects: [EffectDescription], to arguments: inout TraceArguments) {
    guard !effects.isEmpty else { return }
    let own = effects.flatMap(\.flattened).filter { !$0.isOfLibrary }
    arguments.add(
      "starts",
      own.compactMap { effect in
        guard effect.operation == .run, let id = effect.id else { return nil }
        let label = LabeledEffects.label(effect, notation)
        return label.isEmpty ? "effect \(id)" : "\(label) \(id)"
      }
    )
    arguments.add("sends", own.compactMap { $0.loggedAction.map { action($0) } })
    arguments.add(
      "cancels",
      own.compactMap { effect in
        guard effect.operation == .cancel else { return nil }
        return effect.ownCancelID.map { notation.cancelID($0) }
      }
    )
  }

  /// Returns the details of a finding for display in a viewer.
  func arguments(of finding: LogEvent.Finding) -> TraceArguments {
    var arguments = TraceArguments()
    arguments.add("seq", finding.seq)
    arguments.add(
      "subject",
      finding.subject.isEmpty ? nil : Wording.locationText(finding.subject, notation)
    )
    arguments.add("expected", finding.expected.map { notation.value($0) })
    arguments.add("actual", finding.actual.map { notation.value($0) })
    arguments.add("message", finding.message.map { Notation.visible($0) })
    return arguments
  }

  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
