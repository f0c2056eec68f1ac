import ActionLog

/// A way to write the entries of a timeline.
protocol TimelineWriter: AnyObject {
  var opening: String { get }
  var closing: String { get }
  func text(_ entry: Timeline.Entry) -> String
}

/// A timeline for people to read.
final class TimelineText: TimelineWriter {
  private let path: JSON.Pointer?
  private let style: Style
  private var action = ""

  init(path: JSON.Pointer?, style: Style) {
    self.path = path
    self.style = style
  }

  var opening: String { "" }
  var closing: String { "" }

  func text(_ entry: Timeline.Entry) -> String {
    let lines = self.lines(entry)
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ entry: Timeline.Entry) -> [String] {
    if case .action(let event) = entry.event {
      action =
        style.bold("\(event.seq)  \(event.action.abbreviated)")
        + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
    }
    if let path { return changes(entry, at: path) }
    switch entry.event {
    case .header(let header): return [Wording.title(header)]
    case .checkpoint(let checkpoint):
      return ["\(checkpoint.seq)  checkpoint  \(checkpoint.state.abbreviated)"]
    case .action: return [action]
    case .read(let read): return ["    read \(read.key)  \(read.value.abbreviated)"]
    case .change(let change):
      return change.patch.operations.flatMap { lines($0, entry.stateBefore) }
        + change.effects.flatMap { Self.lines($0, indent: "    ") }
    case .effect(let effect): return ["    \(Wording.turn(effect))"]
    case .external(let external):
      return ["\(external.seq)  changed from outside"]
        + external.patch.operations.flatMap { lines($0, entry.stateBefore) }
    case .excluded(let excluded):
      return [excludedTitle(excluded)]
        + excluded.patch.operations.flatMap { lines($0, entry.stateBefore) }
        + excluded.effects.flatMap { Self.lines($0, indent: "    ") }
    case .gap(let gap):
      return ["\(gap.seq)  gap, \(gap.dropped) events are missing: \(gap.reason)"]
    case .note(let note): return ["    note  \(note.text)"]
    case .finding(let finding):
      let subject = finding.subject.isEmpty ? "" : " \(finding.subject)"
      return ["    finding \(finding.code.rawValue)\(subject)  \(finding.message ?? "")"]
    case .end(let end): return ["\(end.seq)  end, \(end.reason)"]
    case .unknown(let kind, _): return ["    \(kind), which this version does not know"]
    }
  }

  private func excludedTitle(_ event: LogEvent.Excluded) -> String {
    style.bold("\(event.seq)  an action that the recording left out")
      + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
  }

  private func changes(_ entry: Timeline.Entry, at path: JSON.Pointer) -> [String] {
    guard let after = entry.stateAfter else { return [] }
    let old = entry.stateBefore?[path]
    let new = after[path]
    guard old != new else { return [] }
    let head =
      switch entry.event {
      case .change: action
      case .external: "\(entry.seq ?? 0)  changed from outside"
      case .excluded(let event): excludedTitle(event)
      default: "\(entry.seq ?? 0)  checkpoint"
      }
    return [head] + Self.pair(old, new, style, indent: "    ")
  }

  private func lines(_ operation: JSON.Patch.Operation, _ before: JSON?) -> [String] {
    let path = operation.path
    switch operation {
    case .add(_, let value):
      return ["    \(path)"] + Self.pair(nil, value, style, indent: "      ")
    case .remove: return ["    \(path)"] + Self.pair(before?[path], nil, style, indent: "      ")
    case .replace(_, let value):
      return ["    \(path)"] + Self.pair(before?[path], value, style, indent: "      ")
    case .move(let from, _): return ["    \(path)  moved from \(from)"]
    case .copy(let from, _): return ["    \(path)  copied from \(from)"]
    case .test: return []
    }
  }

  static func pair(
    _ old: JSON?,
    _ new: JSON?,
    _ style: Style,
    indent: String
  ) -> [String] {
    (old.map { [style.red("\(indent)− \($0.abbreviated)")] } ?? [])
      + (new.map { [style.green("\(indent)+ \($0.abbreviated)")] } ?? [])
  }

  static func lines(_ effect: EffectDescription, indent: String) -> [String] {
    [indent + Wording.title(effect)] + effect.effects.flatMap { lines($0, indent: indent + "  ") }
  }
}
