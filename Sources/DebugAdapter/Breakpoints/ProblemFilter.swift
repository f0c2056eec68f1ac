import ActionLog
import ReplayDebugger
import ReplayEngine

/// The exception filters that a client can select.
extension LogStep.ProblemKind {
  /// The filters in the protocol's JSON format.
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

  /// Whether clients stop at this problem by default.
  private var isDefault: Bool {
    switch self {
    case .unfinished, .brokenPatch: true
    case .failedEffect, .finding, .gap: false
    }
  }
}
