import ActionLog
import Foundation

/// A place at which replays of one log differ.
struct UnstablePlace: Sendable, Equatable {
  /// The first action at which they differ.
  let seq: Int
  /// The action itself.
  var action: JSON?
  let aspect: Aspect
  /// The place: a path in the state with `*` for each index, an effect, the key of a read.
  let path: String
  var reasons: [DifferenceReason] = []
  /// The values that the replays have there, each once.
  var values: [Value] = []

  /// The part of an action's outcome that differs.
  enum Aspect: Sendable, Hashable {
    case difference(LogDifference.Cause)
    /// Some replays trap, and others do not.
    case trap

    var name: String {
      switch self {
      case .difference(let cause): cause.rawValue
      case .trap: "trap"
      }
    }
  }

  /// The identity of a place in all logs.
  struct Key: Hashable, Sendable {
    let aspect: Aspect
    let path: String
  }

  var key: Key { Key(aspect: aspect, path: path) }

  /// A value, and the replays that have it.
  struct Value: Sendable, Equatable {
    /// `nil` when there is nothing at the place.
    let value: JSON?
    /// The replays, counted from 1.
    var runs: [Int]
    var isInLog: Bool
  }

  /// Why replays may differ.
  enum DifferenceReason: String, Sendable, Hashable {
    /// They differ with the hash seed alone: the order of a set or dictionary.
    case unorderedCollection
    /// They differ within one setting, and the values look like times.
    case clock
    /// They differ within one setting.
    case random
    case timeZone
    case locale
    /// No factor of the settings explains it.
    case unknown

    /// Whether chance could give the values that lead to it.
    var isGuess: Bool {
      switch self {
      // Of a clock, numbers that grow by accident.
      case .unorderedCollection, .timeZone, .locale, .clock: true
      case .random, .unknown: false
      }
    }

    init(_ factor: AuditSetting.Factor) {
      switch factor {
      case .hashSeed: self = .unorderedCollection
      case .timeZone: self = .timeZone
      case .locale: self = .locale
      }
    }
  }

  var json: JSON {
    var object: JSON.Object = ["seq": .number(JSON.Number(seq))]
    object["action"] = action
    object["aspect"] = .string(aspect.name)
    object["path"] = .string(path)
    object["reasons"] = .array(reasons.map { .string($0.rawValue) })
    object["values"] = .array(
      values.map { value in
        var object = JSON.Object()
        object["value"] = value.value
        object["runs"] = .array(value.runs.map { .number(JSON.Number($0)) })
        object["isInLog"] = .bool(value.isInLog)
        return .object(object)
      }
    )
    return .object(object)
  }
}

extension UnstablePlace.Key {
  /// The place of a difference: elements of an array are one place, and so are effects of different actions.
  init(_ difference: LogDifference) {
    aspect = .difference(difference.cause)
    guard let location = Self.location(of: difference) else {
      // The id of an effect starts with its action, which is reported anyway.
      let path = EffectID(difference.subject).map { "effect \($0.index)" } ?? difference.subject
      let member = difference.member.map { "/\($0)" } ?? ""
      self.path = path + member
      return
    }
    path = location.anyElement.description
  }

  /// The place in any log: an id names an entry of one log alone.
  var anyID: Self {
    guard aspect == .difference(.state), let pointer = try? JSON.Pointer(parsing: path) else {
      return self
    }
    return Self(aspect: aspect, path: pointer.anyID.description)
  }

  /// The place of a difference in the state, without the elements that it ends with; `nil` for one outside of the state.
  static func location(of difference: LogDifference) -> JSON.Location? {
    guard difference.cause == .state, var location = difference.location else { return nil }
    while case .index? = location.steps.last { location.steps.removeLast() }
    return location
  }
}

/// Infers from the values of replays in different settings why they differ at a place.
struct ReasonFinder {
  let runs: [AuditRun]
  /// The current date.
  var date = Date()

