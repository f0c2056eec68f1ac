import ActionLog

/// A suggester that compares a log with the code to derive the missing migration.
///
/// States and actions are compared with their types. The types of reads, effect inputs, and cancellation IDs are not
/// known, so these values are compared with a replay.
package struct MigrationSuggester {
  private let events: () throws -> LogComparison.Events
  private let entry: FeatureEntry
  /// The existing steps of the feature, starting at the log's version.
  private let steps: [Migration]
  /// The version at which the suggestion starts.
  private let version: Int

  /// Creates a suggester for a log.
  ///
  /// - Parameters:
  ///   - header: The header of the log.
  ///   - entry: The feature that replays the log.
  ///   - events: A closure that opens the log.
  package init(
    _ header: LogEvent.Header,
    _ entry: FeatureEntry,
    events: @escaping () throws -> LogComparison.Events
  ) {
    self.events = events
    self.entry = entry
    var version = header.schemaVersion ?? 1
    var steps: [Migration] = []
    while let step = entry.migrations.first(where: { $0.version == version }) {
      steps.append(step)
      version += 1
    }
    (self.steps, self.version) = (steps, version)
  }

  /// Returns the suggested migration, or `nil` for a feature whose types are unknown.
  ///
  /// - Throws: `LogReadError`, `MigrationError` of the existing steps, or the error of an engine that can't be created.
  package func suggestion() throws -> SuggestedMigration? {
    guard let types = entry.types else { return nil }
    let engine = try entry.makeEngine()
    var suggestion = SuggestedMigration(from: version)
    let (states, actions, lastFinished) = try values()
    let state = SchemaComparison(TypeOutline(of: types.state), ObservedShape(states)) { changes in
      Self.problem(states, changes) { try engine.rewritten($0) }
    }
    let action = SchemaComparison(TypeOutline(of: types.action), ObservedShape(actions)) {
      changes in
      Self.problem(actions, changes) { try engine.rewritten(action: $0) }
    }
    (suggestion.state, suggestion.action) = (state.changes, action.changes)
    suggestion.unclear = state.unclear + action.unclear
    suggestion.choices = state.choices + action.choices
    guard suggestion.unclear.isEmpty else { return suggestion }
    for _ in 0..<Self.mostRounds {
      guard try refine(&suggestion, through: lastFinished) else { break }
    }
    return suggestion
  }

  /// The maximum number of replays.
  ///
  /// Several replays are needed, because each one reveals the next change: a read is renamed before it can be decoded,
  /// and decoded before the effects that depend on it can be compared.
  private static let mostRounds = 6
  /// The maximum number of distinct states, and of distinct actions, to examine.
  ///
  /// Bounds the time.
  private static let mostValues = 2_000

  /// Returns the distinct states and actions of the log, and the number of the last completed action.
  ///
  /// The values are migrated by the existing steps.
  private func values() throws -> (states: [JSON], actions: [JSON], lastFinished: Int) {
    var lastFinished = 0
    var states = DistinctValues(most: Self.mostValues)
    var actions = DistinctValues(most: Self.mostValues)
    var cursor = LogCursor()
    let next = try migrated([])
    func add(_ effects: [EffectDescription]) {
      for effect in effects.flatMap(\.flattened) { effect.action.map { actions.add($0) } }
    }
    while let event = try next() {
      try cursor.move(to: event)
      try cursor.apply()
      switch event {
      case .checkpoint(let checkpoint): add(checkpoint.effects)
      case .action(let action): actions.add(action.action)
      default: add(event.stateChange?.effects ?? [])
      }
      lastFinished = event.finishedSeq ?? lastFinished
      if event.stateChange != nil || event.kind == "checkpoint" {
        cursor.state.map { states.add($0) }
      }
    }
    return (states.values, actions.values, lastFinished)
  }

  /// Opens the log's events, migrated by the existing steps and then by additional ones.
  private func migrated(_ more: [Migration]) throws -> LogComparison.Events {
    let events = try events()
    let plan = MigrationPlan(version: version + more.count, steps: steps + more)
    let migrator = LogMigrator { _ in plan }
    return { try migrator.next(events) }
  }

  private static func problem(
    _ values: [JSON],
    _ changes: [SuggestedChange],
    _ read: (JSON) throws -> JSON
  ) -> SchemaComparison.DecodingProblem? {
    for value in values {
      guard let value = changes.applied(to: value) else {
        return SchemaComparison.DecodingProblem(path: JSON.Pointer(), isMissing: false, message: "")
      }
      do { _ = try read(value) } catch let error as LogDecodingError {
        return SchemaComparison.DecodingProblem(
          path: error.path,
          isMissing: error.problem == .missing,
          message: "\(error)"
        )
      } catch {
        return SchemaComparison.DecodingProblem(
          path: JSON.Pointer(),
          isMissing: false,
          message: "\(error)"
        )
      }
    }
    return nil
  }
}

