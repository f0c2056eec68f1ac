import ActionLog

/// Writes the steps of a log as the body of a test function.
struct StoreTestWriter {
  private let script: StoreScript
  /// Whether the ids in the script come from `UUIDGenerator.incrementing`.
  private let countsUUIDs: Bool
  private let values: SwiftValues
  /// The reason why the test ends before the log, or `nil` if the test contains all steps.
  private(set) var end: StoreTestEndReason?
  private var statements: [SwiftCode] = []
  private var usesEffects = false
  private var usesReads = false
  /// The maximum size of the code for all steps, in bytes.
  ///
  /// If every action assigns a large member as one value, the code grows with the square of the log. The compiler takes
  /// minutes for a function of this size.
  private static let maximumSize = 1_000_000

  /// Whether the test store numbers the elements of stacks as the log does.
  private let numbersElements: Bool

  /// The keys of the reads that the test answers with recorded values.
  ///
  /// A test fails if it uses a dependency that was not set, so `uuid`, `date`, and `random` also get default values.
  private var answered: Set<String> = []

  init(_ script: StoreScript, countsUUIDs: Bool, members: StoreTest.StateMemberTraits) {
    self.script = script
    self.countsUUIDs = countsUUIDs
    end = script.end
    var places = ValueTypeInference()
    var dates: Set<String> = []
    places.see(first: script.state)
    places.see(script.effects)
    if script.nextStackElement ?? 0 > 0 { places.seeStacks() }
    for reduced in script.steps.compactMap(\.reduced) {
      places.see(action: reduced.action)
      if script.library == .composable {
        places.seeFeatures(in: reduced.action, of: reduced.before)
      }
      if reduced.reads.contains(where: { $0.key == "stackElementID" }) { places.seeStacks() }
      places.see(from: reduced.before, to: reduced.after, at: ["$0"])
      for read in reduced.reads where read.key == "date" {
        if let date = read.value.string { dates.insert(date) }
      }
      let texts = reduced.action.texts(at: ["action"])
      for (text, place) in reduced.before.changedTexts(in: reduced.after, at: ["$0"]) {
        for source in texts where source.text == text { places.link(source.place, to: place) }
      }
    }
    numbersElements = script.library.numbersElements(
      from: script.nextStackElement ?? 0,
      script.steps.compactMap(\.reduced).flatMap(\.reads)
        .filter { $0.key == "stackElementID" }.compactMap(\.value.int)
    )
    var members = members
    members.shared.formUnion(SharedValueMembers.paths(in: script))
    members.distinct = SharedValueMembers.distinct(in: script, members)
    values = SwiftValues(
      library: script.library,
      places: places,
      dates: dates,
      members: members
    )
  }

  /// Returns the statements of the test function.
  ///
  /// - Parameters:
  ///   - reducer: The expression that creates the reducer.
  ///   - feature: The type name of the feature.
  ///   - stateType: The type name of its state.
  /// - Returns: The statements, in order.
  mutating func body(reducer: String, feature: String, stateType: String) -> [SwiftCode] {
    if let next = script.nextStackElement, next > 0, script.library == .core { usesReads = true }
    if script.state.hasNaN { end = .notANumber(0) }
    let steps = SharedChangeReordering(members: values.members).steps(script.steps)
    var size = 0
    var seq = 0
    for (index, step) in steps.enumerated() where !script.state.hasNaN {
      if let limit = limit(of: step) {
        end = limit
        break
      }
      let count = statements.count
      prepare(step, steps[(index + 1)...])
      write(step)
      size += statements[count...].reduce(0) { $0 + $1.size }
      guard size <= Self.maximumSize else {
        statements.removeSubrange(count...)
        end = .large(after: seq, size: Self.maximumSize)
        break
      }
      seq = step.reduced?.seq ?? seq
    }
    if let end {
      statements.append(SwiftCode.comment(StoreTestWording.limitText(end)))
      statements.append(SwiftCode("await store.skipReceivedActions(strict: false)"))
      statements.append(SwiftCode("await store.skipInFlightEffects(strict: false)"))
      // Effects from the written part may still run, so they are stubbed.
      if script.startsEffects { usesEffects = true }
    } else if script.hasRunningEffects {
      statements.append(SwiftCode("await store.skipInFlightEffects()"))
      usesEffects = true
    } else if usesEffects, script.library == .composable {
      // The library runs the ends of effects as tasks, which must not outlive the test.
      statements.append(SwiftCode("await store.finish()"))
    }
    return start(reducer, feature: feature, stateType: stateType) + statements
  }

