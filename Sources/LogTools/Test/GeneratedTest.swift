import ActionLog
import ReplayEngine

/// The code of a test that contains a log, or refers to its file, and expects its replay.
package struct GeneratedTest {
  private let lines: [String]
  /// The client calls of the log's effects and their results, as lines of a comment.
  private let calls: [String]
  /// The path of a log that is too large to be embedded, relative to the folder of the test or absolute.
  private let file: String?
  private let name: String
  private let title: String
  private let reducer: String
  private let modules: [String]
  /// Whether the log is from an app that uses Point-Free's library.
  ///
  /// The adapter replays it.
  private let isOfAdapter: Bool

  /// The maximum size in bytes of an embedded log.
  ///
  /// A larger one would hide the test code.
  static let most = 20_000
  /// The maximum number of effect calls in the comment of a test.
  private static let mostCalls = 40

  /// Whether the test refers to the file of the log.
  package var refersToLog: Bool { file != nil }

  /// Reads the log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - file: The path of a file that contains only this log, relative to the folder of the test or absolute; `nil` if
  ///     there is none.
  ///   - reducer: The expression that creates the reducer.
  ///   - modules: The modules that the test imports for the reducer.
  ///   - name: The name of the test.
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch`, or `CommandError` if the log names no type that can create the
  ///   reducer.
  package init(
    _ log: LogSlice,
    file: String? = nil,
    reducer: String?,
    modules: [String],
    name: String?
  ) throws {
    var lines: [String] = []
    var calls: [String] = []
    var feature = ""
    var isOfAdapter = false
    // The replay of a log with a broken patch could never match.
    var cursor = LogCursor()
    let events = try log.events()
    while let event = try events() {
      try cursor.move(to: event)
      switch event {
      case .header(let header):
        feature = header.feature
        isOfAdapter = header.isOfAdapter
      case .call(let call): calls.append(Wording.call(call, Notation()))
      default: break
      }
      lines.append(String(decoding: event.line, as: UTF8.self).visibleJSON)
    }
    try cursor.apply()
    self.lines = lines
    self.calls = Self.comment(calls)
    self.file = lines.reduce(0) { $0 + $1.utf8.count + 1 } > Self.most ? file : nil
    let title = log.name.split(separator: "/").last.map(String.init) ?? log.name
    self.title = title
    self.name =
      name.map(SwiftName.quoted) ?? SwiftName.function(title.replacing(".jsonl", with: ""))
    self.reducer = try reducer ?? "\(SwiftName.type(feature, in: log.name))()"
    self.modules = modules
    self.isOfAdapter = isOfAdapter
  }

  /// The source code of the test.
  package var code: String {
    let module = isOfAdapter ? "ComposableReplay" : "TCAReplay"
    let standard = [module, "Testing"] + (file == nil ? [] : ["Foundation"])
    let imports = (modules + standard).sorted().map { "import \($0)\n" }.joined()
    return """
      \(imports)
      /// Replays what was recorded in \(Notation.visible(title)).
      \(calls.map { $0.isEmpty ? "///\n" : "/// \($0)\n" }.joined())@Test @MainActor func \(name)() \(isOfAdapter ? "throws" : "async throws") {
        \(isOfAdapter ? "try" : "try await") expectReplay(
          \(file.map(Self.reference) ?? content)
        ) {
          \(reducer)
        }
      }

      """
  }

  private static func comment(_ calls: [String]) -> [String] {
    guard !calls.isEmpty else { return [] }
    let rest = calls.count - mostCalls
    return ["", "The replay runs no effects. When it was recorded:", ""]
      + calls.prefix(mostCalls).map { "- \($0)" }
      + (rest > 0 ? ["- \(Wording.more(rest))"] : [])
  }

  /// The log as it appears in the call.
  private var content: String {
    let fence = RawLiteral.fence(of: lines)
    return """
      ofLines: \(fence)\"""
            \(lines.joined(separator: "\n      "))
            \"""\(fence)
      """
  }

  /// Returns the file of the log as it appears in the call.
  private static func reference(to file: String) -> String {
    let fence = RawLiteral.fence(of: [file])
    // A raw literal cannot express a line break, which would end it.
    let isPlain = Notation.visible(file) == file
    let path = isPlain ? "\(fence)\"\(file)\"\(fence)" : SwiftCode.text(file).text
    if file.hasPrefix("/") { return "of: URL(filePath: \(path))" }
    return "of: URL(filePath: #filePath).deletingLastPathComponent().appending(path: \(path))"
  }
}

extension LogEvent.Header {
  /// Whether the log is from an app that uses Point-Free's library.
  var isOfAdapter: Bool { environment["library"]?.string == "ComposableArchitecture" }
}