extension MigrationSuggester {
  /// Returns whether a log replays identically as a log of the code's version, but not after the migrations to that
  /// version.
  ///
  /// - Parameters:
  ///   - log: A log that states no version.
  ///   - entry: The feature that replays the log.
  /// - Returns: Whether the log lacks only the version.
  /// - Throws: `LogReadError`, `MigrationError`, or the error of an engine that can't be created.
  package static func isOfCodeVersion(_ log: LogSlice, _ entry: FeatureEntry) throws -> Bool {
    // Stops before an action at which the recording ended, because it might end this process too.
    var lastFinished = 0
    let events = try log.events()
    while let event = try events() { lastFinished = event.finishedSeq ?? lastFinished }
    let check = ReplayCheck(log: log, until: lastFinished)
    let plan = try MigrationPlan(entry)
    let isMigrated = (try? check.run(plan) { _ in try entry.makeEngine() }.isSame) == true
    return try !isMigrated && check.run { _ in try entry.makeEngine() }.isSame
  }
}

// MARK: - Changes that a replay reveals

extension MigrationSuggester {
  /// Replays the log with the suggestion, and adds a change that the replay reveals.
  ///
  /// - Returns: Whether the suggestion was changed.
  private func refine(
    _ suggestion: inout SuggestedMigration,
    through lastFinished: Int
  ) throws -> Bool {
    let shown = try replay(suggestion, lastFinished)
    for (old, new) in shown.renamedReads where !suggestion.reads.contains(where: { $0.name == old })
    {
      suggestion.reads.append(SuggestedMigration.NamedValueChanges(name: old, newName: new))
      return true
    }
    for key in shown.removedReads where !suggestion.reads.contains(where: { $0.name == key }) {
      suggestion.reads.append(SuggestedMigration.NamedValueChanges(name: key, isRemoved: true))
      return true
    }
    if let (key, outline) = shown.unreadable.first {
      return try suggestRead(key, outline, shown.values[key] ?? [], &suggestion, lastFinished)
    }
    return suggestEffects(shown, &suggestion)
  }

  /// Suggests how to change the values of a read that the code can't decode.
  ///
  /// - Returns: Whether the suggested changes solve the problem.
  private func suggestRead(
    _ key: String,
    _ outline: TypeOutline,
    _ values: [JSON],
    _ suggestion: inout SuggestedMigration,
    _ lastFinished: Int
  ) throws -> Bool {
    let name = suggestion.reads.first { $0.newName == key }?.name ?? key
    let known = suggestion.reads.first { $0.name == name }
    guard known?.changes.isEmpty ?? true else { return false }
    let base = suggestion
    func with(_ changes: [SuggestedChange]) -> SuggestedMigration {
      var tried = base
      tried.reads.removeAll { $0.name == name }
      if !changes.isEmpty || known?.newName != nil {
        tried.reads.append(
          SuggestedMigration.NamedValueChanges(
            name: name,
            newName: known?.newName,
            changes: changes
          )
        )
      }
      return tried
    }
    let comparison = SchemaComparison(outline, ObservedShape(values)) { changes in
      do { return try replay(with(changes), lastFinished).problems[key] } catch {
        return SchemaComparison.DecodingProblem(
          path: JSON.Pointer(),
          isMissing: false,
          message: "\(error)"
        )
      }
    }
    suggestion = with(try fitted(comparison.changes, lastFinished, with))
    suggestion.unclear += comparison.unclear.map { "\(key): \($0)" }
    suggestion.choices += comparison.choices.map { "\(key): \($0)" }
    return comparison.unclear.isEmpty && !comparison.changes.isEmpty
  }

