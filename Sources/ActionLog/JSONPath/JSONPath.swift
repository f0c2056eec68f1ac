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
  /// - Throws: `JSONPath.SyntaxError` with the column of the first error.
  public init(parsing text: String) throws(SyntaxError) {
    var parser = Parser(text)
    query = try parser.wholeQuery()
    description = text
  }

  /// Returns the values that the query selects, in the order of RFC 9535, section 2.5.
  ///
  /// A value can be selected more than once.
  public func values(in root: JSON) -> [JSON] {
    Evaluation(root: root).values(of: query, at: root)
  }

  /// Returns the values that the query selects, with their paths.
  public func nodes(in root: JSON) -> [Node] {
    Evaluation(root: root).nodes(of: query)
  }
}

extension JSONPath {
  /// A logical expression over one value (RFC 9535, section 2.3.5).
  ///
  /// Both `$` and `@` refer to the value.
  ///
  /// ```swift
  /// let expression = try JSONPath.Expression(parsing: "$.state.count < 0 && $.seq > 10")
  /// expression.holds(for: ["state": ["count": -1], "seq": 11])  // true
  /// ```
  public struct Expression: Sendable, CustomStringConvertible {
    /// The expression as it was written.
    public let description: String
    let condition: Condition

    /// Parses an expression.
    ///
    /// Leading and trailing whitespace is ignored.
    ///
    /// - Throws: `JSONPath.SyntaxError` with the column of the first error.
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

    /// Whether the expression is true for a value.
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

    /// Parses a computation.
    ///
    /// Leading and trailing whitespace is ignored.
    ///
    /// - Throws: `JSONPath.SyntaxError` with the column of the first error.
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

    /// Returns the value, or `nil` if it is undefined for the operands.
    package func value(in root: JSON) -> JSON? {
      Evaluation(root: root).value(of: operand, at: root)
    }
  }
}

extension JSONPath.Expression {
  /// The members of the root that the expression reads, or `nil` if it may read any of them.
  ///
  /// ```swift
  /// try JSONPath.Expression(parsing: "$.state.count < 0").rootMembers  // ["state"]
  /// ```
  ///
  /// A caller needs to prepare only these members.
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
    /// The value.
    public let value: JSON

    /// One step of the path to a value: the name of a member or the index of an element.
    ///
    /// ```swift
    /// node.location == [.name("todos"), .index(1)]  // the path $['todos'][1]
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
  /// The path as a JSON Pointer (RFC 6901), the form in patches.
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
  /// An error in the text of a query or an expression, and its position.
  ///
  /// ```swift
  /// do { _ = try JSONPath(parsing: "$.todos[") } catch { print(error) }
  /// // found the end, expected a quoted name, an index, a slice, '*' or '?', at column 9 of $.todos[
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The invalid text.
    public let text: String
    /// The position of the error in Unicode scalars, from 1.
    public let column: Int
    /// The text at the position, or `nil` at the end of the text.
    public let found: String?
    /// The problem at the position.
    public let problem: Problem
    /// The text that was most likely intended, or `nil` if no correction is known.
    public internal(set) var correction: String?

    /// A problem in a query or an expression.
    ///
    /// ```swift
    /// do { _ = try JSONPath(parsing: "$[?len(@) > 1]") } catch {
    ///   if case .unknownFunction(let suggestion?) = error.problem { print("did you mean \(suggestion)?") }
    /// }
    /// // did you mean length?
    /// ```
    public enum Problem: Hashable, Sendable {
      /// The text is not what the grammar requires here.
      case expected(String)
      /// An index is out of the range that I-JSON can represent exactly (RFC 9535, section 2.1).
      case integerOutOfRange
      /// A function is not defined in RFC 9535.
      case unknownFunction(suggestion: String?)
      /// A function has the wrong number of arguments.
      case argumentCount(function: String, expected: Int, found: Int)
      /// A query can select many values, where one is required.
      case notSingular
      /// A value is not a condition by itself.
      case notACondition
      /// A test doesn't have a value to compare.
      case notAValue
      /// A function requires a query as its argument.
      case notAQuery(function: String)
      /// Parentheses and filters are nested deeper than the parser allows.
      case nestedTooDeep
    }

    /// The problem, its position and the text, for people.
    public var description: String { Wording.describe(self) }
  }
}
