import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// The sources of a session: the log as documents, the log's file, and the files of the app.
struct LogSources {
  private let log: DebuggedLog
  /// The path of the recorded log.
  ///
  /// The current log can be another timeline of the recorded log.
  private let recorded: String
  /// The folder against which relative paths are resolved.
  private let folder: String
  private let client: ClientCapabilities
  private let timeline: TimelineDocuments
  private var files: SourceFiles
  /// The paths of the app's source files to which frames have referred so far.
  private var namedFiles: Set<String> = []

  /// Creates the sources.
  ///
  /// - Parameters:
  ///   - log: The log of the current timeline.
  ///   - recorded: The path of the recorded log. The documents of all its timelines are named after it.
  ///   - folder: The folder against which relative paths are resolved.
  ///   - folders: The folders that are searched for the app's sources.
  ///   - base: The number before the reference of the first document.
  ///   - client: The properties of the client.
  /// - Throws: `LogReadError`.
  init(
    _ log: DebuggedLog,
    recorded: String,
    folder: String,
    folders: [String],
    base: Int,
    client: ClientCapabilities
  ) throws(LogReadError) {
    self.log = log
    self.recorded = recorded
    self.folder = folder
    self.client = client
    let name = URL(fileURLWithPath: recorded).deletingPathExtension().lastPathComponent
    timeline = try TimelineDocuments(log, name: name, base: base)
    files = SourceFiles(folders: folders)
  }

  /// The references of the documents.
  var references: ClosedRange<Int> { timeline.references }

  /// Returns the name of a document.
  func name(of reference: Int) -> String { timeline.name(of: reference) }

  // MARK: - Sources for the client

  /// All known sources in the protocol's JSON format.
  var json: [JSON] { documents + filesJSON }

  /// The documents of the timeline in the protocol's JSON format.
  var documents: [JSON] { references.map { .object(json(ofDocument: $0)) } }

  private var filesJSON: [JSON] {
    namedFiles.sorted().map { .object(json(ofFile: $0)) }
  }

  private func json(ofDocument reference: Int) -> JSON.Object {
    [
      "name": .string(timeline.name(of: reference)),
      "path": .string(timeline.name(of: reference)),
      "sourceReference": .number(JSON.Number(reference)),
      "origin": .string(Wording.timelineOrigin),
    ]
  }

  private func json(ofFile path: String) -> JSON.Object {
    [
      "name": .string(URL(fileURLWithPath: path).lastPathComponent), "path": client.path(path),
    ]
  }

  /// Adds the position of a step in the timeline's documents to a JSON object.
  func locate(_ step: LogStep, in object: inout JSON.Object) throws {
    let reference = timeline.reference(of: step.seq)
    let line = try timeline.document(reference).line(of: step.id)
    object["source"] = .object(json(ofDocument: reference))
    object["line"] = client.line(line ?? 1)
    object["column"] = client.firstColumn
  }

  /// Adds the source position of a frame to a JSON object.
  ///
  /// The position is the line in the app that sent the next action, or else the position of the frame's step in the
  /// timeline.
  mutating func locate(_ frame: FrameTable.CauseFrame, in object: inout JSON.Object) throws {
    guard case .effect(let id, _) = frame.sent?.origin,
      let source = frame.step.end.known[id]?.source ?? frame.sent?.start.known[id]?.source,
      let location = files.locations(of: source).first
    else { return try locate(frame.step, in: &object) }
    namedFiles.insert(location.path)
    object["source"] = .object(json(ofFile: location.path))
    object["line"] = client.line(location.line)
    object["column"] = client.firstColumn
  }

  /// Returns the text of a document.
  ///
  /// - Throws: `RequestError.noSuchSource`, `LogReadError`, or the errors that `check` throws.
  func text(of reference: Int, check: () throws -> Void) throws -> String {
    guard references.contains(reference) else { throw RequestError.noSuchSource(reference) }
    return try timeline.document(reference, check: check).text
  }

  // MARK: - Sources from the client