  /// Replaces the values of added members, so that the states after the read match the recorded ones where possible.
  private func fitted(
    _ changes: [SuggestedChange],
    _ lastFinished: Int,
    _ suggestion: ([SuggestedChange]) -> SuggestedMigration
  ) throws -> [SuggestedChange] {
    var changes = changes
    for (index, change) in changes.enumerated() {
      guard case .set(_, let place) = change,
        let found = try firstDifference(suggestion(changes), lastFinished), found.cause == .state
      else { continue }
      for value in found.candidates {
        var tried = changes
        tried[index] = .set(value, at: place)
        let next = try firstDifference(suggestion(tried), lastFinished)
        guard next.map({ $0.seq > found.seq }) ?? true else { continue }
        changes = tried
        break
      }
    }
    return changes
  }

  /// Returns the first difference between the migrated log and its replay, or `nil` if they are equal.
  private func firstDifference(
    _ suggestion: SuggestedMigration,
    _ lastFinished: Int
  ) throws -> LogDifference? {
    let recorded = try migrated([suggestion.migration])
    var session = ReplaySession(
      until: lastFinished,
      events: try migrated([suggestion.migration])
    ) { _ in
      try entry.makeEngine()
    }
    try session.start()
    var difference: LogDifference?
    try session.withContext {
      var comparison = LogComparison(recorded: recorded, replayed: { try session.next() })
      difference = try comparison.run().differences.first
    }
    return difference
  }

  private func suggestEffects(
    _ shown: ReadAndEffectDifferences,
    _ suggestion: inout SuggestedMigration
  ) -> Bool {
    let before = (suggestion.inputs, suggestion.cancelIDs)
    func unclear(
      _ values: [(name: String, pairs: ReadAndEffectDifferences.Pairs)],
      _ text: (_ name: String, _ old: JSON, _ new: JSON) -> String
    ) -> [String] {
      values.compactMap { name, pairs in
        guard let pair = pairs.values.first, MigrationChangeInference.changes(pairs.values) == nil
        else {
          return nil
        }
        return text(name, pair.old, pair.new)
      }
    }
    suggestion.unclear =
      shown.addedReads.map { Wording.addedRead($0) }
      + unclear(shown.inputs) { Wording.changedInput(of: $0, from: $1, to: $2) }
      + unclear(shown.cancelIDs) { Wording.changedCancelID(of: $0, from: $1, to: $2) }
    for (name, pairs) in shown.inputs {
      guard !suggestion.inputs.contains(where: { $0.name == name }) else { continue }
      let new = pairs.newName
      let changes = MigrationChangeInference.changes(pairs.values) ?? []
      guard new != nil || !changes.isEmpty else { continue }
      suggestion.inputs.append(
        SuggestedMigration.NamedValueChanges(name: name, newName: new, changes: changes)
      )
    }
    for (type, pairs) in shown.cancelIDs {
      guard !suggestion.cancelIDs.contains(where: { $0.name == type }) else { continue }
      let changes = MigrationChangeInference.changes(pairs.values) ?? []
      guard pairs.newName != nil || !changes.isEmpty else { continue }
      suggestion.cancelIDs.append(
        SuggestedMigration.NamedValueChanges(name: type, newName: pairs.newName, changes: changes)
      )
    }
    return before != (suggestion.inputs, suggestion.cancelIDs)
  }

