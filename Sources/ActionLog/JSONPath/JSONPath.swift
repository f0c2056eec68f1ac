/// A JSONPath query (RFC 9535), which selects values within a JSON value.
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

extension JSONPath {
  /// A logical expression (RFC 9535, section 2.3.5) over one value, which both `$` and `@` stand for.
  ///
  /// ```swift
  /// let expression = try JSONPath.Expression(parsing: "$.state.count < 0 && $.seq > 10")
  /// expression.holds(for: ["state": ["count": -1], "seq": 11])  // true
  /// ```
  public struct Expression: Sendable, CustomStringConvertible {
    /// The expression as it was written.
    public let description: String
    let condition: Condition

    /// Reads an expression; there may be blank space around it.
    ///
    /// - Throws: `JSONPath.SyntaxError` with the column at which the text stops being an expression.
    public init(parsing text: String) throws(SyntaxError) {
      do throws(SyntaxError) { condition = try Self.condition(text) } catch {
        throw error.corrected { text in
          do throws(SyntaxError) { _ = try Self.condition(text) } catch { return error }
          return nil
        }
      }
      description = text
    }

    private static func condition(_ text: String) throws(SyntaxError) -> Condition {
      var parser = Parser(text)
      return try parser.wholeExpression()
    }

    /// Whether the expression is true of a value.
    public func holds(for root: JSON) -> Bool {
      Evaluation(root: root).holds(condition, at: root)
    }
  }
}

extension JSONPath {
  /// A value that is computed from one: `amount * 2`, `$.state.count - $.before.count`.
  package struct Computation: Sendable, CustomStringConvertible {
    /// The value as it was written.
    package let description: String
    private let operand: Operand

    /// Reads a value; there may be blank space around it.
    ///
    /// - Throws: `JSONPath.SyntaxError` with the column at which the text stops being a value.
    package init(parsing text: String) throws(SyntaxError) {
      do throws(SyntaxError) { operand = try Self.operand(text) } catch {
        throw error.corrected { text in
          do throws(SyntaxError) { _ = try Self.operand(text) } catch { return error }
          return nil
        }
      }
      description = text
    }

    private static func operand(_ text: String) throws(SyntaxError) -> Operand {
      var parser = Parser(text)
      return try parser.wholeValue()
    }

    /// The value; `nil` where the operands have none.
    package func value(in root: JSON) -> JSON? {
      Evaluation(root: root).value(of: operand, at: root)
    }
  }
}

extension JSONPath.Expression {
  /// The members of the root that the expression reads, or `nil` when it may read any of them.
  ///
  /// ```swift
  /// try JSONPath.Expression(parsing: "$.state.count < 0").rootMembers  // ["state"]
  /// ```
  ///
  /// `$.state.count < 0` reads `state` alone, so that a caller need not prepare anything else.
  public var rootMembers: Set<String>? {
    var names: Set<String> = []
    return condition.collectRootMembers(into: &names, isFilter: false) ? names : nil
  }
}

extension JSONPath {
  /// A value that a query selects, and its place.
  ///
  /// ```swift
  /// let nodes = try JSONPath(parsing: "$.todos[*]").nodes(in: ["todos": ["Milk", "Eggs"]])
  /// nodes[1].value           // "Eggs"
  /// nodes[1].pointer         // /todos/1
  /// nodes[1].normalizedPath  // $['todos'][1]
  /// ```
  public struct Node: Hashable, Sendable {
    /// The path from the root to the value.
    public let location: [Step]
    /// The value.
    public let value: JSON

    /// A member's name or an element's index on the path to a value.
    ///
    /// ```swift
    /// node.location == [.name("todos"), .index(1)]  // the place $['todos'][1]
    /// ```
    public enum Step: Hashable, Sendable {
      /// A member of an object.
      case name(String)
      /// An element of an array, counted from 0.
      case index(Int)
    }
  }
}

extension JSONPath.Node {
  /// The place as a JSON Pointer (RFC 6901), as patches name it.
  public var pointer: JSON.Pointer {
    JSON.Pointer(location.map(\.token))
  }

  /// The place as a normalized path (RFC 9535, section 2.7), such as `$['todos'][0]`.
  public var normalizedPath: String {
    location.reduce(into: "$") { text, step in
      switch step {
      case .name(let name): text += "['\(Self.escaped(name))']"
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSONPath {
  /// The reason why a text is not a query or an expression, and its place.
  ///
  /// ```swift
  /// do { _ = try JSONPath(parsing: "$.todos[") } catch { print(error) }
  /// // found the end, expected a quoted name, an index, a slice, '*' or '?', at column 9 of $.todos[
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// The place of the problem, in Unicode scalars from 1.
    public let column: Int
    /// The text there; `nil` at the end of the text.
    public let found: String?
    /// The problem there.
    public let problem: Problem
    /// The text that was most likely meant; `nil` where nothing is known that reads.
    public internal(set) var correction: String?

    /// A problem of a query.
    ///
    /// ```swift
    /// do { _ = try JSONPath(parsing: "$[?len(@) > 1]") } catch {
    ///   if case .unknownFunction(let suggestion?) = error.problem { print("did you mean \(suggestion)?") }
    /// }
    /// // did you mean length?
    /// ```
    public enum Problem: Hashable, Sendable {
      /// Something else was expected.
      case expected(String)
      /// An index beyond what I-JSON can hold exactly (RFC 9535, section 2.1).
      case integerOutOfRange
      /// A function that RFC 9535 does not define.
      case unknownFunction(suggestion: String?)
      /// A function with the wrong number of arguments.
      case argumentCount(function: String, expected: Int, found: Int)
      /// A query that can select many values, where one is needed.
      case notSingular
      /// A value that is not a condition by itself.
      case notACondition
      /// A test that has no value to compare.
      case notAValue
      /// A function whose argument must be a query.
      case notAQuery(function: String)
      /// Parentheses and filters nested deeper than the parser allows.
      case nestedTooDeep
    }

    /// The problem in words, with its place and the text.
    public var description: String { Wording.describe(self) }
  }
}
