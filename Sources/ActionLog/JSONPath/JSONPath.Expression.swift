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
      var parser = Parser(text)
      condition = try parser.wholeExpression()
      description = text
    }

    /// Whether the expression is true of a value.
    public func holds(for root: JSON) -> Bool {
      Evaluation(root: root).holds(condition, at: root)
    }
  }
}

extension JSONPath.Expression {
  /// The members of the root that the expression looks at, or `nil` when it may look at any of them.
  ///
  /// `$.state.count < 0` looks at `state` alone, so that nothing else has to be prepared for it.
  public var rootMembers: Set<String>? {
    var names: Set<String> = []
    return condition.collectRootMembers(into: &names, isFilter: false) ? names : nil
  }
}
