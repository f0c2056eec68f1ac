import ActionLog
import Foundation

/// A path at which replays of the same log differ.
struct UnstablePath: Sendable, Equatable {
  /// The number of the first action at which the replays differ.
  let seq: Int
  /// The payload of the action with number `seq`, or `nil` if it could not be read.
  var action: JSON?
  let aspect: Aspect
  /// The path into the state with `*` for each index, the name of an effect, or the key of a read; empty for a trap.
  let path: String
  var reasons: [DifferenceReason] = []
  /// The distinct values at the path, each with the replays that have it.
  var values: [Value] = []

  /// The part of an action's outcome that differs.
  enum Aspect: Sendable, Hashable {
    case difference(LogDifference.Cause)
    /// The replays end with different signals or at different actions, or only some of them end with a signal.
    case trap

    var name: String {
      switch self {
      case .difference(let cause): cause.rawValue
      case .trap: "trap"
      }
    }
  }

  /// The aspect and the path, which identify an unstable path regardless of the action at which replays differ.
  struct Key: Hashable, Sendable {
    let aspect: Aspect
    let path: String
  }

  var key: Key { Key(aspect: aspect, path: path) }

  /// One of the values at the path, and the replays that have it.
  struct Value: Sendable, Equatable {
    /// The value, or `nil` if these replays have no value at the path.
    let value: JSON?
    /// The numbers of the replays that have the value, counted from 1.
    var runs: [Int]
    var isInLog: Bool
  }

  /// A likely reason why replays differ.
  enum DifferenceReason: String, Sendable, Hashable {
    /// Values follow the hash seed, which suggests that they depend on the order of a set or dictionary.
    case unorderedCollection
    /// Values look like times, and differ within one setting or from the log.
    case clock
    /// Values differ within one setting and don't look like times.
    case random
    case timeZone
    case locale
    /// No factor of the settings explains the differences.
    case unknown

    /// Whether random values can lead to this reason by chance, so that it must be confirmed.
    var isGuess: Bool {
      switch self {
      // Random values can seem to depend on a seed, time zone, or locale by chance. They can also increase by chance,
      // as times do.
      case .unorderedCollection, .timeZone, .locale, .clock: true
      case .random, .unknown: false
      }
    }

    init(_ factor: AuditEnvironment.Factor) {
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
  /// Creates the key for a difference.
  ///
  /// Array indexes are replaced by `*`, and effects are identified without the number of the action that started them.
  init(_ difference: LogDifference) {
    aspect = .difference(difference.cause)
    guard let location = Self.location(of: difference) else {
      // An effect id begins with the number of its action, which `seq` contains already.
      let path = EffectID(difference.subject).map { "effect \($0.index)" } ?? difference.subject
      let member = difference.member.map { "/\($0)" } ?? ""
      self.path = path + member
      return
    }
    path = location.anyElement.description
  }

  /// The key with `*` for ids in the path, because ids are specific to one log.
  var anyID: Self {
    guard aspect == .difference(.state), let pointer = try? JSON.Pointer(parsing: path) else {
      return self
    }
    return Self(aspect: aspect, path: pointer.anyID.description)
  }

  /// Returns the path of a difference in the state without trailing indexes, or `nil` for other differences.
  static func location(of difference: LogDifference) -> JSON.ValueLocation? {
    guard difference.cause == .state, var location = difference.location else { return nil }
    while case .index? = location.steps.last { location.steps.removeLast() }
    return location
  }
}

/// Infers why values differ between replays, from the settings of these replays.
struct DifferenceReasonFinder {
  let runs: [AuditRun]
  /// The current date.
  ///
  /// Values close to it are recognized as the current time.
  var date = Date()

  /// Returns the likely reasons why values differ.
  ///
  /// - Parameter values: The value in each replay, or `nil` if the replay has no value.
  /// - Returns: If values differ within a setting, the reason for this difference. Otherwise, a reason for each factor
  ///   with which the values change.
  func reasons(for values: [JSON?]) -> [UnstablePath.DifferenceReason] {
    guard let own = runs.first else { return [] }
    for first in runs.indices {
      for second in runs.indices.dropFirst(first + 1)
      where runs[first].setting == runs[second].setting && values[first] != values[second] {
        if isTime(values) { return [.clock] }
        guard !runs[first].isRepeated(by: runs[second]) else { return [.random] }
        // If hosts choose their own hash seeds, either the order of a collection or random values can differ. Random
        // values are excluded if all replays have the same elements.
        return isReordered(values) ? [.unorderedCollection] : [.unorderedCollection, .random]
      }
    }
    let factors = runs.indices.reduce(into: Set<AuditEnvironment.Factor>()) { found, index in
      guard values[index] != values[0] else { return }
      found.formUnion(runs[index].setting.factors(differingFrom: own.setting))
    }
    let reasons = AuditEnvironment.Factor.allCases.filter(factors.contains)
      .map(UnstablePath.DifferenceReason.init)
    return reasons.isEmpty ? [.unknown] : reasons
  }

  /// Returns whether all values are arrays with the same elements, in any order.
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

  /// Returns whether a number or a string contains the current date or time.
  func isNow(_ value: JSON) -> Bool {
    switch value {
    case .number(let number): isNow(number.double)
    case .string(let text): isNow(text)
    case .null, .bool, .array, .object: false
    }
  }

  /// Returns whether a string contains the current time, as a date, a time of day, or a number.
  private func isNow(_ text: String) -> Bool {
    DateDetector(text).isAbout(date, in: zones)
      || text.matches(of: /\d{9,}(\.\d+)?/).contains { match in
        Double(match.output.0).map { isNow($0) } ?? false
      }
  }

  /// The time zones in which a replay may have formatted a time.
  private var zones: [TimeZone] {
    let names = Set(runs.compactMap(\.setting.timeZone))
    return [.gmt, .current] + names.compactMap { TimeZone(identifier: $0) }
  }

  /// Returns whether a number is close to the current date.
  ///
  /// The number may count seconds, milliseconds, microseconds, or nanoseconds since 1970, or seconds since 2001.
  private func isNow(_ number: Double) -> Bool {
    let since1970 = date.timeIntervalSince1970
    let times = [1, 1e3, 1e6, 1e9].map { ($0 * since1970, $0) }
    return (times + [(date.timeIntervalSinceReferenceDate, 1)]).contains { time, unit in
      abs(number - time) < Self.nearby * unit
    }
  }

  /// Returns whether the values are numbers that increase in the order in which the replays started, as times do.
  private func grows(_ values: [JSON?]) -> Bool {
    let numbers = runs.indices.sorted { runs[$0].start < runs[$1].start }
      .compactMap { values[$0]?.number?.double }
    guard numbers.count == values.count, numbers.count >= Self.enough else { return false }
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The number of seconds in a day.
  private static let day = 86_400.0
  /// The maximum distance from the current date in seconds: two days, because the date may be in another time zone.
  private static let nearby = 2 * day
  /// The number of increasing values that is unlikely to be chance.
  ///
  /// Six random values are in increasing order with a probability of 1 in 720.
  private static let enough = 6
}
