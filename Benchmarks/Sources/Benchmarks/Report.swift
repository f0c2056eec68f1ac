import Foundation

/// The results of a run, as a table or as JSON.
struct Report: Encodable {
  var comparisons: [Result] = []

  struct Result: Encodable {
    let title: String
    let measurements: [Measurement]
    let figures: [Figure]
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension Report.Result {
  /// The table in Markdown.
  var text: String {
    var lines = ["### \(title)"]
    if !measurements.isEmpty {
      lines += [
        "", "| work | time | allocations | against the first |", "| --- | ---: | ---: | ---: |",
      ]
    }
    for measurement in measurements {
      let allocations = measurement.allocations.map { Self.rounded($0) } ?? "–"
      lines.append(
        "| \(measurement.name) | \(Self.time(measurement.nanoseconds)) | \(allocations) | "
          + "\(Self.rounded(measurement.baselineRatio))x |"
      )
    }
    if !figures.isEmpty { lines.append("") }
    for figure in figures {
      guard figure.goal.isFinite else {
        lines.append("- \(Self.rounded(figure.value)) \(figure.name)")
        continue
      }
      let goal = "\(figure.isAtLeast ? "at least" : "at most") \(Self.rounded(figure.goal))x"
      lines.append(
        "- \(Self.rounded(figure.value))x \(figure.name) (\(goal): "
          + "\(figure.isReached ? "reached" : "missed"))"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: "\(rounded(nanoseconds)) ns"
    case ..<1e6: "\(rounded(nanoseconds / 1e3)) µs"
    default: "\(rounded(nanoseconds / 1e6)) ms"
    }
  }

  private static func rounded(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : "\((value * 10).rounded() / 10)"
  }
}