  /// The likely reasons.
  ///
  /// - Parameter values: The value of each replay; `nil` where it has none.
  /// - Returns: The reason of a difference within a setting; otherwise one reason for each factor that the values follow.
  func reasons(for values: [JSON?]) -> [UnstablePlace.DifferenceReason] {
    guard let own = runs.first else { return [] }
    for first in runs.indices {
      for second in runs.indices.dropFirst(first + 1)
      where runs[first].setting == runs[second].setting && values[first] != values[second] {
        if isTime(values) { return [.clock] }
        guard !runs[first].isRepeated(by: runs[second]) else { return [.random] }
        // The host draws its seeds itself: both are as likely, unless only the order differs.
        return isReordered(values) ? [.unorderedCollection] : [.unorderedCollection, .random]
      }
    }
    let factors = runs.indices.reduce(into: Set<AuditSetting.Factor>()) { found, index in
      guard values[index] != values[0] else { return }
      found.formUnion(runs[index].setting.factors(differingFrom: own.setting))
    }
    let reasons = AuditSetting.Factor.allCases.filter(factors.contains)
      .map(UnstablePlace.DifferenceReason.init)
    return reasons.isEmpty ? [.unknown] : reasons
  }

  /// Whether all values are arrays of the same elements.
  private func isReordered(_ values: [JSON?]) -> Bool {
    let sorted = values.map { $0?.array?.map(\.description).sorted() }
    return sorted.first != .some(nil) && Set(sorted).count == 1
  }

  private func isTime(_ values: [JSON?]) -> Bool {
    values.allSatisfy { $0.map(looksLikeTime) ?? true } || grows(values)
  }

  private func looksLikeTime(_ value: JSON) -> Bool {
    switch value {
    case .string(let text): text.contains(/\d{4}-\d\d-\d\d|\d\d?:\d\d/) || isNow(text)
    case .number(let number): isNow(number.double)
    case .array(let elements): !elements.isEmpty && elements.contains(where: looksLikeTime)
    case .object(let object): object.contains { looksLikeTime($0.value) }
    case .null, .bool: false
    }
  }

  /// Whether a value is about today's date.
  func isNow(_ value: JSON) -> Bool {
    switch value {
    case .number(let number): isNow(number.double)
    case .string(let text): isNow(text)
    case .null, .bool, .array, .object: false
    }
  }

  /// Whether a text holds the time of now, as a date, a time of day or a number.
  private func isNow(_ text: String) -> Bool {
    TimeText(text).isAbout(date, in: zones)
      || text.matches(of: /\d{9,}(\.\d+)?/).contains { match in
        Double(match.output.0).map { isNow($0) } ?? false
      }
  }

  /// The zones of the replays.
  private var zones: [TimeZone] {
    let names = Set(runs.compactMap(\.setting.timeZone))
    return [.gmt, .current] + names.compactMap { TimeZone(identifier: $0) }
  }

  /// Whether a number is about today's date in one of the usual units.
  private func isNow(_ number: Double) -> Bool {
    let since1970 = date.timeIntervalSince1970
    let times = [1, 1e3, 1e6, 1e9].map { ($0 * since1970, $0) }
    return (times + [(date.timeIntervalSinceReferenceDate, 1)]).contains { time, unit in
      abs(number - time) < Self.nearby * unit
    }
  }

  /// Whether numbers get larger in the order in which the replays began, as those of a clock do.
  private func grows(_ values: [JSON?]) -> Bool {
    let numbers = runs.indices.sorted { runs[$0].start < runs[$1].start }
      .compactMap { values[$0]?.number?.double }
    guard numbers.count == values.count, numbers.count >= Self.enough else { return false }
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// In seconds.
  private static let day = 86_400.0
  /// Two days: a date of another zone is nearby.
  private static let nearby = 2 * day
  /// How many numbers in order are no accident: of six random ones, one sequence in 720 is in order.
  private static let enough = 6
}
