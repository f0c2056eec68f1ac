import ActionLog
import ReplayEngine

// What was read as a tree, line by line: rare events, and any that no recorder has written.
extension TimelineText {
  func lines(_ event: LogEvent, _ before: JSON?) -> [String] {
    switch event {
    case .header(let header): return [Wording.title(header)]
    case .checkpoint(let checkpoint):
      return ["\(checkpoint.seq)  checkpoint  \(checkpoint.state.abbreviated)"]
    case .action(let action): return [title(action)]
    case .read(let read): return ["    read \(read.key)  \(read.value.abbreviated)"]
    case .change(let change):
      return change.patch.operations.flatMap { lines($0, before) }
        + change.effects.flatMap { $0.lines(indent: "    ") }
    case .effect(let effect): return ["    \(Wording.turn(effect))"]
    case .external(let external):
      return ["\(external.seq)  changed from outside"]
        + external.patch.operations.flatMap { lines($0, before) }
    case .excluded(let excluded):
      return [excludedTitle(excluded)]
        + excluded.patch.operations.flatMap { lines($0, before) }
        + excluded.effects.flatMap { $0.lines(indent: "    ") }
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

  func title(_ event: LogEvent.Action) -> String {
    style.bold("\(event.seq)  \(event.action.abbreviated)")
      + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
  }

  func excludedTitle(_ event: LogEvent.Excluded) -> String {
    style.bold("\(event.seq)  an action that the recording left out")
      + style.dim("  \(Wording.origin(event.origin, of: nil, isInLog: true))")
  }

  func lines(_ operation: JSON.Patch.Operation, _ before: JSON?) -> [String] {
    let path = operation.path
    let place = Wording.place(path)
    switch operation {
    case .add(_, let value):
      return ["    \(place)"] + Self.pair(nil, value, style, indent: "      ")
    case .remove: return ["    \(place)"] + Self.pair(before?[path], nil, style, indent: "      ")
    case .replace(_, let value):
      return ["    \(place)"] + Self.pair(before?[path], value, style, indent: "      ")
    case .splice(_, let splice):
      let removed = before?[path]?.string.flatMap { try? splice.removed(from: $0) } ?? ""
      return ["    \(place)  at byte \(splice.offset) of the text"]
        + Self.pair(
          removed.isEmpty ? nil : JSON.string(removed),
          splice.inserted.isEmpty ? nil : JSON.string(splice.inserted),
          style,
          indent: "      "
        )
    case .move(let from, _): return ["    \(place)  moved from \(from)"]
    case .copy(let from, _): return ["    \(place)  copied from \(from)"]
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
}
