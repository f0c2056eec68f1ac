import ActionLog
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// The scopes of a step: its action, its changes, the states before and after it, its effects, and its reads.
struct StepScopes {
  /// A group of values in the client's variables view.
  struct VariableScope {
    let name: String
    let children: Variable.Children
    /// The protocol's presentation hint for the scope.
    var hint: String?
  }

  private let step: LogStep
  private let notation: Notation

  init(_ step: LogStep, _ notation: Notation) { (self.step, self.notation) = (step, notation) }

  /// The scopes that are not empty.
  var scopes: [VariableScope] {
    var scopes: [VariableScope] = [
      VariableScope(name: "Action", children: .list(action), hint: "arguments")
    ]
    let changes = changes
    if !changes.isEmpty { scopes.append(VariableScope(name: "Changes", children: .list(changes))) }
    if let state = step.after {
      let whole = ValuePart.FullValue(
        state,
        prefix: "",
        watchedPrefix: "",
        changed: changed,
        edit: setting
      )
      scopes.append(
        VariableScope(name: "State", children: .parts(ValuePart(whole)), hint: "locals")
      )
    }
    if step.kind != .start, let before = step.before {
      let whole = ValuePart.FullValue(before, prefix: "before")
      scopes.append(VariableScope(name: "Before", children: .parts(ValuePart(whole))))
    }
    let effects = effects
    if !effects.isEmpty { scopes.append(VariableScope(name: "Effects", children: .list(effects))) }
    let reads = reads
    if !reads.isEmpty { scopes.append(VariableScope(name: "Reads", children: .list(reads))) }
    return scopes
  }
}

// MARK: - Action

extension StepScopes {
  /// The debugger command that changes the state after the step.
  private var setting: String? { "set \(step.seq)" }

  private var action: [Variable] {
    var variables: [Variable] = []
    func add(_ name: String, _ value: String?) {
      if let value { variables.append(Variable(name: name, value: value)) }
    }
    if let action = step.action {
      let edit = "edit \(step.seq)"
      let part = ValuePart(ValuePart.FullValue(action.action, prefix: "action", edit: edit))
      variables.append(
        Variable(
          name: "action",
          value: notation.action(action.action),
          evaluateName: "action",
          children: part.children,
          edit: edit
        )
      )
    }
    add("number", step.id.description)
    add("origin", step.origin.map { Wording.origin($0, of: nil, isInLog: true) })
    add("time", step.at.map { RelativeTime(microseconds: $0).description })
    add("duration", step.change?.us.map { "\($0) µs" })
    let lines = step.lines
    add(
      "lines of the log",
      lines.count == 1 ? "\(lines.lowerBound)" : "\(lines.lowerBound)…\(lines.upperBound)"
    )
    return variables
  }
}

// MARK: - Changes

extension StepScopes {
  private var shownPatch: JSON.Patch? {
    step.patch.map { notation.shown(PatchText($0), step.before).patch }
  }

  /// The paths that the step has changed.
  private var changed: [JSON.Pointer] {
    shownPatch?.operations.map { operation in
      // Inserting or removing an element moves the following ones, so the array counts as changed.
      guard case .index? = JSON.ValueLocation(operation.path, in: step.before).steps.last else {
        return operation.path
      }
      switch operation {
      case .add, .remove, .move, .copy:
        return JSON.Pointer(Array(operation.path.tokens.dropLast()))
      case .replace, .splice, .test: return operation.path
      }
    } ?? []
  }

  /// The changed paths with their old and new values.
  private var changes: [Variable] {
    guard let before = step.before, let after = step.after, let patch = shownPatch else {
      return []
    }
    let whole = ValuePart.FullValue(after, prefix: "", watchedPrefix: "", edit: setting)
    var names: Set<String> = []
    return patch.operations.compactMap { operation in
      let pointer = operation.path
      let old = isAddition(operation, before) ? nil : before[pointer]
      let new = isRemoval(operation) ? nil : after[pointer]
      guard old != new else { return nil }
      let name = notation.pathText(pointer, in: new == nil ? before : after)
      guard names.insert(name).inserted else { return nil }
      let part = new == nil ? nil : ValuePart(whole, at: pointer)
      return Variable(
        name: name,
        value: VariableText.change(from: old, to: new, notation),
        evaluateName: part == nil ? nil : name,
        place: part == nil ? nil : name,
        children: part?.children,
        edit: part == nil ? nil : setting.map { "\($0) \(name)" },
        isChanged: true
      )
    }
  }

  private func isAddition(_ operation: JSON.Patch.Operation, _ before: JSON) -> Bool {
    guard case .add(let path, _) = operation else { return false }
    // An element is inserted between others, while a member replaces the existing one.
    return before[JSON.Pointer(Array(path.tokens.dropLast()))]?.array != nil
  }

  private func isRemoval(_ operation: JSON.Patch.Operation) -> Bool {
    if case .remove = operation { true } else { false }
  }
}

// MARK: - Effects and reads

extension StepScopes {
  private var effects: [Variable] {
    var variables: [Variable] = []
    for (index, effect) in step.effects.enumerated() where !effect.isOfLibrary {
      let part = ValuePart(ValuePart.FullValue(JSON(logging: effect), prefix: "effects[\(index)]"))
      variables.append(
        Variable(
          name: VariableText.name(of: effect, step.end.known),
          value: VariableText.describe(effect, notation),
          evaluateName: "effects[\(index)]",
          children: part.children
        )
      )
    }
    step.forEachTurn { turn, known in
      guard known[turn.id]?.isInternal != true else { return }
      variables.append(
        Variable(
          name: VariableText.name(of: turn.id, known),
          value: Wording.turn(turn, notation, known)
        )
      )
    }
    for call in step.calls {
      let part = ValuePart(ValuePart.FullValue(VariableText.json(of: call), prefix: nil))
      variables.append(
        Variable(name: call.key, value: Wording.call(call, notation), children: part.children)
      )
    }
    let alive = step.alive.map { effect in
      Variable(
        name: VariableText.name(of: effect.id, step.end.known),
        value: effect.isWaiting ? "waits" : "runs"
      )
    }
    if !alive.isEmpty {
      variables.append(
        Variable(name: "alive", value: "\(alive.count)", children: .list(alive))
      )
    }
    return variables.withDistinctNames
  }

  private var reads: [Variable] {
    var counts: [String: Int] = [:]
    return step.reads.enumerated().map { index, read in
      // Only the first read of a key can be identified by the key.
      let isFirst = counts.updateValue(1, forKey: read.key) == nil
      let part = ValuePart(ValuePart.FullValue(read.value, prefix: "reads[\(index)].value"))
      return Variable(
        name: read.key,
        value: notation.value(read.value),
        evaluateName: "reads[\(index)].value",
        children: part.children,
        edit: isFirst ? "answer \(step.seq) \(read.key)" : nil
      )
    }.withDistinctNames
  }
}

extension [Variable] {
  /// The variables with numbers after repeated names, because clients distinguish variables by name.
  fileprivate var withDistinctNames: [Variable] {
    var counts: [String: Int] = [:]
    return map { variable in
      var variable = variable
      let count = counts[variable.name, default: 0]
      counts[variable.name] = count + 1
      if count > 0 { variable.name += " (\(count + 1))" }
      return variable
    }
  }
}
