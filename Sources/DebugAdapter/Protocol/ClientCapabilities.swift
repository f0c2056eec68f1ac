import ActionLog
import Foundation

/// The properties that a client states in its `initialize` request.
struct ClientCapabilities: Equatable {
  /// Whether the client counts lines from 1.
  var linesStartAt1 = true
  var columnsStartAt1 = true
  /// Whether the client uses URIs as paths.
  var hasURIs = false
  var hasProgress = false
  var hasInvalidation = false

  init() {}

  /// Reads the arguments of `initialize`.
  ///
  /// - Throws: `RequestError`.
  init(_ arguments: RequestArguments) throws(RequestError) {
    linesStartAt1 = try arguments.flag("linesStartAt1") ?? true
    columnsStartAt1 = try arguments.flag("columnsStartAt1") ?? true
    hasURIs = try arguments.string("pathFormat") == "uri"
    hasProgress = try arguments.flag("supportsProgressReporting") ?? false
    hasInvalidation = try arguments.flag("supportsInvalidatedEvent") ?? false
  }

  /// Converts a line number that counts from 1 to the client's numbering.
  func line(_ line: Int) -> JSON { .number(JSON.Number(linesStartAt1 ? line : line - 1)) }

  /// Converts a line number from the client to one that counts from 1.
  func line(from line: Int) -> Int { linesStartAt1 ? line : line + 1 }

  /// The number of the first column in the client's numbering.
  var firstColumn: JSON { column(0) }

  /// Converts a column number that counts from 0 to the client's numbering.
  func column(_ column: Int) -> JSON { .number(JSON.Number(columnsStartAt1 ? column + 1 : column)) }

  /// Converts a column number from the client to one that counts from 0.
  func column(from column: Int) -> Int { columnsStartAt1 ? max(column - 1, 0) : column }

  /// Converts a path to the client's format, which is a path or a URI.
  func path(_ path: String) -> JSON {
    .string(hasURIs ? URL(fileURLWithPath: path).absoluteString : path)
  }

  /// Converts a path or a URI from the client to a file path.
  func path(from text: String) -> String {
    guard hasURIs || text.hasPrefix("file:"), let url = URL(string: text), url.isFileURL else {
      return text
    }
    return url.path
  }
}
