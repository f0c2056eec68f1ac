import ActionLog
import Foundation

/// The properties of a client, from `initialize`.
struct Client: Equatable {
  /// Whether its lines are counted from 1.
  var linesStartAt1 = true
  var columnsStartAt1 = true
  /// Whether it gives and expects paths as URIs.
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

  /// A line as the client counts them.
  func line(_ line: Int) -> JSON { .number(JSON.Number(linesStartAt1 ? line : line - 1)) }

  /// A line, counted from 1, that the client has given.
  func line(from line: Int) -> Int { linesStartAt1 ? line : line + 1 }

  /// The first column as the client counts them.
  var firstColumn: JSON { column(0) }

  /// A column as the client counts them.
  func column(_ column: Int) -> JSON { .number(JSON.Number(columnsStartAt1 ? column + 1 : column)) }

  /// A column, counted from 0, that the client has given.
  func column(from column: Int) -> Int { columnsStartAt1 ? max(column - 1, 0) : column }

  /// A path as the client has it.
  func path(_ path: String) -> JSON {
    .string(hasURIs ? URL(fileURLWithPath: path).absoluteString : path)
  }

  /// A path that the client has given.
  func path(from text: String) -> String {
    guard hasURIs || text.hasPrefix("file:"), let url = URL(string: text), url.isFileURL else {
      return text
    }
    return url.path
  }
}
