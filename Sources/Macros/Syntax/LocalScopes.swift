/// The scopes of a block of code in which a local declaration may hide a name.
///
/// Visit the tokens in order. If this type overestimates how long a name is hidden, the name is taken as a member of
/// `self`, which is correct for every use except an assignment.
struct LocalScopes {
  /// The code between a pair of brackets.
  private struct BracketScope {
    let opening: Token
    /// Whether the name is local at the start of the scope.
    let isLocalAtStart: Bool
    /// Whether the name is local until the end of the scope.
    var isLocal: Bool
    /// Whether the name is local until the end of the next block, as after `if let`.
    var isLocalInBlock = false
    /// The keyword of the statement to which the next block belongs.
    var head: String?
    /// Whether the scanner is inside a pattern, in which a name is a declaration.
    var isPattern = false
    /// Whether the statement begins with `let` or `var`, so that another pattern may follow a comma.
    var isVariable = false
  }

  private let name: String
  private let tokens: [Token]
  private var scopes: [BracketScope] = []

  init(of name: String, in tokens: [Token]) {
    self.name = name
    self.tokens = tokens
  }

  /// The bracket that opens the innermost scope.
  var opening: Token? { scopes.last?.opening }

  /// The number of enclosing scopes.
  var depth: Int { scopes.count }

  /// Whether the name refers to a local declaration here.
  var isLocal: Bool { scopes.contains { $0.isLocal || $0.isLocalInBlock } }

  /// Whether the name is an argument or parameter label here.
  func isLabel(_ index: Int) -> Bool {
    guard opening?.is("(") == true, index + 1 < tokens.count,
      tokens[index - 1].is("(") || tokens[index - 1].is(",")
    else { return false }
    let next = tokens[index + 1]
    return next.is(":") || (isParameter && next.kind == .identifier)
  }

  /// Advances to a token.
  mutating func visit(_ index: Int) {
    let token = tokens[index]
    if token.is("(") || token.is("[") || token.is("{") { return open(at: index) }
    if token.is(")") || token.is("]") || token.is("}") { return close() }
    if token.kind == .identifier, token.name == name, isDeclaration(index) {
      return declare(isFunction: tokens[index - 1].isWord("func"))
    }
    guard let scope = scopes.indices.last else { return }
    switch token.text {
    case "let", "var":
      scopes[scope].isPattern = true
      scopes[scope].isVariable = scopes[scope].head == nil
    case "for", "func", "didSet", "willSet":
      scopes[scope].head = token.text
      scopes[scope].isPattern = true
    case "if", "while", "guard", "catch":
      // The condition of `repeat` isn't followed by a block.
      if token.text == "while", tokens[index - 1].is("}"), !token.startsLine { break }
      scopes[scope].head = token.text
    case "case", "default":
      // The names of a `case` in a `switch` end with it. In other statements, a `case` is only a part.
      if scopes[scope].head == nil, scopes[scope].opening.is("{") {
        scopes[scope].isLocal = scopes[scope].isLocalAtStart
        scopes[scope].isVariable = false
      }
    case "in", "=", "->":
      scopes[scope].isPattern = false
    case ":":
      if isParameter || !scopes[scope].opening.is("(") { scopes[scope].isPattern = false }
    case ",":
      if scopes[scope].isVariable || (isParameter && scopes[scope].opening.is("(")) {
        scopes[scope].isPattern = true
      }
    default:
      guard token.startsLine else { break }
      scopes[scope].isPattern = false
      scopes[scope].isVariable = false
    }
  }

  private mutating func open(at index: Int) {
    let token = tokens[index]
    var isLocal = isLocal
    var isPattern = scopes.last?.isPattern == true
    if token.is("{") {
      isPattern = false
      if let scope = scopes.indices.last {
        scopes[scope].head = nil
        scopes[scope].isLocalInBlock = false
        scopes[scope].isPattern = false
      }
      if !isLocal { isLocal = isParameterOfClosure(at: index) }
    }
    scopes.append(
      BracketScope(opening: token, isLocalAtStart: isLocal, isLocal: isLocal, isPattern: isPattern)
    )
  }

  private mutating func close() {
    _ = scopes.popLast()
  }

  /// Makes the name local in the statement or block that declares it.
  private mutating func declare(isFunction: Bool) {
    guard let block = scopes.lastIndex(where: { $0.opening.is("{") }) else { return }
    switch scopes[block].head {
    case "if", "while", "for", "catch",
      "func" where !isFunction, "didSet", "willSet":
      scopes[block].isLocalInBlock = true
    default:
      scopes[block].isLocal = true
    }
  }

  /// Whether the name is declared here, and isn't a label or a member.
  private func isDeclaration(_ index: Int) -> Bool {
    guard scopes.last?.isPattern == true else { return false }
    if index > 0, tokens[index - 1].is(".") || tokens[index - 1].is("=") { return false }
    guard index + 1 < tokens.count else { return true }
    let next = tokens[index + 1]
    // `(name: other)` is a label in a pattern. `(name: Type)` is a parameter of a function.
    if next.is(":"), opening?.is("(") == true { return isParameter }
    // `(name other: Type)` declares `other`.
    return !(isParameter && next.kind == .identifier)
  }

  /// Whether the scanner is inside the parameters of a function.
  private var isParameter: Bool {
    scopes.last { $0.opening.is("{") }?.head == "func"
  }

  /// Whether a closure has a parameter with the name, or captures it.
  private func isParameterOfClosure(at brace: Int) -> Bool {
    var brackets = 0
    var isFound = false
    var index = brace + 1
    while index < tokens.count {
      let token = tokens[index]
      if token.is("{") || token.is("}") || token.is(";") { return false }
      if token.is("(") || token.is("[") { brackets += 1 }
      if token.is(")") || token.is("]") { brackets -= 1 }
      if brackets < 0 { return false }
      if brackets == 0, token.kind == .identifier {
        if token.isWord("in") { return isFound }
        // A statement. Its declarations are found when it is visited.
        if ["for", "if", "let", "var", "guard", "while", "switch"].contains(token.text) {
          return false
        }
      }
      if token.kind == .identifier, token.name == name, isParameter(index) { isFound = true }
      index += 1
    }
    return false
  }

  /// Whether an identifier in a closure's signature is a parameter, rather than a value or a type.
  private func isParameter(_ index: Int) -> Bool {
    let before = tokens[index - 1]
    return
      !(before.is("=") || before.is(":") || before.is(".") || before.is("<")
      || before.kind == .arrow)
  }
}
