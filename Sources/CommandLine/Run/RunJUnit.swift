import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A writer that formats the reports of a run as JUnit XML, with one test case per log.
struct RunJUnit: RunWriter {
  private let style: Style
  private var cases = ""
  private var failures = 0
  private var errors = 0

  init(style: Style = .plain) { self.style = style }

  mutating func text(_ report: LogRunReport) -> String {
    let folder = report.name.split(separator: "/").dropLast().joined(separator: ".")
    let attributes = [
      ("classname", folder.isEmpty ? "logs" : folder), ("name", report.name),
      ("time", Self.seconds(report.seconds)),
    ]
    cases += "    <testcase\(Self.attributes(attributes))"
    let output = report.hostOutput.joined(separator: "\n")
    let systemError =
      output.isEmpty ? "" : "\n      <system-err>\(Self.escaped(output))</system-err>"
    guard report.status != .same else {
      // JUnit has no message for a passed test, so its output lists the values that were not compared.
      let line = report.notCompared.isEmpty ? "" : report.outcome.line(style.notation)
      let systemOut =
        line.isEmpty ? "" : "\n      <system-out>\(Self.escaped(line))</system-out>"
      let content = systemOut + systemError
      cases += content.isEmpty ? "/>\n" : ">\(content)\n    </testcase>\n"
      return ""
    }
    let isFailure = if case .verdict = report.outcome { true } else { false }
    failures += isFailure ? 1 : 0
    errors += isFailure ? 0 : 1
    let element = isFailure ? "failure" : "error"
    let type = report.failureType
    let line = report.line(style.notation)
    let text =
      [line, ""] + report.details(style) + report.remarks(style.notation)
    cases +=
      ">\n      <\(element)\(Self.attributes([("message", line), ("type", type)]))>"
    cases += "\(Self.escaped(text.joined(separator: "\n")))</\(element)>"
    cases += "\(systemError)\n    </testcase>\n"
    return ""
  }

  mutating func closing(_ summary: RunSummary) -> String {
    let counts = Self.attributes([
      ("name", "tca-replay"), ("tests", String(summary.logs)), ("failures", String(failures)),
      ("errors", String(errors)), ("time", Self.seconds(summary.seconds)),
    ])
    // JUnit has no element for an interrupted run, so a property with free text reports the interruption.
    let properties = summary.interruption.map { signal -> String in
      let property = Self.attributes([("name", "interrupted"), ("value", SignalName.of(signal))])
      return "    <properties>\n      <property\(property)/>\n    </properties>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites\(counts)>
        <testsuite\(counts)>
      \(properties ?? "")\(cases)  </testsuite>
      </testsuites>

      """
  }

  private static func attributes(_ pairs: [(String, String)]) -> String {
    pairs.map { " \($0.0)=\"\(escaped($0.1, isAttribute: true))\"" }.joined()
  }

  private static func seconds(_ value: Double) -> String {
    String(format: "%.3f", locale: Locale(identifier: "en_US_POSIX"), value)
  }

  /// Escapes text for XML 1.0, which can't represent most control characters.
  private static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default:
        if scalar.isHidden {
          result += Notation.visible(String(scalar))
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
