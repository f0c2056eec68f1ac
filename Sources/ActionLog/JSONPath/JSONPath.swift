/// A JSONPath query (RFC 9535): which values within a JSON value are meant.
///
/// ```swift
/// let path = try JSONPath(parsing: "$.todos[?@.done == true].title")
/// path.values(in: ["todos": [["title": "Milk", "done": true]]])  // ["Milk"]
/// ```
public struct JSONPath: Sendable, CustomStringConvertible {
  /// The query as it was written.
  public let description: String
  let query: Query

  /// Reads a query.
  ///
  /// - Throws: `JSONPath.SyntaxError` with the column at which the text stops being a query.
  public init(parsing text: String) throws(SyntaxError) {
    var parser = Parser(text)
    query = try parser.wholeQuery()
    description = text
  }

  /// The values that the query selects, in the order of RFC 9535, section 2.5; one may be selected more than once.
  public func values(in root: JSON) -> [JSON] {
    Evaluation(root: root).values(of: query, at: root)
  }

  /// The values that the query selects, each with its place.
  public func nodes(in root: JSON) -> [Node] {
    Evaluation(root: root).nodes(of: query)
  }
}