  private func replay(
    _ suggestion: SuggestedMigration,
    _ lastFinished: Int
  ) throws -> ReadAndEffectDifferences {
    var shown = ReadAndEffectDifferences()
    let events = try migrated([suggestion.migration])
    var recorded: [Int: [EffectDescription]] = [:]
    // Stops before an action at which the recording ended, because it might end this process too.
    var session = ReplaySession(until: lastFinished, isResyncing: true) {
      let event = try events()
      switch event {
      case .read(let read)?: shown.values[read.key, default: []].append(read.value)
      case .change(let change)?: recorded[change.seq] = change.effects
      default: break
      }
      return event
    } makeEngine: { _ in
      try entry.makeEngine()
    }
    var unrecorded: [Int: [String]] = [:]
    try session.start()
    try session.withContext {
      while let event = try session.next() {
        switch event {
        case .finding(let finding) where finding.code == .undecodable:
          guard let problem = UnreadableRead(finding) else { break }
          shown.record(problem)
        case .finding(let finding) where finding.code == .unrecordedRead:
          unrecorded[finding.seq, default: []].append(finding.subject)
        case .finding(let finding) where finding.code == .unusedRead:
          guard unrecorded[finding.seq]?.isEmpty == false,
            let new = unrecorded[finding.seq]?.removeFirst()
          else {
            shown.removedReads.append(finding.subject)
            break
          }
          if new != finding.subject { shown.renamedReads.append((finding.subject, new)) }
        case .change(let change):
          shown.record(recorded.removeValue(forKey: change.seq) ?? [], change.effects)
        default: break
        }
      }
    }
    for (_, keys) in unrecorded.sorted(by: { $0.key < $1.key }) {
      for key in keys where !shown.addedReads.contains(key) { shown.addedReads.append(key) }
    }
    return shown
  }
}

extension LogDifference {
  /// The values that a read may have returned to produce the recorded state: the new value in the state, or the
  /// increment of a number in it.
  fileprivate var candidates: [JSON] {
    guard let expected else { return [] }
    guard let new = expected.int, let old = actual?.int else { return [expected] }
    let (sum, isTooLarge) = new.subtractingReportingOverflow(old)
    return isTooLarge ? [expected] : [.number(JSON.Number(sum)), expected]
  }
}

/// The differences in reads and effects that a replay reveals.
private struct ReadAndEffectDifferences {
  var values: [String: [JSON]] = [:]
  var unreadable: [(key: String, outline: TypeOutline)] = []
  var problems: [String: SchemaComparison.DecodingProblem] = [:]
  var renamedReads: [(old: String, new: String)] = []
  var removedReads: [String] = []
  /// The keys that the code reads but that the log lacks.
  var addedReads: [String] = []
  var inputs: [(name: String, pairs: Pairs)] = []
  var cancelIDs: [(name: String, pairs: Pairs)] = []

  /// Pairs of a recorded value and the corresponding value of the replay.
  struct Pairs {
    var newName: String?
    var values: [(old: JSON, new: JSON)] = []
  }

  mutating func record(_ read: UnreadableRead) {
    guard problems[read.key] == nil else { return }
    problems[read.key] = read.problem
    unreadable.append((read.key, read.outline))
  }

  /// Records the differences between the recorded and the replayed effects of an action.
  mutating func record(_ recorded: [EffectDescription], _ own: [EffectDescription]) {
    let old = recorded.compactMap(\.comparable).flatMap(\.flattened)
    let new = own.compactMap(\.comparable).flatMap(\.flattened)
    guard old.map(\.operation) == new.map(\.operation) else { return }
    for (old, new) in zip(old, new) {
      if let name = old.name, let newName = new.name, old.name != new.name || old.input != new.input
      {
        Self.record(name, newName, old.input, new.input, in: &inputs)
      }
      if let id = old.cancelID, let own = new.cancelID, id.type != own.type || id.value != own.value
      {
        Self.record(id.type, own.type, id.value, own.value, in: &cancelIDs)
      }
    }
  }

