/// The parse of a declaration by the scanner, as lines of text.
struct ScannerOutline {
  private(set) var lines: [String] = []

  init(_ declaration: Declaration) {
    add(declaration, depth: 0)
  }

  private mutating func add(_ line: String, _ depth: Int) {
    lines.append(String(repeating: " ", count: depth) + line)
  }

  private mutating func add(_ declaration: Declaration, depth: Int) {
    for attribute in declaration.attributes {
      add("attribute \(attribute.name): \(joined(attribute.snippet.text))", depth)
    }
    for modifier in declaration.modifiers {
      add("modifier \(modifier.name) \(joined(modifier.detail ?? ""))", depth)
    }
    switch declaration.content {
    case .nominal(let type): add(type, declaration, depth)
    case .variable(let variable): add(variable, depth)
    case .function(let function): add(function, declaration, depth)
    case .cases(let cases):
      for element in cases {
        add("case \(element.name.text) \(element.payload == nil ? "" : "()")", depth)
        for parameter in element.payload ?? [] { add(parameter, depth + 1) }
        if let value = element.rawValue { add("= \(joined(value.text))", depth) }
      }
    case .alias(let name): add("typealias \(name.text)", depth)
    case .other: add(declaration.introducer.text, depth)
    }
  }

  private mutating func add(_ type: NominalType, _ declaration: Declaration, _ depth: Int) {
    add("\(declaration.introducer.text) \(joined(type.name.text))", depth)
    for parameter in type.genericParameters {
      let constraint = joined(parameter.constraint?.text ?? "")
      add("generic \(parameter.specifier ?? "") \(parameter.name): \(constraint)", depth)
    }
    for inherited in type.inheritance { add("inherits \(joined(inherited.text))", depth) }
    if let clause = type.whereClause { add(joined(clause.text), depth) }
    for member in type.members { add(member, depth + 1) }
  }

  private mutating func add(_ member: Member, _ depth: Int) {
    switch member {
    case .declaration(let declaration): add(declaration, depth: depth)
    case .conditional(let clauses):
      for clause in clauses {
        add(joined(clause.directive.text), depth)
        for member in clause.members { add(member, depth + 1) }
      }
    }
  }

  private mutating func add(_ variable: Variable, _ depth: Int) {
    for binding in variable.bindings {
      let type = joined(binding.type?.text ?? "")
      add("\(variable.isLet ? "let" : "var") \(joined(binding.pattern.text)): \(type)", depth)
      if let value = binding.initialValue { add("= \(joined(value.text))", depth) }
      if let accessors = binding.accessors {
        add("accessors \(accessors.names.joined(separator: ","))", depth)
      }
    }
  }

  private mutating func add(_ function: Function, _ declaration: Declaration, _ depth: Int) {
    add("\(declaration.introducer.text) \(function.name.text)", depth)
    for parameter in function.parameters { add(parameter, depth + 1) }
    if let result = function.result { add("-> \(joined(result.text))", depth) }
    if let body = function.body { add("body \(joined(body.text).utf8.count)", depth) }
  }

  private mutating func add(_ parameter: TypeReference.Element, _ depth: Int) {
    let names = [parameter.label, parameter.secondName].compactMap(\.self).joined(separator: " ")
    add("(\(names)) \(joined(parameter.type.text)) \(shape(parameter.type))", depth)
    if let value = parameter.defaultValue { add("= \(joined(value.text))", depth) }
  }

  private func shape(_ type: TypeReference) -> String {
    switch type.shape {
    case .named(let components): "named " + components.map(\.name).joined(separator: ".")
    case .optional(let wrapped): "optional " + shape(wrapped)
    case .implicitlyUnwrapped(let wrapped): "unwrapped " + shape(wrapped)
    case .tuple(let elements): "tuple \(elements.count)"
    case .function(let function):
      "function \(function.parameters.count) \(function.isAsync) \(function.isThrowing) "
        + joined(function.result.text)
    case .attributed(_, let type): "attributed " + shape(type)
    case .constrained(let word, let type): word + " " + shape(type)
    case .other: "other"
    }
  }

  /// Returns the text without blanks and comments.
  private func joined(_ text: String) -> String {
    // For the parser, a line break that a string literal omits (`\#` in a raw one) is trivia.
    let tokens = try? Lexer.tokens(of: SourceText(text)).map(\.text).joined()
      .replacing(/\\#+\n/, with: "")
    return tokens?.filter { !$0.isWhitespace && $0 != "\\" } ?? "unreadable: \(text)"
  }
}
