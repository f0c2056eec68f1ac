import SwiftSyntax

/// The parse of a declaration by the toolchain's parser, as lines of text.
struct ParserOutline {
  private(set) var lines: [String] = []

  init(_ declaration: DeclSyntax) {
    add(declaration, depth: 0)
  }

  private mutating func add(_ line: String, _ depth: Int) {
    lines.append(String(repeating: " ", count: depth) + line)
  }

  private mutating func add(_ declaration: DeclSyntax, depth: Int) {
    if let attributed = declaration.asProtocol((any WithAttributesSyntax).self) {
      add(attributed.attributes, depth)
    }
    if let modified = declaration.asProtocol((any WithModifiersSyntax).self) {
      for modifier in modified.modifiers {
        add("modifier \(modifier.name.text) \(joined(modifier.detail?.detail))", depth)
      }
    }
    if let group = declaration.asProtocol((any DeclGroupSyntax).self) {
      add(group, depth)
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      add(variable, depth)
    } else if let enumCase = declaration.as(EnumCaseDeclSyntax.self) {
      add(enumCase, depth)
    } else if let alias = declaration.as(TypeAliasDeclSyntax.self) {
      add("typealias \(alias.name.text)", depth)
    } else if let macro = declaration.as(MacroExpansionDeclSyntax.self) {
      add("#\(macro.macroName.text)", depth)
    } else if let associated = declaration.as(AssociatedTypeDeclSyntax.self) {
      add(associated.associatedtypeKeyword.text, depth)
    } else {
      addFunction(declaration, depth)
    }
  }

  private mutating func add(_ attributes: AttributeListSyntax, _ depth: Int) {
    for element in attributes {
      switch element {
      case .attribute(let attribute):
        let name = joined(attribute.attributeName).split(separator: "<").first ?? ""
        add("attribute \(name): \(joined(attribute))", depth)
      case .ifConfigDecl(let conditional):
        for clause in conditional.clauses {
          if case .attributes(let attributes)? = clause.elements { add(attributes, depth) }
        }
      @unknown default:
        add("unknown attribute", depth)
      }
    }
  }

  private mutating func add(_ group: any DeclGroupSyntax, _ depth: Int) {
    let name =
      if let named = group.asProtocol((any NamedDeclSyntax).self) {
        named.name.text
      } else {
        joined(group.as(ExtensionDeclSyntax.self)?.extendedType)
      }
    add("\(group.introducer.text) \(name)", depth)
    if let generic = group.asProtocol((any WithGenericParametersSyntax).self) {
      for parameter in generic.genericParameterClause?.parameters ?? [] {
        let specifier = parameter.specifier?.text ?? ""
        add(
          "generic \(specifier) \(parameter.name.text): \(joined(parameter.inheritedType))",
          depth
        )
      }
    }
    for inherited in group.inheritanceClause?.inheritedTypes ?? [] {
      add("inherits \(joined(inherited.type))", depth)
    }
    if let generic = group.asProtocol((any WithGenericParametersSyntax).self),
      let clause = generic.genericWhereClause
    {
      add(joined(clause), depth)
    }
    add(group.memberBlock.members, depth + 1)
  }

  private mutating func add(_ members: MemberBlockItemListSyntax, _ depth: Int) {
    for member in members {
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else {
        add(member.decl, depth: depth)
        continue
      }
      for clause in conditional.clauses {
        add(joined(clause.poundKeyword) + joined(clause.condition), depth)
        if case .decls(let members)? = clause.elements { add(members, depth + 1) }
      }
    }
  }
}

extension ParserOutline {
  private mutating func add(_ variable: VariableDeclSyntax, _ depth: Int) {
    for binding in variable.bindings {
      let type = joined(binding.typeAnnotation?.type)
      add("\(variable.bindingSpecifier.text) \(joined(binding.pattern)): \(type)", depth)
      if let value = binding.initializer { add("= \(joined(value.value))", depth) }
      if let block = binding.accessorBlock {
        var names: [String] = []
        for accessor in block.tokens(viewMode: .sourceAccurate) {
          guard let declaration = accessor.parent?.as(AccessorDeclSyntax.self),
            declaration.accessorSpecifier == accessor,
            declaration.parent?.parent?.id == block.id
          else { continue }
          names.append(accessor.text)
        }
        add("accessors \(names.joined(separator: ","))", depth)
      }
    }
  }

