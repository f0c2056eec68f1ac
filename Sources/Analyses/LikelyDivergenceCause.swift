import ActionLog
import Foundation
import ReplayEngine

/// The likely reason for a divergence: an input of the reducer that the log does not contain.
package enum LikelyDivergenceCause: Equatable {
  /// The order of a set or dictionary, because the values have the same elements in a different order.
  case order
  /// The current time, because the values are dates.
  case clock
  /// Random ids, because the values are UUIDs.
  case ids

  package init?(_ divergence: Verdict.Divergence) {
    let differences = divergence.differences.filter { $0.cause == divergence.cause }
    guard !differences.isEmpty, divergence.cause != .schemaDrift else { return nil }
    if differences.allSatisfy(Self.isReordered) {
      self = .order
    } else if differences.contains(where: { Self.both($0, are: Self.isDate) }) {
      self = .clock
    } else if differences.contains(where: { Self.both($0, are: Self.isUUID) }) {
      self = .ids
    } else {
      return nil
    }
  }

  private static func isReordered(_ difference: LogDifference) -> Bool {
    if difference.movedTo != nil { return true }
    guard let old = difference.expected?.array, let new = difference.actual?.array,
      old.count == new.count, old.count > 1
    else { return false }
    return sorted(old) == sorted(new)
  }

  private static func sorted(_ elements: [JSON]) -> [[UInt8]] {
    elements.map(\.canonical).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func both(_ difference: LogDifference, are test: (String) -> Bool) -> Bool {
    guard let old = difference.expected?.string, let new = difference.actual?.string else {
      return false
    }
    return test(old) && test(new)
  }

  private static func isDate(_ text: String) -> Bool {
    (try? Date.decode(from: LogDecoder(.string(text)), over: nil)) != nil
  }

  private static func isUUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }
}

/// Hints about the likely cause of a divergence, with the remedy.
extension Wording {
  package static func suspicion(_ suspicion: LikelyDivergenceCause) -> String {
    switch suspicion {
    case .order:
      "suspected: the same elements in another order, as a set or a dictionary has them in each process; sort them"
    case .clock:
      "suspected: the time when the code runs; let the reducer read it from the dependency 'date'"
    case .ids:
      "suspected: an id that is created again each time; let the reducer read it from the dependency 'uuid'"
    }
  }
}
