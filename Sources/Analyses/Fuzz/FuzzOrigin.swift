import ActionLog

/// The origin of a sequence.
enum FuzzOrigin: Equatable, Sendable {
  /// A log of the corpus, which shows the same fault.
  case log
  /// The actions of a log that lead to other states now, because of another version of the code or different reads.
  case actionsOfLog
  /// A generated sequence, by its number in its batch, from 1.
  case made(Int)
  /// A sequence of an earlier batch, by its number in the search, from 1.
  case madeBefore(Int)

  /// Returns the origin relative to the search, after a number of runs before the batch.
  func after(runs: Int) -> Self {
    switch self {
    case .log, .actionsOfLog: self
    case .made(let number): .madeBefore(number + runs)
    case .madeBefore: self
    }
  }

  /// The number of generated sequences so far; 0 for logs.
  var runs: Int {
    switch self {
    case .log, .actionsOfLog: 0
    case .made(let number), .madeBefore(let number): number
    }
  }
}

extension FuzzOrigin {
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
