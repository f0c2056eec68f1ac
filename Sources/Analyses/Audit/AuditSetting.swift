import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The environment of a replay's process, as far as it must not matter to a reducer.
///
/// What is `nil` is as in any other replay.
struct AuditSetting: Sendable, Hashable {
  /// The seed of sets and dictionaries.
  var hashSeed: UInt64?
  /// The name of the process's time zone.
  var timeZone: String?
  /// The name of the process's locale, as C libraries write it.
  var locale: String?

  /// A part of a setting.
  enum Factor: String, Sendable, CaseIterable {
    case hashSeed, timeZone, locale
  }

  /// The factors in which it differs from another setting.
  func factors(differingFrom other: AuditSetting) -> [Factor] {
    Factor.allCases.filter { factor in
      switch factor {
      case .hashSeed: hashSeed != other.hashSeed
      case .timeZone: timeZone != other.timeZone
      case .locale: locale != other.locale
      }
    }
  }

  /// The environment of a host in this setting.
  var environment: [String: String] {
    let values = [
      "TZ": timeZone, "LANG": locale, "LC_ALL": locale, HashSeed.variable: hashSeed.map { "\($0)" },
    ]
    return values.compactMapValues { $0 }
  }

  var json: JSON {
    var object = JSON.Object()
    object["hashSeed"] = hashSeed.map { .number(JSON.Number($0)) }
    object["timeZone"] = timeZone.map(JSON.string)
    object["locale"] = locale.map(JSON.string)
    return .object(object)
  }
}

extension AuditSetting {
  /// The settings of an audit: the log's own one, and others that differ from it in one factor each.
  ///
  /// Each is used twice, so that a difference within a setting is told from one that follows the setting; once in each half
  /// of the audit, because replays in a row may see the same second of a clock.
  ///
  /// - Parameters:
  ///   - runs: The number of replays.
  ///   - seed: The seed from which those of sets and dictionaries are drawn.
  ///   - header: The header of the log, with the environment in which it was recorded.
  /// - Returns: One setting for each run.
  static func plan(runs: Int, seed: UInt64, header: LogEvent.Header) -> [AuditSetting] {
    var generator = SeededGenerator(seed: seed)
    let known = header.environment["hashSeed"]?.int.flatMap { UInt64(exactly: $0) }
    let own = AuditSetting(
      hashSeed: known ?? generator.next(),
      timeZone: header.environment["timeZone"]?.string ?? "UTC",
      locale: (header.environment["locale"]?.string ?? "en_US") + ".UTF-8"
    )
    // A log that names its seed shows something that the seed of any other replay does not.
    var seeds = known == nil ? [] : [HashSeed.standard]
    var zones = Self.zones.filter { $0 != own.timeZone }
    var locales = Self.locales.filter { $0 != own.locale }
    // Eight replays try everything once; more seeds are needed, because two of them may well give the same order.
    let turns: [Factor] = [.hashSeed, .timeZone, .locale, .hashSeed, .hashSeed]
    let others = (1..<max((runs + 1) / 2, 1)).map { turn in
      var setting = own
      switch turns[(turn - 1) % turns.count] {
      case .hashSeed: setting.hashSeed = seeds.popLast() ?? generator.next()
      case .timeZone:
        setting.timeZone = zones[0]
        zones.append(zones.removeFirst())
      case .locale:
        setting.locale = locales[0]
        locales.append(locales.removeFirst())
      }
      return setting
    }
    let settings = [own] + others
    return (0..<runs).map { settings[$0 % settings.count] }
  }

  /// The environment of a recording with what differs in this setting.
  func applied(to environment: JSON) -> JSON {
    var object = environment.object ?? JSON.Object()
    if let hashSeed { object["hashSeed"] = .number(JSON.Number(hashSeed)) }
    if let timeZone { object["timeZone"] = .string(timeZone) }
    if let locale { object["locale"] = .string(String(locale.prefix { $0 != "." })) }
    return .object(object)
  }

  /// Far to the east and to the west: at any hour, one of them has another date.
  private static let zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"]
  /// Another case mapping, other digits, another order of days and months.
  private static let locales = ["tr_TR.UTF-8", "ar_EG.UTF-8", "de_DE.UTF-8"]

  /// The setting of any other replay, and others that differ from it in one factor each: three seeds, because a short set may well
  /// have the same order with two, two zones, and a locale that the environment does not have.
  static func variations(of environment: [String: String]) -> [AuditSetting] {
    let own = environment["LC_ALL"] ?? environment["LANG"]
    return [AuditSetting()]
      + (1...3).map { AuditSetting(hashSeed: $0) }
      + zones.prefix(2).map { AuditSetting(timeZone: $0) }
      + locales.filter { $0 != own }.prefix(1).map { AuditSetting(locale: $0) }
  }
}
