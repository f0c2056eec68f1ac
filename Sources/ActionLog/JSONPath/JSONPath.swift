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

  /// Parses a query.
  ///
  /// - Throws: A `JSONPath.SyntaxError` with the column of the first error.
  public init(parsing text: String) throws(SyntaxError) {
    var parser = Parser(text)
    query = try parser.wholeQuery()
    description = text
  }

  /// Returns the values that the query selects, in the order of RFC 9535, section 2.5.
  ///
  /// The same value can occur more than once.
  public func values(in root: JSON) -> [JSON] {
    Evaluation(root: root).values(of: query, at: root)
  }

  /// Returns the values that the query selects, each with its path.
  public func nodes(in root: JSON) -> [Node] {
    Evaluation(root: root).nodes(of: query)
  }
}

extension JSONPath {
  /// A logical expression about one value (RFC 9535, section 2.3.5).
  ///
  /// Both `$` and `@` refer to that value.
  ///
  /// ```swift
  /// let expression = try JSONPath.Expression(parsing: "$.state.count < 0 && $.seq > 10")
  /// expression.holds(for: ["state": ["count": -1], "seq": 11])  // true
  /// ```
  public struct Expression: Sendable, CustomStringConvertible {
    /// The expression as it was written.
    public let description: String
    let condition: Condition

    /// Parses a logical expression, and ignores leading and trailing whitespace.
    ///
    /// - Throws: A `JSONPath.SyntaxError` with the column of the first error.
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

    /// Whether the expression is true for the value `root`.
    public func holds(for root: JSON) -> Bool {
      Evaluation(root: root).holds(condition, at: root)
    }
  }
}

extension JSONPath {
  /// A computed value, such as `amount * 2` or `$.state.count - $.before.count`.
  package struct Computation: Sendable, CustomStringConvertible {
    /// The computation as it was written.
    package let description: String
    private let operand: Operand

    /// Parses a computation, and ignores leading and trailing whitespace.
    ///
    /// - Throws: A `JSONPath.SyntaxError` with the column of the first error.
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

    /// Returns the result, or `nil` if the computation is undefined for its operands.
    package func value(in root: JSON) -> JSON? {
      Evaluation(root: root).value(of: operand, at: root)
    }
  }
}

extension JSONPath.Expression {
  /// The members of the root that the expression reads, or `nil` if it can read any member.
  ///
  /// ```swift
  /// try JSONPath.Expression(parsing: "$.state.count < 0").rootMembers  // ["state"]
  /// ```
  ///
  /// The value that a caller passes needs to contain only these members.
  public var rootMembers: Set<String>? {
    var names: Set<String> = []
    return condition.collectRootMembers(into: &names, isFilter: false) ? names : nil
  }
}

extension JSONPath {
  /// A value that a query selects, and its path.
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
    /// The value that the query selects.
    public let value: JSON

    /// A step in the path to a value: the name of a member or the index of an element.
    ///
    /// ```swift
    /// node.location == [.name("todos"), .index(1)]  // the path $['todos'][1]
    /// ```
    public enum Step: Hashable, Sendable {
      /// The name of an object's member.
      case name(String)
      /// The index of an array's element, counted from 0.
      case index(Int)
    }
  }
}

extension JSONPath.Node {
  /// The path as a JSON Pointer (RFC 6901), as patches contain it.
  public var pointer: JSON.Pointer {
    JSON.Pointer(location.map(\.token))
  }

  /// The path as a normalized path (RFC 9535, section 2.7), such as `$['todos'][0]`.
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
  /// An error in a query or an expression, and its position.
  ///
  /// ```swift
  /// do { _ = try JSONPath(parsing: "$.todos[") } catch { print(error) }
  /// // found the end, expected a quoted name, an index, a slice, '*' or '?', at column 9 of $.todos[
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The query or expression that is invalid.
    public let text: String
    /// The position of the error in Unicode scalars, counted from 1.
    public let column: Int
    /// The Unicode scalar at the position, or `nil` at the end of the text.
    public let found: String?
    /// The kind of error at the position.
    public let problem: Problem
    /// The query or expression that was most likely intended, or `nil` if no correction is known.
    public internal(set) var correction: String?

    /// The kinds of errors in a query or an expression.
    ///
    /// ```swift
    /// do { _ = try JSONPath(parsing: "$[?len(@) > 1]") } catch {
    ///   if case .unknownFunction(let suggestion?) = error.problem { print("did you mean \(suggestion)?") }
    /// }
    /// // did you mean length?
    /// ```
    public enum Problem: Hashable, Sendable {
      /// The grammar requires other text at this position.
      case expected(String)
      /// An index is outside the range that I-JSON can represent exactly (RFC 9535, section 2.1).
      case integerOutOfRange
      /// RFC 9535 doesn't define a function with this name.
      case unknownFunction(suggestion: String?)
      /// A function has the wrong number of arguments.
      case argumentCount(function: String, expected: Int, found: Int)
      /// A query can select many values where the grammar requires at most one.
      case notSingular
      /// A value is used as a condition but isn't one.
      case notACondition
      /// A condition is used as a value to compare.
      case notAValue
      /// A function requires a query as its argument.
      case notAQuery(function: String)
      /// Parentheses and filters are nested deeper than the parser allows.
      case nestedTooDeep
    }

    /// The error, its position, and the invalid text, for people.
    public var description: String { Wording.describe(self) }
  }
}