  /// The expression that decodes the initial state.
  private var initialState: SwiftCode {
    let state = SwiftCode.json(script.state)
    guard script.library == .composable, let places = script.sharedValues else {
      return SwiftCode.logged(script.state)
    }
    return SwiftCode.list([state, SwiftCode.json(places).wrapped("sharing: ")])
      .wrapped("logged(", ")").throwing(true)
  }

  private func start(_ reducer: String, feature: String, stateType: String) -> [SwiftCode] {
    var lines: [SwiftCode] = []
    var chain = reducer
    if usesEffects {
      lines.append(SwiftCode("let effects = StubbedEffects<\(feature).Action>()"))
      chain += ".stubbingEffects(by: effects)"
    }
    if usesReads {
      lines.append(SwiftCode("let reads = StubbedReads()"))
      chain += ".answeringReads(from: reads)"
    }
    if script.state.opaque == nil {
      lines.append(initialState.wrapped("let state: \(stateType) = try "))
    } else {
      lines.append(SwiftCode.comment("The log does not hold all of this state: \(script.state)"))
      lines.append(SwiftCode("let state = \(stateType)()"))
    }
    let store = SwiftCode.closure(
      SwiftCode("let store = TestStore(initialState: state)"),
      [SwiftCode(chain)]
    )
    let dependencies = dependencies
    if !dependencies.isEmpty {
      let end = SwiftCode.closure(
        SwiftCode("withDependencies:"),
        dependencies.map { SwiftCode($0) }
      )
      lines.append(SwiftCode(store.text + " " + end.text))
    } else {
      lines.append(store)
    }
    lines.append(SwiftCode(""))
    return lines
  }
}

// MARK: - Dependencies

extension StoreTestWriter {
  /// The statements that set dependencies when the store is created.
  private var dependencies: [String] {
    var lines: [String] = []
    // A test fails if it uses a dependency that was not set, even if the answer is stubbed.
    if countsUUIDs || answered.contains("uuid") { lines.append("$0.uuid = .incrementing") }
    if answered.contains("date") { lines.append("$0.date = .constant(.distantPast)") }
    if answered.contains("random") {
      lines.append(
        "$0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())"
      )
    }
    return lines + calendar
  }

  /// The statements that set the calendar and time zone of the recording, if the feature computes with dates.
  private var calendar: [String] {
    let computes = script.steps.compactMap(\.reduced).contains { reduced in
      reduced.reads.contains { read in
        guard read.key == "date", let date = read.value.string else { return false }
        return !reduced.after.texts(at: []).contains { $0.text == date }
      }
    }
    guard computes, let environment = script.header?.environment,
      let calendar = environment["calendar"]?.string, calendar.isSwiftIdentifier,
      let zone = environment["timeZone"]?.string
    else { return [] }
    return [
      "$0.timeZone = TimeZone(identifier: \(SwiftCode.text(zone).text)) ?? .gmt",
      "$0.calendar = Calendar(identifier: .\(calendar))",
      "$0.calendar.timeZone = $0.timeZone",
    ]
  }
}

// MARK: - Reads

