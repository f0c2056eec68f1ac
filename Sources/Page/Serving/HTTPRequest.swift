import ActionLog
import Foundation

/// A request to `view --serve`: its path and its headers.
struct HTTPRequest: Equatable {
  let method: String
  /// The path without the query.
  let path: String
  /// The names and values of the query, in their order.
  let query: [(name: String, value: String)]
  /// The headers by their lowercase names.
  let headers: [String: String]

  /// The maximum size of a request head in bytes.
  ///
  /// Longer requests are refused.
  static let longest = 16 << 10

  static func == (one: Self, other: Self) -> Bool {
    one.method == other.method && one.path == other.path && one.headers == other.headers
      && one.query.elementsEqual(other.query, by: ==)
  }

  /// Parses the head of a request; `nil` for invalid text.
  ///
  /// - Parameter head: The lines of the head, up to the empty line.
  init?(_ head: String) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), parts[1].hasPrefix("/") else {
      return nil
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = line[..<colon].lowercased()
      // Two parsers could interpret repeated headers differently.
      guard headers[name] == nil else { return nil }
      headers[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var query: [(name: String, value: String)] = []
    for pair in (target.count > 1 ? target[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]),
        let value = Self.decoded(sides.count > 1 ? sides[1] : "")
      else { return nil }
      query.append((name, value))
    }
    (method, path, self.query, self.headers) = (String(parts[0]), String(target[0]), query, headers)
  }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }
}

/// The answer to a request.
struct HTTPResponse: Equatable {
  var status = 200
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []

  static func refusal(_ status: Int, _ text: String) -> Self {
    HTTPResponse(status: status, body: Array("\(text)\n".utf8))
  }

  /// The encoded response.
  var bytes: [UInt8] {
    let reasons = [
      200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
      413: "Content Too Large",
    ]
    // The address contains the token, so no referrer is sent. Other sites can't frame or load the response.
    let head = """
      HTTP/1.1 \(status) \(reasons[status] ?? "")\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      Cache-Control: no-store\r
      Referrer-Policy: no-referrer\r
      X-Content-Type-Options: nosniff\r
      X-Frame-Options: DENY\r
      Cross-Origin-Resource-Policy: same-origin\r
      Connection: close\r
      \r

      """
    return Array(head.utf8) + body
  }
}
