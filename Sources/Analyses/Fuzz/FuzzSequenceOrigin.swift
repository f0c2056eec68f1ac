import ActionLog

/// The origin of a sequence: a log or a generated sequence.
enum FuzzSequenceOrigin: Equatable, Sendable {
  /// A log in the corpus.
  ///
  /// The sequence leads to the recorded states, or the log shows the same fault.
  case log
  /// The actions of a log, which no longer lead to the recorded states, for example because the code has changed.
  case actionsOfLog
  /// The generated sequence with this number in its batch, counted from 1.
  case made(Int)
  /// The generated sequence of an earlier batch with this number in the search, counted from 1.
  case madeBefore(Int)

  /// Converts a number in a batch to a number in the search.
  ///
  /// - Parameter runs: The number of runs in the search before the batch.
  /// - Returns: The origin with the number in the search.
  func after(runs: Int) -> Self {
    switch self {
    case .log, .actionsOfLog: self
    case .made(let number): .madeBefore(number + runs)
    case .madeBefore: self
    }
  }

  /// The number of the generated sequence, or 0 for a log.
  var runs: Int {
    switch self {
    case .log, .actionsOfLog: 0
    case .made(let number), .madeBefore(let number): number
    }
  }
}

extension FuzzSequenceOrigin {
  var json: JSON {
    switch self {
    case .log: "log"
    case .actionsOfLog: "actionsOfLog"
    case .made(let number): ["made": .number(JSON.Number(number))]
    case .madeBefore(let number): ["madeBefore": .number(JSON.Number(number))]
    }
  }

  init?(_ json: JSON) {
    switch json {
    case "log": self = .log
    case "actionsOfLog": self = .actionsOfLog
    default:
      if let number = json["made"]?.count {
        self = .made(number)
      } else if let number = json["madeBefore"]?.count {
        self = .madeBefore(number)
      } else {
        return nil
      }
    }
  }
}
