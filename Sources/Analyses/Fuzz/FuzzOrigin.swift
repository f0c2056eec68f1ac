import ActionLog

/// The origin of a sequence: where a search has it from.
enum FuzzOrigin: Equatable, Sendable {
  /// A log of the corpus, which shows the same.
  case log
  /// The actions of a log, which lead elsewhere than the log says: it was read at another version of the code, or reads other values.
  case actionsOfLog
  /// A sequence that the search made, by its number from 1 in its batch.
  case made(Int)
  /// A sequence that an earlier batch made, by its number from 1 in the search.
  case madeBefore(Int)

  /// The origin as one of a search that had made so many sequences before the batch.
  func after(runs: Int) -> Self {
    switch self {
    case .log, .actionsOfLog: self
    case .made(let number): .madeBefore(number + runs)
    case .madeBefore: self
    }
  }

  /// How many sequences the search had made; 0 for what logs say.
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
