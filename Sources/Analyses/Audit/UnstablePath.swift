import ActionLog
import Foundation

/// A path at which replays of one log differ.
struct UnstablePath: Sendable, Equatable {
  /// The number of the first action at which they differ.
  let seq: Int
  /// The value of that action.
  var action: JSON?
  let aspect: Aspect
  /// The path in the state with `*` for each index, an effect, or the key of a read.
  let path: String
  var reasons: [DifferenceReason] = []
  /// The distinct values of the replays at the path.
  var values: [Value] = []

  /// The part of an action's result that differs.
  enum Aspect: Sendable, Hashable {
    case difference(LogDifference.Cause)
    /// Only some replays trap.
    case trap

    var name: String {
      switch self {
      case .difference(let cause): cause.rawValue
      case .trap: "trap"
      }
    }
  }

  /// The identity of a path across logs.
  struct Key: Hashable, Sendable {
    let aspect: Aspect
    let path: String
  }

  var key: Key { Key(aspect: aspect, path: path) }

  /// A value, and the replays that have it.
  struct Value: Sendable, Equatable {
    /// The value; `nil` if there is none at the path.
    let value: JSON?
    /// The numbers of the replays, from 1.
    var runs: [Int]
    var isInLog: Bool
  }

  /// A reason why replays differ.
  enum DifferenceReason: String, Sendable, Hashable {
    /// They differ only between hash seeds, which suggests the order of a set or dictionary.
    case unorderedCollection
    /// They differ within one setting, and the values look like times.
    case clock
    /// They differ within one setting.
    case random
    case timeZone
    case locale
    /// No factor of the settings explains the difference.
    case unknown

    /// Whether random values can lead to this reason by chance.
    var isGuess: Bool {
      switch self {
      // Random numbers can increase by chance, like those of a clock.
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

extension UnstablePath.Key {
  /// Creates the key of a difference.
  ///
  /// It ignores the indexes of arrays and the actions that started an effect.
  init(_ difference: LogDifference) {
    aspect = .difference(difference.cause)
    guard let location = Self.location(of: difference) else {
      // The id of an effect begins with its action, which is reported separately.
      let path = EffectID(difference.subject).map { "effect \($0.index)" } ?? difference.subject
      let member = difference.member.map { "/\($0)" } ?? ""
      self.path = path + member
      return
    }
    path = location.anyElement.description
  }

  /// The path without ids, which are specific to one log.
  var anyID: Self {
    guard aspect == .difference(.state), let pointer = try? JSON.Pointer(parsing: path) else {
      return self
    }
    return Self(aspect: aspect, path: pointer.anyID.description)
  }

  /// Returns the path of a difference in the state without trailing indexes; `nil` for other differences.
  static func location(of difference: LogDifference) -> JSON.Location? {
    guard difference.cause == .state, var location = difference.location else { return nil }
    while case .index? = location.steps.last { location.steps.removeLast() }
    return location
  }
}

/// Infers the reason for a difference from the values of replays in different settings.
struct ReasonFinder {
  let runs: [AuditRun]
  /// The current date.
  var date = Date()

  /// Returns the likely reasons.
  ///
  /// - Parameter values: The value of each replay; `nil` if it has none.
  /// - Returns: The reason of a difference within a setting; without one, a reason for each factor that the values
  ///   follow.
  func reasons(for values: [JSON?]) -> [UnstablePath.DifferenceReason] {
    guard let own = runs.first else { return [] }
    for first in runs.indices {
      for second in runs.indices.dropFirst(first + 1)
      where runs[first].setting == runs[second].setting && values[first] != values[second] {
        if isTime(values) { return [.clock] }
        guard !runs[first].isRepeated(by: runs[second]) else { return [.random] }
        // The hosts draw their own hash seeds, so both reasons are possible, unless only the order differs.
        return isReordered(values) ? [.unorderedCollection] : [.unorderedCollection, .random]
      }
    }
    let factors = runs.indices.reduce(into: Set<AuditSetting.Factor>()) { found, index in
      guard values[index] != values[0] else { return }
      found.formUnion(runs[index].setting.factors(differingFrom: own.setting))
    }
    let reasons = AuditSetting.Factor.allCases.filter(factors.contains)
      .map(UnstablePath.DifferenceReason.init)
    return reasons.isEmpty ? [.unknown] : reasons
  }

  /// Returns whether all values are arrays of the same elements.
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

  /// Returns whether a value contains the current date.
  func isNow(_ value: JSON) -> Bool {
    switch value {
    case .number(let number): isNow(number.double)
    case .string(let text): isNow(text)
    case .null, .bool, .array, .object: false
    }
  }

  /// Returns whether a text contains the current time as a date, a time of day or a number.
  private func isNow(_ text: String) -> Bool {
    TimeText(text).isAbout(date, in: zones)
      || text.matches(of: /\d{9,}(\.\d+)?/).contains { match in
        Double(match.output.0).map { isNow($0) } ?? false
      }
  }

  /// The time zones of the replays.
  private var zones: [TimeZone] {
    let names = Set(runs.compactMap(\.setting.timeZone))
    return [.gmt, .current] + names.compactMap { TimeZone(identifier: $0) }
  }

  /// Returns whether a number is close to the current date in one of the usual units.
  private func isNow(_ number: Double) -> Bool {
    let since1970 = date.timeIntervalSince1970
    let times = [1, 1e3, 1e6, 1e9].map { ($0 * since1970, $0) }
    return (times + [(date.timeIntervalSinceReferenceDate, 1)]).contains { time, unit in
      abs(number - time) < Self.nearby * unit
    }
  }

  /// Returns whether numbers increase in the start order of the replays, as those of a clock do.
  private func grows(_ values: [JSON?]) -> Bool {
    let numbers = runs.indices.sorted { runs[$0].start < runs[$1].start }
      .compactMap { values[$0]?.number?.double }
    guard numbers.count == values.count, numbers.count >= Self.enough else { return false }
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// One day in seconds.
  private static let day = 86_400.0
  /// Two days in seconds, because the date may be that of another time zone.
  private static let nearby = 2 * day
  /// The number of increasing values that exclude chance.
  ///
  /// Six random values are in increasing order with a probability of 1 in 720.
  private static let enough = 6
}