extension StoreTestWriter {
  /// Writes the answers to reads in a step and in the `.receive` steps that directly follow it.
  private mutating func prepare(
    _ step: StoreScript.ScriptStep,
    _ rest: ArraySlice<StoreScript.ScriptStep>
  ) {
    if case .receive = step { return }
    var reads = step.reduced?.reads ?? []
    for next in rest {
      guard case .receive(let reduced) = next else { break }
      reads += reduced.reads
    }
    let dates = Set(reads.filter { $0.key == "date" }.map(\.value))
    if dates.count == 1, let date = dates.first?.string.flatMap(SwiftValues.date) {
      statements.append(date.wrapped("store.dependencies.date = .constant(", ")"))
      reads.removeAll { $0.key == "date" }
    }
    for read in reads where !isAnswered(read.key) {
      usesReads = true
      answered.insert(read.key)
      let key = SwiftCode.text(read.key).text
      statements.append(SwiftCode.json(read.value).wrapped("reads.answer(\(key), with: ", ")"))
    }
  }

  /// Returns whether the test store answers the key with the recorded value, without a stub.
  private func isAnswered(_ key: String) -> Bool {
    switch key {
    case "uuid": countsUUIDs
    case "stackElementID": numbersElements
    default: false
    }
  }
}

// MARK: - Steps

extension StoreTestWriter {
  /// Writes a step.
  ///
  /// If the step reports an issue, it is wrapped in `withKnownIssue`.
  private mutating func write(_ step: StoreScript.ScriptStep) {
    guard let issue = step.reduced?.issue else { return writeStatements(step) }
    let outer = statements
    statements = []
    writeStatements(step)
    let inner = statements
    statements = outer
    statements.append(SwiftCode.comment(issue))
    let head = SwiftCode("await withKnownIssue(isIntermittent: true)")
    statements.append(SwiftCode.closure(head, inner))
  }

  private mutating func writeStatements(_ step: StoreScript.ScriptStep) {
    switch step {
    case .note(let text):
      for line in text.split(whereSeparator: \.isNewline) {
        statements.append(SwiftCode.comment(line))
      }
    case .send(let reduced):
      if let remark = reduced.remark { statements.append(SwiftCode.comment(remark)) }
      call(values.expression(reduced.action, at: ["action"]).wrapped("store.send(", ")"), reduced)
    case .receive(let reduced):
      call(SwiftCode("store.receive(\(path(of: reduced.action)))"), reduced)
    case .effect(let use, let sending, let ends):
      usesEffects = true
      effect(use, sending, ends: ends)
      if let sending { call(SwiftCode("store.receive(\(path(of: sending.action)))"), sending) }
    }
  }

  private mutating func effect(
    _ use: StoreScript.EffectReference,
    _ sending: StoreScript.ReducedAction?,
    ends: Bool
  ) {
    var parts: [SwiftCode] = []
    let name = use.name.map { SwiftCode.text($0) }
    let action = sending.map { values.expression($0.action, at: ["action"]) }
    if ends {
      if let name { parts.append(name) }
      if let action { parts.append(action.wrapped("sending: ")) }
    } else {
      if let action { parts.append(action) }
      if let name { parts.append(name.wrapped("from: ")) }
    }
    if let position = use.position { parts.append(SwiftCode("at: \(position)")) }
    let call = SwiftCode.list(parts).wrapped("effects.\(ends ? "finish" : "send")(", ")")
    statements.append(call.wrapped(call.canThrow ? "try await " : "await "))
  }

  /// Returns the reason why a step can't be written, or `nil` if it can.
  ///
  /// A step can't be written if the state after it contains a NaN, or if its change contains a value that the log holds
  /// only as a type name.
  private func limit(of step: StoreScript.ScriptStep) -> StoreTestEndReason? {
    guard let reduced = step.reduced else { return nil }
    if reduced.after.hasNaN { return .notANumber(reduced.seq) }
    guard let type = reduced.after.opaque else { return nil }
    let changes = StateAssignments(from: reduced.before, to: reduced.after, values)
    return changes.statements.contains { $0.text.contains("\"$opaque\":") }
      ? .opaque(reduced.seq, type: type) : nil
  }

  /// Writes a call with a trailing closure that contains the state changes.
  private mutating func call(_ call: SwiftCode, _ reduced: StoreScript.ReducedAction) {
    let changes = StateAssignments(from: reduced.before, to: reduced.after, values)
    let head = call.wrapped(call.canThrow ? "try await " : "await ")
    statements.append(SwiftCode.closure(head, changes.statements))
  }

