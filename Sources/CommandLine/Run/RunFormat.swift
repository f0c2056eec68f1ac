import ReplayEngine

/// The output format of `run`.
enum RunFormat: String, CaseIterable, Sendable {
  case text, json, junit, github, markdown

  func writer(
    style: Style,
    detailed: RunText.DetailLevel,
    host: String,
    isVerbose: Bool,
    caller: CommandSuggestions.InvokedCommand,
    folder: String
  ) -> any RunWriter {
    switch self {
    case .text:
      RunText(
        style: style,
        detailed: detailed,
        host: host,
        isVerbose: isVerbose,
        caller: caller
      )
    case .json: RunJSON()
    case .junit: RunJUnit(style: style.withoutColor)
    case .github: RunGitHub(style: style.withoutColor, folder: folder)
    case .markdown: RunMarkdown(style: style.withoutColor, caller: caller)
    }
  }
}

/// A writer of the reports of a run.
protocol RunWriter {
  /// Returns the text for the report on a log.
  mutating func text(_ report: LogRunReport) -> String
  /// Returns the text that follows all reports.
  mutating func closing(_ summary: RunSummary) -> String
}
