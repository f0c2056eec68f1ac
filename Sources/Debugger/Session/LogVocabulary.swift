import ActionLog
import LogTools
import ReplayEngine

/// The actions, effects, and reads of a log, in the form in which users type them.
struct LogVocabulary {
  /// The case paths of the log's actions, such as `.path[].report.reload`.
  let actions: [String]
  /// The case paths with the ids of elements, such as `.path[2].report.reload`.
  let elements: [String]
  /// The case paths with the cases of their values, such as `.saved(.failure)`.
  let values: [String]
  /// The names of the log's effects, or the source locations of effects without a name.
  let effects: [String]
  /// The keys of the log's reads.
  let reads: [String]

  /// The maximum number of steps to scan, because the user waits for the result.
  private static let mostSteps = 20_000
  /// The maximum number of element paths.
  ///
  /// Users can't choose from a longer list.
  private static let mostElements = 1000

  /// Scans a log.
  ///
  /// - Throws: `LogReadError`.
  init(of log: DebuggedLog) throws(LogReadError) {
    var actions: Set<String> = []
    var elements: Set<String> = []
    var values: Set<String> = []
    var effects: Set<String> = []
    var reads: Set<String> = []
    var step = try log.first()
    var count = 0
    while let current = step, count < Self.mostSteps {
      if let action = current.action {
        let path = Notation().casePath(action.action)
        actions.insert(path)
        if path.contains("["), elements.count < Self.mostElements {
          elements.insert(String(Notation().action(action.action).prefix { $0 != "(" }))
        }
        if let value = Self.valueCase(of: action.action) { values.insert("\(path)(.\(value))") }
      }
      for read in current.reads { reads.insert(read.key) }
      for effect in current.effects.flatMap(\.flattened) where effect.operation == .run {
        if let name = effect.name ?? effect.source?.split(separator: "/").last.map(String.init) {
          effects.insert(name)
        }
      }
      step = try log.step(after: current.id)
      count += 1
    }
    self.actions = actions.sorted()
    self.elements = elements.sorted()
    self.values = values.sorted()
    self.effects = effects.sorted()
    self.reads = reads.sorted()
  }

  /// Returns the case of an action's first value, such as `failure` for `.saved(.failure(.offline))`.
  private static func valueCase(of action: JSON) -> Substring? {
    let text = Notation().action(action)
    guard let start = text.firstRange(of: "(.") else { return nil }
    let name = text[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : name
  }
}

extension DebuggedLog {
  /// The maximum number of steps to scan, because the user waits for the result.
  private static let mostSteps = 20_000

  /// Returns whether no step of the log matches, or `nil` if this is unknown.
  ///
  /// The result is unknown if the log is too long to scan while the user waits, or is damaged.
  package func hasNone(where isThere: (LogStep) -> Bool) throws(LogReadError) -> Bool? {
    var step = try first()
    var count = 0
    while let current = step {
      if isThere(current) { return false }
      count += 1
      guard count < Self.mostSteps else { return nil }
      step = try self.step(after: current.id)
    }
    // A step after a damaged line may match.
    return damage == nil ? true : nil
  }

  /// Returns the reasons why a condition can't hold as intended, or `nil` if the log is too long to scan.
  func doubts(of condition: Condition) throws(LogReadError) -> [ConditionDiagnosis.NeverTrueReason]?
  {
    var survey = ConditionDiagnosis(condition.expression)
    var step = try first()
    var count = 0
    while let current = step {
      if let context = current.context {
        let value = condition.value(of: context)
        if condition.expression.holds(for: value) { return [] }
        survey.examine(value, of: context.action?.action)
      }
      count += 1
      guard count < Self.mostSteps else { return nil }
      step = try self.step(after: current.id)
    }
    return survey.doubts(isNeverTrue: damage == nil)
  }
}
