import ActionLog

/// The effects of one action of the counter.
package struct EffectBuilder {
  package let seq: Int
  package let change: CounterEngine.Change
  package var effects: [EffectDescription] = []
  private var index = 0

  package init(seq: Int, change: CounterEngine.Change) {
    self.seq = seq
    self.change = change
  }

  private mutating func leaf(_ operation: EffectDescription.Operation) -> EffectDescription {
    defer { index += 1 }
    var effect = EffectDescription(operation)
    effect.id = EffectID(seq: seq, index: index)
    return effect
  }

  private mutating func sending(_ action: JSON) -> EffectDescription {
    var effect = leaf(.send)
    effect.action = action
    return effect
  }

  package mutating func send(_ action: JSON) {
    effects.append(sending(change == .changesSentAction ? ["second": [:]] : action))
  }

  package mutating func load() {
    guard change != .dropsEffect else { return }
    if change == .addsEffect { effects.append(leaf(.run)) }
    if change == .addsInternalEffect {
      var effect = EffectDescription(.run)
      effect.isInternal = true
      effects.append(effect)
    }
    var effect = leaf(change == .changesOperation ? .send : .run)
    if change == .changesOperation { effect.action = ["done": [:]] }
    effect.name = change == .renamesEffect ? "fetch" : "load"
    effect.cancelID = EffectDescription.CancelID(
      type: "CancelID",
      value: change == .changesCancelID ? "other" : "load"
    )
    effect.cancelInFlight = change != .changesCancelInFlight
    effect.input = change == .changesInput ? 2 : 1
    effect.priority = change == .changesPriority ? "low" : "high"
    effect.source = change == .movesSource ? "Counter.swift:9" : "Counter.swift:5"
    effects.append(effect)
  }

  package mutating func cancel() {
    var effect = EffectDescription(.cancel)
    effect.cancelID = EffectDescription.CancelID(type: "CancelID", value: "load")
    effects.append(effect)
  }

  package mutating func burst() {
    let sends = [sending(["first": [:]]), sending(["second": [:]])]
    effects += change == .swapsSends ? sends.reversed() : sends
  }

  package mutating func chain() {
    var effect = EffectDescription(.concatenate)
    effect.effects = [leaf(.run), sending(["done": [:]]), leaf(.run)]
    effects.append(effect)
  }
}
