import ActionLog
import ReplayEngine

/// A timeline for people to read.
final class TimelineText: TimelineWriter {
  let style: Style
  /// The title of the action that is being handled.
  private var action: [UInt8] = []

  init(style: Style) { self.style = style }

  var opening: String { "" }
  var closing: String { "" }

  func write(
    _ event: SkimmedEvent,
    text: SkimmedEvent.Text?,
    before: JSON?,
    to output: inout [UInt8]
  ) {
    switch event {
    case .action(let event): write(event, to: &output)
    case .read(let read):
      output.append(literal: "    read ")
      output.append(read.key)
      output.append(literal: "  ")
      output.append(abbreviating: read.value)
    case .change(let change):
      for operation in change.patch { write(operation, before, to: &output) }
      for effect in change.effects { write(effect, to: &output) }
      return
    case .effect(let effect):
      output.append(literal: "    ")
      Wording.write(effect, to: &output)
    case .checkpoint(let checkpoint):
      output.append(decimal: checkpoint.seq)
      output.append(literal: "  checkpoint  ")
      output.append(abbreviating: checkpoint.state)
    case .whole(let event):
      write(lines(event, before), to: &output)
      return
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func write(_ lines: [String], to output: inout [UInt8]) {
    for line in lines {
      output.append(line)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func write(_ action: SkimmedEvent.Action, to output: inout [UInt8]) {
    output.append(literal: style.opening(.bold))
    output.append(decimal: action.seq)
    output.append(literal: "  ")
    output.append(abbreviating: action.action)
    output.append(literal: style.closing)
    output.append(literal: style.opening(.dim))
    output.append(literal: "  ")
    Wording.write(action.origin, to: &output)
    output.append(literal: style.closing)
  }

  private func write(
    _ operation: PatchText.Operation,
    _ before: JSON?,
    to output: inout [UInt8]
  ) {
    guard let path = operation.path else {
      return write(lines(operation.operation, before), to: &output)
    }
    output.append(literal: "    ")
    if path.isEmpty { output.append(Wording.wholeState) } else { output.append(contentsOf: path) }
    output.append(UInt8(ascii: "\n"))
    if !operation.isAddition, let old = before?[text: path] {
      output.append(literal: style.opening(.red))
      output.append(literal: "      − ")
      output.append(abbreviating: old)
      output.append(literal: style.closing)
      output.append(UInt8(ascii: "\n"))
    }
    if let new = operation.value {
      output.append(literal: style.opening(.green))
      output.append(literal: "      + ")
      output.append(abbreviating: new)
      output.append(literal: style.closing)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private func write(_ effect: EffectText, to output: inout [UInt8]) {
    for _ in 0..<effect.level + 2 { output.append(literal: "  ") }
    Wording.write(effect, to: &output)
    output.append(UInt8(ascii: "\n"))
  }
}

extension TimelineText {
  func note(_ event: SkimmedEvent) {
    switch event {
    case .action(let event):
      action.removeAll(keepingCapacity: true)
      write(event, to: &action)
    case .whole(.action(let event)): action = Array(title(event).utf8)
    default: break
    }
  }

  func write(
    _ event: SkimmedEvent,
    seq: Int,
    from before: JSON?,
    to after: JSON?,
    to output: inout [UInt8]
  ) {
    switch event {
    case .change, .whole(.change): output += action
    case .whole(.external): output.append("\(seq)  changed from outside")
    case .whole(.excluded(let event)): output.append(excludedTitle(event))
    default: output.append("\(seq)  checkpoint")
    }
    output.append(UInt8(ascii: "\n"))
    write(Self.pair(before, after, style, indent: "    "), to: &output)
  }
}