  private static func record(
    _ old: String,
    _ new: String,
    _ oldValue: JSON?,
    _ newValue: JSON?,
    in list: inout [(name: String, pairs: Pairs)]
  ) {
    let index = list.firstIndex { $0.name == old } ?? list.endIndex
    if index == list.endIndex { list.append((old, Pairs())) }
    if old != new { list[index].pairs.newName = new }
    guard let oldValue, let newValue, oldValue != newValue else { return }
    list[index].pairs.values.append((oldValue, newValue))
  }
}

/// A recorded read that the code can't decode, as reported by a replay.
private struct UnreadableRead {
  let key: String
  let outline: TypeOutline
  let problem: SchemaComparison.DecodingProblem

  init?(_ finding: LogEvent.Finding) {
    guard let read = finding.rest[UndecodableReadFinding.member], let text = read["path"]?.string,
      let path = try? JSON.Pointer(parsing: text)
    else { return nil }
    key = finding.subject
    outline = TypeOutline(json: read["type"] ?? [:])
    problem = SchemaComparison.DecodingProblem(
      path: path,
      isMissing: read["missing"]?.bool ?? false,
      message: finding.message ?? ""
    )
  }
}

/// The parts of a finding about a read that can't be decoded: the path of the problem, and the expected type.
package enum UndecodableReadFinding {
  static let member = "read"

  /// Creates a finding that reports a read that can't be decoded.
  package static func finding(
    _ key: String,
    _ value: JSON,
    _ type: Any.Type,
    _ error: any Error
  ) -> LogEvent.Finding {
    var finding = LogEvent.Finding(
      seq: 0,
      code: .undecodable,
      subject: key,
      actual: value,
      message: Wording.unreadable(read: key, "\(error)")
    )
    let decoding = error as? LogDecodingError
    finding.rest[member] = [
      "type": TypeOutline(of: type).json, "path": .string(decoding?.path.description ?? ""),
      "missing": .bool(decoding?.problem == .missing),
    ]
    return finding
  }
}

/// Functions that derive the changes that convert recorded values to those of a replay.
private enum MigrationChangeInference {
  /// Returns the changes that convert each old value to its new value, or `nil` if there are no such changes.
  static func changes(_ pairs: [(old: JSON, new: JSON)]) -> [SuggestedChange]? {
    guard let first = pairs.first else { return nil }
    var changes: [SuggestedChange] = []
    find(first.old, first.new, at: JSON.Pointer(), &changes)
    for pair in pairs where changes.applied(to: pair.old) != pair.new { return nil }
    return changes
  }

  private static func find(
    _ old: JSON,
    _ new: JSON,
    at place: JSON.Pointer,
    _ changes: inout [SuggestedChange]
  ) {
    guard old != new else { return }
    guard let target = new.object else { return }
    guard let source = old.object else {
      guard let member = target.first(where: { $0.value == old }) else { return }
      changes.append(.wrap(place, member: member.key))
      for (name, value) in target where name != member.key {
        changes.append(.set(value, at: place.appending(name)))
      }
      return
    }
    var missing = target.filter { source[$0.key] == nil }.map(\.key)
    for (name, value) in source {
      if let same = target[name] {
        find(value, same, at: place.appending(name), &changes)
      } else if let match = missing.first(where: { target[$0] == value }) {
        missing.removeAll { $0 == match }
        changes.append(.move(from: place.appending(name), to: place.appending(match)))
      } else {
        changes.append(.remove(place.appending(name)))
      }
    }
    for name in missing {
      if let value = target[name] { changes.append(.set(value, at: place.appending(name))) }
    }
  }
}

/// A set of values in the order in which they were first inserted, limited to a maximum number.
private struct DistinctValues {
  private(set) var values: [JSON] = []
  private var known: Set<JSON> = []
  private let most: Int

  init(most: Int) { self.most = most }

  mutating func add(_ value: JSON) {
    guard values.count < most, known.insert(value).inserted else { return }
    values.append(value)
  }
}
