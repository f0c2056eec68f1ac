import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The parts of a process's environment that must not influence a reducer.
///
/// A part that is `nil` has its default value for replays.
struct AuditEnvironment: Sendable, Hashable {
  /// The seed for the hashes of sets and dictionaries, which determines their order.
  var hashSeed: UInt64?
  /// The identifier of the time zone, such as `Asia/Kathmandu`.
  var timeZone: String?
  /// The name of the locale as C libraries use it, such as `tr_TR.UTF-8`.
  var locale: String?

  /// A part of the environment in which settings can differ.
  enum Factor: String, Sendable, CaseIterable {
    case hashSeed, timeZone, locale
  }

  /// Returns the factors in which this setting differs from another setting.
  func factors(differingFrom other: AuditEnvironment) -> [Factor] {
    Factor.allCases.filter { factor in
      switch factor {
      case .hashSeed: hashSeed != other.hashSeed
      case .timeZone: timeZone != other.timeZone
      case .locale: locale != other.locale
      }
    }
  }

  /// The environment variables for a host process.
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

extension AuditEnvironment {
  /// Returns the settings for an audit: the setting of the log, and settings that differ from it in one factor each.
  ///
  /// Each setting occurs twice, so that differences within a setting can be told apart from differences between
  /// settings. If `runs` is odd, one setting occurs once. The repetitions come in the second half, because consecutive
  /// replays can see the same second of the clock.
  ///
  /// - Parameters:
  ///   - runs: The number of replays.
  ///   - seed: The seed of the generator for hash seeds.
  ///   - header: The log header, which contains the environment of the recording.
  /// - Returns: One setting for each replay.
  static func plan(runs: Int, seed: UInt64, header: LogEvent.Header) -> [AuditEnvironment] {
    var generator = SeededGenerator(seed: seed)
    let known = header.environment["hashSeed"]?.int.flatMap { UInt64(exactly: $0) }
    let own = AuditEnvironment(
      hashSeed: known ?? generator.next(),
      timeZone: header.environment["timeZone"]?.string ?? "UTC",
      locale: (header.environment["locale"]?.string ?? "en_US") + ".UTF-8"
    )
    // If the seed of the recording is known, the first other seed to try is the standard seed of replays.
    var seeds = known == nil ? [] : [HashSeed.standard]
    var zones = Self.zones.filter { $0 != own.timeZone }
    var locales = Self.locales.filter { $0 != own.locale }
    // Eight replays use each factor once. More replays vary the seed more often, because two seeds may result in the
    // same order.
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

  /// Returns a recorded environment with the values of this setting.
  func applied(to environment: JSON) -> JSON {
    var object = environment.object ?? JSON.Object()
    if let hashSeed { object["hashSeed"] = .number(JSON.Number(hashSeed)) }
    if let timeZone { object["timeZone"] = .string(timeZone) }
    if let locale { object["locale"] = .string(String(locale.prefix { $0 != "." })) }
    return .object(object)
  }

  /// Time zones in which the current date can differ.
  ///
  /// The first two are 25 hours apart, so their dates always differ.
  private static let zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"]
  /// Locales that differ from English in their case mappings, their digits, or the order of day and month.
  private static let locales = ["tr_TR.UTF-8", "ar_EG.UTF-8", "de_DE.UTF-8"]

  /// Returns the default setting and settings that differ from it in one factor each.
  ///
  /// The settings have three hash seeds, two time zones, and one locale that differs from the environment's locale.
  /// Three seeds are used because two can produce the same order for a small set.
  static func variations(of environment: [String: String]) -> [AuditEnvironment] {
    let own = environment["LC_ALL"] ?? environment["LANG"]
    return [AuditEnvironment()]
      + (1...3).map { AuditEnvironment(hashSeed: $0) }
      + zones.prefix(2).map { AuditEnvironment(timeZone: $0) }
      + locales.filter { $0 != own }.prefix(1).map { AuditEnvironment(locale: $0) }
  }
}