  private mutating func add(_ enumCase: EnumCaseDeclSyntax, _ depth: Int) {
    for element in enumCase.elements {
      add("case \(element.name.text) \(element.parameterClause == nil ? "" : "()")", depth)
      for parameter in element.parameterClause?.parameters ?? [] {
        add(
          parameter.firstName,
          parameter.secondName,
          parameter.type,
          parameter.defaultValue,
          depth + 1
        )
      }
      if let value = element.rawValue { add("= \(joined(value.value))", depth) }
    }
  }

  private mutating func addFunction(_ declaration: DeclSyntax, _ depth: Int) {
    let signature: FunctionSignatureSyntax?
    var body: CodeBlockSyntax?
    switch declaration.as(DeclSyntaxEnum.self) {
    case .functionDecl(let function):
      add("func \(function.name.text)", depth)
      (signature, body) = (function.signature, function.body)
    case .initializerDecl(let function):
      add("init init", depth)
      (signature, body) = (function.signature, function.body)
    case .macroDecl(let macro):
      add("macro \(macro.name.text)", depth)
      signature = macro.signature
    case .deinitializerDecl(let function):
      add("deinit deinit", depth)
      (signature, body) = (nil, function.body)
    case .subscriptDecl(let function):
      add("subscript subscript", depth)
      for parameter in function.parameterClause.parameters { add(parameter, depth + 1) }
      add("-> \(joined(function.returnClause.type))", depth)
      if let block = function.accessorBlock { add("body \(joined(block).utf8.count)", depth) }
      return
    default:
      add("unknown \(declaration.kind)", depth)
      return
    }
    for parameter in signature?.parameterClause.parameters ?? [] { add(parameter, depth + 1) }
    if let result = signature?.returnClause { add("-> \(joined(result.type))", depth) }
    if let body { add("body \(joined(body).utf8.count)", depth) }
  }

  private mutating func add(_ parameter: FunctionParameterSyntax, _ depth: Int) {
    add(
      parameter.firstName,
      parameter.secondName,
      parameter.type,
      parameter.defaultValue,
      depth,
      ellipsis: parameter.ellipsis
    )
  }

  private mutating func add(
    _ firstName: TokenSyntax?,
    _ secondName: TokenSyntax?,
    _ type: TypeSyntax,
    _ defaultValue: InitializerClauseSyntax?,
    _ depth: Int,
    ellipsis: TokenSyntax? = nil
  ) {
    let names = [firstName, secondName].compactMap { $0?.text.trimming("`") }
      .joined(separator: " ")
    let text = joined(type) + (ellipsis?.text ?? "")
    add("(\(names)) \(text) \(ellipsis == nil ? shape(type) : "other")", depth)
    if let defaultValue { add("= \(joined(defaultValue.value))", depth) }
  }

  private func shape(_ type: TypeSyntax) -> String {
    switch type.as(TypeSyntaxEnum.self) {
    case .identifierType, .memberType:
      return names(type).map { "named " + $0.joined(separator: ".") } ?? "other"
    case .optionalType(let type): return "optional " + shape(type.wrappedType)
    case .implicitlyUnwrappedOptionalType(let type): return "unwrapped " + shape(type.wrappedType)
    case .tupleType(let type): return "tuple \(type.elements.count)"
    case .functionType(let type):
      let effects = type.effectSpecifiers
      return
        "function \(type.parameters.count) \(effects?.asyncSpecifier != nil) "
        + "\(effects?.throwsClause != nil) " + joined(type.returnClause.type)
    case .attributedType(let type): return "attributed " + shape(type.baseType)
    case .suppressedType(let type): return "attributed " + shape(type.type)
    case .packExpansionType(let type): return "attributed " + shape(type.repetitionPattern)
    case .packElementType(let type): return "attributed " + shape(type.pack)
    case .someOrAnyType(let type):
      return type.someOrAnySpecifier.text + " " + shape(type.constraint)
    default: return "other"
    }
  }

  private func names(_ type: TypeSyntax) -> [String]? {
    if let type = type.as(IdentifierTypeSyntax.self) { return [type.name.text.trimming("`")] }
    guard let type = type.as(MemberTypeSyntax.self), let base = names(type.baseType) else {
      return nil
    }
    return base + [type.name.text.trimming("`")]
  }

  private func joined(_ node: (some SyntaxProtocol)?) -> String {
    // For the parser, some blanks inside string literals are trivia.
    (node?.tokens(viewMode: .sourceAccurate).map(\.text).joined() ?? "")
      .filter { !$0.isWhitespace && $0 != "\\" }
  }
}

extension String {
  fileprivate func trimming(_ character: Character) -> String {
    first == character ? String(dropFirst().dropLast()) : self
  }
}
