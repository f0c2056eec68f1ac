import ReplayEngine

/// How `run` writes what it has found.
enum RunFormat: String, CaseIterable, Sendable {
  case text, json, junit, github

  func writer(
    style: Style,
    hasDetails: Bool,
    host: String,
    isVerbose: Bool
  ) -> any RunWriter {
    switch self {
    case .text: RunText(style: style, hasDetails: hasDetails, host: host, isVerbose: isVerbose)
    case .json: RunJSON()
    case .junit: RunJUnit()
    case .github: RunGitHub()
    }
  }
}

/// Writes the reports of a run, one after the other.
protocol RunWriter {
  /// What is written for a log.
  mutating func text(_ report: RunReport) -> String
  /// What is written at the end.
  mutating func closing(_ summary: RunSummary) -> String
}
