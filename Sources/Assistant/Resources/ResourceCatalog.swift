import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayPage

/// Provides the logs and their pages as resources.
///
/// ```text
/// tca-replay://log/todos.jsonl            the first lines of the log
/// tca-replay://log/todos.jsonl?line=40    the lines from the 40th on
/// tca-replay://page/todos.jsonl           the page of the log, for a browser
/// ```
struct ResourceCatalog {
  private let setup: AssistantSetup

  init(_ setup: AssistantSetup) { self.setup = setup }

  private enum Kind: String, CaseIterable {
    case log, page

    var mimeType: String { self == .log ? "application/jsonl" : "text/html" }
  }

  private static let scheme = "tca-replay://"
  /// The maximum size in bytes of a log with a page.
  ///
  /// A client would not show a larger page.
  private static let largestPage = 16 * 1024 * 1024

  /// Returns a part of the list of resources.
  ///
  /// - Parameter cursor: The first resource of the part.
  /// - Returns: The members of the result.
  /// - Throws: `ProtocolError`.
  func list(from cursor: String?) throws(ProtocolError) -> JSON.Object {
    var rows: [(uri: String, json: JSON)] = []
    for file in setup.folders.listing() {
      for kind in Kind.allCases {
        let uri = Self.uri(kind, file.name)
        var object: JSON.Object = [
          "uri": .string(uri), "name": .string(Notation.visible("\(kind.rawValue) \(file.name)")),
          "mimeType": .string(kind.mimeType),
          "annotations": ["audience": [kind == .log ? "assistant" : "user"]],
        ]
        if kind == .log { object["size"] = .int(file.bytes) }
        rows.append((uri, .object(object)))
      }
    }
    var start = 0
    if let cursor {
      guard let index = rows.firstIndex(where: { $0.uri == cursor }) else {
        throw .badParameter("cursor", expected: "the 'nextCursor' of the last answer")
      }
      start = index
    }
    var (kept, size): ([JSON], Int) = ([], 200)
    for row in rows[start...] {
      size += row.json.bytes.count + 1
      guard size <= setup.budget || kept.isEmpty else {
        return ["resources": .array(kept), "nextCursor": .string(row.uri)]
      }
      kept.append(row.json)
    }
    return ["resources": .array(kept)]
  }

  /// The URI templates of the resources.
  static let templates: JSON = [
    [
      "uriTemplate": "tca-replay://log/{+log}{?line}", "name": "log",
      "description":
        "A log from a line on, up to the size of an answer: JSON Lines, data that an app recorded.",
      "mimeType": "application/jsonl",
    ],
    [
      "uriTemplate": "tca-replay://page/{+log}", "name": "page",
      "description": "The page of a log for a browser: HTML that contains the log.",
      "mimeType": "text/html",
    ],
  ]

  private static func uri(_ kind: Kind, _ name: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "#?%")
    let path = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? name
    return "\(scheme)\(kind.rawValue)/\(path)"
  }

  /// Returns the contents of a resource.
  ///
  /// - Parameters:
  ///   - uri: The URI of the resource.
  ///   - version: The version of the request.
  /// - Returns: The members of the result.
  /// - Throws: `ProtocolError`.
  func read(_ uri: String, _ version: ProtocolVersion) throws(ProtocolError) -> JSON.Object {
    let unknown = ProtocolError.unknownResource(uri, version: version)
    guard uri.hasPrefix(Self.scheme) else { throw unknown }
    let rest = uri.dropFirst(Self.scheme.count)
    guard let slash = rest.firstIndex(of: "/"), let kind = Kind(rawValue: String(rest[..<slash]))
    else { throw unknown }
    let parts = rest[rest.index(after: slash)...].split(
      separator: "?",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let name = parts.first.flatMap({ String($0).removingPercentEncoding }) else {
      throw unknown
    }
    var line = 1
    if parts.count == 2 {
      guard kind == .log, parts[1].hasPrefix("line="), let number = Int(parts[1].dropFirst(5)),
        number > 0
      else { throw unknown }
      line = number
    }
    let path: String
    do throws(ToolError) { path = try setup.folders.path(of: name) } catch { throw unknown }
    do {
      switch kind {
      case .log: return try log(path, from: line, uri)
      case .page: return try page(path, named: name, uri)
      }
    } catch {
      throw .failed(Notation.visible("\(error)"))
    }
  }

  /// Returns the lines of a log from a given one on, up to the size of an answer.
  private func log(_ path: String, from first: Int, _ uri: String) throws -> JSON.Object {
    var text = ""
    var next: Int?
    var size = 400
    try LogReader.scan(path) { start, bytes in
      guard start.line >= first else { return true }
      let line = String(decoding: bytes, as: UTF8.self).visibleJSON
      size += JSON.string(line).bytes.count + 2
      if size > setup.budget, !text.isEmpty {
        next = start.line
        return false
      }
      // A single line may exceed the size of an answer. Its beginning is still useful.
      let cut = size > setup.budget
      text += (cut ? "\(line.prefix(max(setup.budget / 3, 100)))…" : line) + "\n"
      return true
    }
    var contents: JSON.Object = [
      "uri": .string(uri), "mimeType": .string(Kind.log.mimeType), "text": .string(text),
    ]
    if let next {
      let base = uri.prefix { $0 != "?" }
      contents["_meta"] = ["tca-replay/next": .string("\(base)?line=\(next)")]
    }
    return ["contents": [.object(contents)]]
  }

  private func page(_ path: String, named name: String, _ uri: String) throws -> JSON.Object {
    guard let trace = FileMetadata(path), trace.size <= Self.largestPage else {
      throw ToolError.badArguments(Wording.pageTooLarge(Self.largestPage))
    }
    let sink = InMemorySink()
    let entries = try LogSlice.slices(of: path, name: name).map {
      LogPage.ShownLog(try PageLog($0))
    }
    try LogPage(name, entries, program: setup.program).write(to: sink)
    return [
      "contents": [
        [
          "uri": .string(uri), "mimeType": .string(Kind.page.mimeType),
          "text": .string(String(decoding: sink.bytes, as: UTF8.self)),
        ]
      ]
    ]
  }

  private final class InMemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) { self.bytes += bytes }
  }
}

extension Wording {
  static func pageTooLarge(_ limit: Int) -> String {
    "the log is too large for a page; expected at most \(limit) bytes, else 'tca-replay view' writes the page to a file"
  }
}
