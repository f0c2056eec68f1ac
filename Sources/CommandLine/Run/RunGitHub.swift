import ActionLog
import Foundation
import ReplayAnalyses
import ReplayCommands
import ReplayEngine

/// A writer that formats the reports of a run as workflow commands, which GitHub Actions shows as annotations.
///
/// If the source file of the diverging effect is found, the annotation is at the line of the effect. Otherwise, it is
/// at the action's line in the log.
struct RunGitHub: RunWriter {
  private let style: Style
  /// The root of the repository, to which paths of annotations are relative.
  private let root: String
  private var sources: SourceFiles

  init(style: Style = .plain, folder: String = ".") {
    self.style = style
    root = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL.path + "/"
    sources = SourceFiles(folders: [folder])
  }

  mutating func text(_ report: LogRunReport) -> String { annotations(report) + group(report) }

  /// Returns the host's output as a folded group, escaped so that it contains no workflow commands.
  private func group(_ report: LogRunReport) -> String {
    guard !report.hostOutput.isEmpty, report.status != .same || report.isHostLost else { return "" }
    let token = UUID().uuidString
    let title = Self.escaped(Wording.hostOutput(of: report.name))
    let lines =
      ["::group::\(title)", "::stop-commands::\(token)"]
      + report.hostOutput.map { Notation.visible($0) }
    return (lines + ["::\(token)::", "::endgroup::", ""]).joined(separator: "\n")
  }

  private mutating func annotations(_ report: LogRunReport) -> String {
    guard report.status != .same else {
      var writer = RunText(style: style, detailed: .none)
      let text = writer.text(report)
      guard !report.notCompared.isEmpty else { return text }
      let line = report.outcome.line(style.notation)
      return text + annotation(report, nil, [line], level: "notice")
    }
    guard case .verdict(let result) = report.outcome else {
      let lines = [report.outcome.line(style.notation)] + report.remarks(style.notation)
      return annotation(report, nil, lines)
    }
    let details = VerdictText(style: style)
    var remarks = report.remarks(style.notation)
    // Each divergence is annotated at the line of its own action.
    var text = ""
    if !result.verdict.isSame || report.violated.isEmpty {
      let first =
        [report.outcome.line(style.notation)]
        + details.details(result.verdict, causes: result.causes) + remarks
      text += annotation(report, result.line, first, source: source(of: result.verdict))
      remarks = []
    }
    for further in result.further {
      let line = details.line(further.verdict, through: result.seq)
      text += annotation(
        report,
        further.line,
        [line] + details.details(further.verdict, causes: further.causes),
        source: source(of: further.verdict)
      )
    }
    if let error = result.unreadable { text += annotation(report, error.line, ["\(error)"]) }
    for violated in report.violated {
      text += annotation(report, violated.violation?.line, violated.details(style) + remarks)
      remarks = []
    }
    return text
  }

  /// Returns the source location of the first diverging effect, or `nil` if the source file is not found.
  private mutating func source(of verdict: Verdict) -> (file: String, line: Int)? {
    guard let divergence = verdict.divergence,
      let first = divergence.differences.first, [.effects, .deadEffect].contains(first.cause),
      let place = Self.source(of: first.subject, in: divergence.effects)
    else { return nil }
    let locations = sources.locations(of: place)
    // An annotation at one of several files may be at the wrong one.
    guard locations.count == 1, locations[0].path.hasPrefix(root) else { return nil }
    return (String(locations[0].path.dropFirst(root.count)), locations[0].line)
  }

  private static func source(of id: String, in effects: [EffectDescription]) -> String? {
    for effect in effects {
      if effect.id.map({ "\($0)" }) == id { return effect.source }
      if let source = source(of: id, in: effect.effects) { return source }
    }
    return nil
  }

  private func annotation(
    _ report: LogRunReport,
    _ line: Int?,
    _ text: [String],
    level: String = "error",
    source: (file: String, line: Int)? = nil
  ) -> String {
    var properties = [("title", report.name)]
    // GitHub can't show the temporary copy of a stream.
    let file = report.file ?? report.name
    if let source {
      properties = [("file", source.file), ("line", "\(source.line)")] + properties
    } else if report.name.hasPrefix(file), file != Wording.standardInput {
      if let line { properties.insert(("line", String(line)), at: 0) }
      properties.insert(("file", file), at: 0)
    }
    let list = properties.map { "\($0.0)=\(Self.escaped($0.1, isProperty: true))" }
    return "::\(level) \(list.joined(separator: ","))::"
      + Self.escaped(text.joined(separator: "\n")) + "\n"
  }

  func closing(_ summary: RunSummary) -> String {
    let lines = [Wording.summary(summary)] + RunText.groups(summary)
    return lines.joined(separator: "\n").withoutControls() + "\n"
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in text.withoutControls().unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
