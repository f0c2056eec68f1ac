import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayAnalyses
@testable import ReplayEngine

/// The output from the text of a line equals the output from its parsed event, for every event.
@Suite struct ShownTextTests {
  /// The formats of the output.
  enum Way: CaseIterable {
    case plain, coloured, json, range, path, rows

    var range: ClosedRange<Int> { self == .range ? 7...20 : 0...Int.max }
    var path: ValuePath? {
      switch self {
      case .path: ValuePath(JSON.Pointer(["a"]))
      case .rows: try? ValuePath(parsing: "rows[1]")
      default: nil
      }
    }
    var writer: any TimelineWriter {
      self == .json
        ? TimelineJSON(hasPath: path != nil)
        : TimelineText(style: Style(hasColor: self == .coloured))
    }
  }

  /// Returns the output for a log.
  private func show(_ lines: [String], _ way: Way) throws -> String {
    var reader = LogReader(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    var printer = LogPrinter(way.writer, LogPrinter.Selection(range: way.range, place: way.path))
    while let entry = try reader.next() { _ = try printer.printEvent(entry.event) }
    printer.close()
    return String(decoding: printer.output, as: UTF8.self)
  }

  @Test(arguments: Thoroughness.seeds(15, thorough: 60))
  func `show prints a payload in the same form whether it is read as text or as a JSON tree`(
    seed: UInt64
  ) throws {
    let lines = RandomLog(seed: seed, actions: 25).lines
    // Payloads with a blank, which recorders do not write, are parsed as trees.
    let others = lines.map { line in
      line.replacing(#""action":{"#, with: #""action":{ "#)
        .replacing(#""patch":["#, with: #""patch":[ "#)
        .replacing(#""state":{"#, with: #""state":{ "#)
    }
    for way in Way.allCases {
      #expect(try show(lines, way) == show(others, way), "seed \(seed), \(way)")
    }
  }

  /// Lines that differ slightly from those of recorders.
  static let unusual: [(line: String, text: String)] = [
    (
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{ "a" : 1 }}"#,
      "1  +0.000 s  (a: 1)  sent by the view"
    ),
    (
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":"\/\u0041\u00e9"}"#,
      #"1  +0.000 s  "/Aé"  sent by the view"#
    ),
    (
      #"{"kind":"read","seq":1,"key":"uuid","value":[1, 2]}"#,
      "    read uuid  [1, 2]"
    ),
    (
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/a","value": {}}],"us":1}"#,
      "    a\n      − 0\n      + ()"
    ),
    (
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"op":"run","input":[ ]}]}"#,
      "    effect run  input []"
    ),
    (#"{"kind":"checkpoint","seq":0,"state":{"a":0 },"effects":[]}"#, "0  checkpoint  (a: 0)"),
  ]

  @Test(arguments: unusual)
  func `show prints events whose JSON has an unusual form`(line: String, text: String) throws {
    let lines = [
      SampleLog.lines[0], #"{"kind":"checkpoint","seq":0,"state":{"a":0},"effects":[]}"#, line,
    ]
    let shown = try show(lines, .plain).split(separator: "\n", maxSplits: 2).last
    #expect(shown == "\(text)\n")
  }

  @Test(arguments: [("a", 398), ("a", 399), ("é", 398), ("é", 399), ("👩‍👩‍👧", 398)])
  func `Notation truncates a long value at the same character whether it is text or a JSON tree`(
    character: String,
    count: Int
  ) throws {
    // Includes quotes and brackets. A combining character can follow the last one.
    for end in ["", "a", "\u{301}", "aa\u{301}"] {
      let text = String(repeating: character, count: count - 1) + end
      let value: JSON = [.string(text)]
      let json = value.description
      let expected =
        json.utf8.count > 400 ? "\(json.prefix(400))… (\(json.utf8.count) bytes)" : json
      var written = Array("before".utf8)
      let notation = Notation(isRaw: true)
      value.bytes.withUnsafeBufferPointer { notation.append(value: $0, to: &written) }
      #expect(String(decoding: written, as: UTF8.self) == "before" + expected)
      #expect(notation.value(value) == expected)
    }
  }

  @Test
  func `show uses the state of a checkpoint, even if it contradicts the changes before it`()
    throws
  {
    let lines = [
      SampleLog.lines[0],
      #"{"kind":"checkpoint","seq":0,"state":{"a":0},"effects":[]}"#,
      #"{"kind":"checkpoint","seq":0,"state":{"a":7},"effects":[]}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/a","value":8}]}"#,
    ]
    #expect(try show(lines, .plain).hasSuffix("    a\n      − 7\n      + 8\n"))
    #expect(
      try show(lines, .path)
        == "0  checkpoint\n    + 0\n0  checkpoint\n    − 0\n    + 7\n\n    − 7\n    + 8\n"
    )
  }
}