  /// Returns a case key path for an action, followed by its payload if that can be a literal.
  ///
  /// The path ends at the first action whose type is not known to be that of a feature.
  private func path(of action: JSON) -> String {
    var path = "\\"
    var value = action
    var place = ["action"]
    while let (name, payload) = values.places.enumCase(value, at: place) {
      path += ".\(SwiftNameConverter.quotedMember(name))"
      guard let inner = payload["_0"], payload.count == 1 else { return path }
      place += [name, "_0"]
      if name == "success" || name == "failure" || values.places.enumCase(inner, at: place) == nil {
        return path + expected(inner, at: place)
      }
      if let element = inner["element"]?.object, element.keys == ["id", "action"],
        let id = values.plain(element.values[0], at: place + ["element", "id"])
          ?? element.values[0].int.map({ SwiftCode("\($0)") })
      {
        path += "[id: \(id.text)]"
        value = element.values[1]
        place += ["element", "action"]
      } else if inner["presented"] != nil || values.places.features.contains(name)
        || inner["success"]?["_0"] != nil || inner["failure"]?["_0"] != nil
        || name == "presented" && values.places.featureCases.contains(inner.object?.firstKey ?? "")
      {
        value = inner
      } else {
        return path
      }
    }
    return path
  }

  /// Returns the payload as an additional argument, or an empty string if it can't be a literal.
  private func expected(_ value: JSON, at place: ValueTypeInference.WildcardPath) -> String {
    switch value {
    case .bool, .number, .string:
      guard let code = values.plain(value, at: place), !code.canThrow else { return "" }
      return ", \(code.text)"
    default: return ""
    }
  }
}

extension StoreScript.ScriptStep {
  /// The action of the step with its states, or `nil` if the step has no action.
  var reduced: StoreScript.ReducedAction? {
    get {
      switch self {
      case .send(let reduced), .receive(let reduced): reduced
      case .effect(_, let sending, _): sending
      case .note: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .send: self = .send(newValue)
      case .receive: self = .receive(newValue)
      case .effect(let use, .some, let ends): self = .effect(use, sending: newValue, ends: ends)
      case .effect, .note: break
      }
    }
  }
}

// MARK: - Facts from changes

extension ValueTypeInference {
  /// Collects facts from the values that a change adds or replaces.
  fileprivate mutating func see(from old: JSON, to new: JSON, at place: WildcardPath) {
    guard old != new else { return }
    switch (old, new) {
    case (.object(let before), .object(let after)) where before.keys == after.keys:
      see(names: after, at: place)
      for (name, value) in after {
        if let old = before[name] { see(from: old, to: value, at: place + [name]) }
      }
    case (.array(let before), .array(let after)) where before.count == after.count:
      for (old, new) in zip(before, after) { see(from: old, to: new, at: place + ["*"]) }
    default: see(new, at: place)
    }
  }
}

extension JSON {
  /// Returns all strings in this value with their paths.
  fileprivate func texts(at place: [String]) -> [(text: String, place: [String])] {
    switch self {
    case .string(let text): return [(text, place)]
    case .array(let elements): return elements.flatMap { $0.texts(at: place + ["*"]) }
    case .object(let object):
      if place.last == "set", let path = object["_0"]?.string, let value = object["_1"] {
        return value.texts(at: place + [path])
      }
      return object.flatMap { name, value in value.texts(at: place + [name]) }
    default: return []
    }
  }

  /// Returns the strings with which `new` differs from this value, with their paths.
  fileprivate func changedTexts(
    in new: JSON,
    at place: [String]
  ) -> [(text: String, place: [String])] {
    guard self != new else { return [] }
    switch (self, new) {
    case (.object(let old), .object(let new)):
      return new.flatMap { name, value in
        old[name].map { $0.changedTexts(in: value, at: place + [name]) }
          ?? value.texts(at: place + [name])
      }
    case (.array(let old), .array(let new)) where old.count == new.count:
      return zip(old, new).flatMap { $0.changedTexts(in: $1, at: place + ["*"]) }
    default: return new.texts(at: place)
    }
  }
}
