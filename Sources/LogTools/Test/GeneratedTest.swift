import ActionLog
import ReplayEngine

/// Generates a test that replays a log and expects the replay to match.
///
/// The test contains the log, or refers to the log's file.
package struct GeneratedTest {
  private let lines: [String]
  /// Comment lines that list the client calls made by effects, and their results.
  private let calls: [String]
  /// The path of the log file, absolute or relative to the test's folder, or `nil` if the log is embedded.
  private let file: String?
  private let name: String
  private let title: String
  private let reducer: String
  private let modules: [String]
  private let library: StoreTestLibrary

  /// The maximum size of an embedded log in bytes, above which the log would hide the test code.
  static let most = 20_000
  /// The maximum number of client calls in the comment.
  private static let mostCalls = 40

  /// Whether the test refers to the log file instead of containing the log.
  package var refersToLog: Bool { file != nil }

  /// Reads the log and prepares the test.
  ///
  /// - Parameters:
  ///   - log: The log to replay.
  ///   - file: The path of a file that contains only this log, absolute or relative to the test's folder, or `nil` if
  ///     there is no such file.
  ///   - reducer: The expression that creates the reducer, or `nil` to create it from the feature's name.
  ///   - modules: The modules to import for the reducer.
  ///   - name: The name of the test function, or `nil` to use the name of the log.
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch` if a patch does not fit, or `CommandError` if the feature's name
  ///   is not the name of a type.
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
    var library = StoreTestLibrary.core
    // The patches are applied, because the replay of a log with a broken patch can't match.
    var cursor = LogCursor()
    let events = try log.events()
    while let event = try events() {
      try cursor.move(to: event)
      switch event {
      case .header(let header):
        feature = header.feature
        library = StoreTestLibrary(of: header)
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
      name.map(SwiftNameConverter.quoted)
      ?? SwiftNameConverter.function(title.replacing(".jsonl", with: ""))
    self.reducer = try reducer ?? "\(SwiftNameConverter.type(feature, in: log.name))()"
    self.modules = modules
    self.library = library
  }

  /// The Swift source code of the test file.
  package var code: String {
    // The adapter replays a log at once.
    let isAsync = library == .core
    let standard = [library.replayModule, "Testing"] + (file == nil ? [] : ["Foundation"])
    let imports = (modules + standard).sorted().map { "import \($0)\n" }.joined()
    return """
      \(imports)
      /// Replays what was recorded in \(Notation.visible(title)).
      \(calls.map { $0.isEmpty ? "///\n" : "/// \($0)\n" }.joined())@Test @MainActor func \(name)() \(isAsync ? "async throws" : "throws") {
        \(isAsync ? "try await" : "try") expectReplay(
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

  /// The argument that contains the log's lines.
  private var content: String {
    let fence = RawLiteral.fence(of: lines)
    return """
      ofLines: \(fence)\"""
            \(lines.joined(separator: "\n      "))
            \"""\(fence)
      """
  }

  /// Returns the argument that refers to the log file.
  private static func reference(to file: String) -> String {
    let fence = RawLiteral.fence(of: [file])
    // A raw literal can't contain a line break, so such a path is written as a literal with escapes.
    let isPlain = Notation.visible(file) == file
    let path = isPlain ? "\(fence)\"\(file)\"\(fence)" : SwiftCode.text(file).text
    if file.hasPrefix("/") { return "of: URL(filePath: \(path))" }
    return "of: URL(filePath: #filePath).deletingLastPathComponent().appending(path: \(path))"
  }
}