  /// A source as named by a client.
  enum NamedSource: Equatable {
    case document(Int)
    /// The file of the current log.
    case log
    /// The file of the recorded log, if the current log is another timeline.
    case recordedLog
    /// A document of another log, or of another part of a timeline.
    case otherDocument
    /// A file of the app, by its last path component.
    case file(String)
  }

  /// Identifies the source that a client names.
  ///
  /// - Throws: `RequestError`.
  func named(_ source: RequestArguments) throws(RequestError) -> NamedSource {
    // An editor may send an outdated reference from an earlier session, so the reference is checked.
    if let reference = try source.number("sourceReference"), references.contains(reference) {
      return .document(reference)
    }
    let (path, name) = (try source.string("path"), try source.string("name"))
    guard let text = path ?? name else {
      throw source.error("path", "a path, or a reference of 'loadedSources'")
    }
    // Some editors put a prefix before the name.
    let last = text.split(separator: "/").last.map(String.init) ?? text
    if let document = references.first(where: { timeline.name(of: $0) == last }) {
      return .document(document)
    }
    if last.hasSuffix(TimelineDocuments.suffix) { return .otherDocument }
    let file = resolved(client.path(from: text))
    if file == resolved(log.slice.path) { return .log }
    if file == resolved(recorded) { return .recordedLog }
    return .file(last)
  }

  /// Returns the canonical path of a file, with symbolic links resolved.
  private func resolved(_ path: String) -> String {
    URL(fileURLWithPath: LaunchConfiguration.path(path, in: folder)).resolvingSymlinksInPath().path
  }

  /// Returns the step at a line, or `nil` if the line belongs to no step.
  ///
  /// - Throws: `LogReadError`.
  func step(at line: Int, of source: NamedSource) throws -> LogStep? {
    switch source {
    case .document(let reference):
      let steps = try timeline.document(reference).steps
      guard line >= 1, line <= steps.count else { return nil }
      return try log.step(at: steps[line - 1])
    case .log: return try step(atLine: line)
    case .file, .recordedLog, .otherDocument: return nil
    }
  }

  /// Returns the lines that can have a breakpoint, in order, up to a limit.
  ///
  /// - Throws: `LogReadError`.
  func linesOfActions(
    in range: ClosedRange<Int>,
    of source: NamedSource,
    atMost most: Int
  ) throws -> [Int] {
    var lines: [Int] = []
    switch source {
    case .document(let reference):
      let steps = try timeline.document(reference).steps
      var line = max(range.lowerBound, 1)
      while line <= min(range.upperBound, steps.count), lines.count < most {
        let id = steps[line - 1]
        if id.isAction, lines.last.map({ steps[$0 - 1] }) != id { lines.append(line) }
        line += 1
      }
    case .log:
      guard let last = try log.last(), last.lines.upperBound >= range.lowerBound else { break }
      var step = try step(atLine: range.lowerBound) ?? log.first()
      while let next = step, next.lines.lowerBound <= range.upperBound, lines.count < most {
        if next.id.isAction, next.lines.upperBound >= range.lowerBound {
          lines.append(max(next.lines.lowerBound, range.lowerBound))
        }
        step = try log.step(after: next.id)
      }
    case .file, .recordedLog, .otherDocument: break
    }
    return lines
  }

  /// Returns the step at a line of the log's file.
  private func step(atLine line: Int) throws -> LogStep? {
    var low = try log.first()?.seq ?? 0
    var high = try log.last()?.seq ?? 0
    // Binary search for the last action that starts at or before the line.
    while low < high {
      let middle = low + (high - low + 1) / 2
      guard let step = try log.step(at: middle) ?? log.step(after: StepID(seq: middle)) else {
        high = middle - 1
        continue
      }
      if step.lines.lowerBound <= line { low = max(middle, step.seq) } else { high = middle - 1 }
    }
    var found = try log.step(at: low) ?? log.first()
    while let step = found, step.lines.upperBound < line { found = try log.step(after: step.id) }
    return found.flatMap { $0.lines.contains(line) ? $0 : nil }
  }
}

extension StepID {
  /// Whether a breakpoint can refer to the step by number.
  ///
  /// The start and external changes have no numbers of their own.
  fileprivate var isAction: Bool { seq > 0 && part == 0 }
}
