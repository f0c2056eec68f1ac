import ActionLog
import ReplayDebugger
import ReplayEngine

/// The filters for exceptions that a client can choose.
extension LogStep.ProblemKind {
  /// The filters as the protocol has them.
  static var filters: [JSON] {
    allCases.map { problem in
      [
        "filter": .string(problem.rawValue),
        "label": .string(Wording.label(problem)),
        "description": .string(Wording.explanation(problem)),
        "default": .bool(problem.isDefault),
        "supportsCondition": true,
        "conditionDescription": .string(Wording.conditionExample),
      ]
    }
  }

  /// Whether a client stops at it unless its user says otherwise.
  private var isDefault: Bool {
    switch self {
    case .unfinished, .brokenPatch: true
    case .failedEffect, .finding, .gap: false
    }
  }
}
