import ActionLog

/// A place at which replays of one log do not agree.
struct UnstablePlace: Sendable, Equatable {
  /// The first action at which they do not.
  let seq: Int
  /// The action itself.
  var action: JSON?
  let aspect: Aspect
  /// The place: a path in the state with `*` for each index, an effect, the key of a read.
  let path: String
  var reasons: [Reason] = []
  /// What the replays have there, each value once.
  var values: [Value] = []

  /// What of an action is not the same.
  enum Aspect: Sendable, Hashable {
    case difference(LogDifference.Cause)
    /// Not all replays trap.
    case trap

    var name: String {
      switch self {
      case .difference(let cause): cause.rawValue
      case .trap: "trap"
      }
    }
  }

  /// A value, and who has it.
  struct Value: Sendable, Equatable {
    /// `nil` when there is nothing at the place.
    let value: JSON?
    /// The replays, counted from 1.
    var runs: [Int]
    var isInLog: Bool
  }

  /// Why replays may not agree.
  enum Reason: String, Sendable, Hashable {
    /// They differ with the hash seed alone: the order of a set or dictionary.
    case unorderedCollection
    /// They differ from each other in the same setting, and look like times.
    case clock
    /// They differ from each other in the same setting.
    case random
    case timeZone
    case locale
    /// Nothing that was changed explains it.
    case unknown

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
