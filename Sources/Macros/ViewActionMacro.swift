/// The `@ViewAction(for:)` macro.
///
/// Generates the conformance to `ViewActionSending`.
enum ViewActionMacro: Macro {
  static func extensions(in context: MacroContext) -> [String] {
    guard let type = context.nominal else { return [] }
    guard type.declarations.contains(where: \.isStore) else {
      let indentation = "\n  "
      let position = type.body.lowerBound + 1
      let feature = reducer(in: context)
      let insertion = "let store: StoreOf<\(feature)>"
      context.diagnose(
        .viewActionNeedsStore(type.name.text),
        at: type.name.range,
        fixIts: [
          FixIt(
            .insert(insertion),
            replacing: position..<position,
            with: indentation + insertion
          )
        ]
      )
      return []
    }
    warnOfDirectSends(in: type, context)
    guard context.needs("ViewActionSending") else { return [] }
    return [
      "\(context.declaration.availability)extension \(context.request.extendedType): TCACore.ViewActionSending {}"
    ]
  }

  /// Returns `Feature` in `@ViewAction(for: Feature.self)`.
  private static func reducer(in context: MacroContext) -> String {
    let argument = context.attribute.arguments?.first?.value.text ?? ""
    return argument.hasSuffix(".self") ? String(argument.dropLast(5)) : argument
  }

  /// Warns about each `store.send`.
  ///
  /// A call with `.view(...)` has a shorter form.
  private static func warnOfDirectSends(in type: NominalType, _ context: MacroContext) {
    guard let tokens = try? Lexer.tokens(of: context.request.source) else { return }
    for index in tokens.indices where tokens[index].isWord("store") {
      guard let first = startOfSend(at: index, tokens) else { continue }
      let range = tokens[first].range.lowerBound..<tokens[index + 2].range.upperBound
      context.diagnose(
        .directSend,
        at: range,
        fixIts: shortForm(of: range, after: index + 2, tokens).map { [$0] } ?? []
      )
    }
  }

  /// Returns the index at which `store.send` or `self.store.send` starts.
  ///
  /// - Parameters:
  ///   - index: The index of the token `store`.
  ///   - tokens: The tokens of the body.
  /// - Returns: The index of `store` or `self`, or `nil` if the tokens around `index` form another expression.
  private static func startOfSend(at index: Int, _ tokens: [Token]) -> Int? {
    guard index + 2 < tokens.count, tokens[index + 1].is("."), tokens[index + 2].isWord("send")
    else { return nil }
    guard index > 0, tokens[index - 1].is(".") else { return index }
    return index > 1 && tokens[index - 2].isWord("self") ? index - 2 : nil
  }

  private static func shortForm(
    of range: Range<Int>,
    after index: Int,
    _ tokens: [Token]
  ) -> FixIt? {
    let start = index + 1
    guard start + 3 < tokens.count, tokens[start].is("("), tokens[start + 1].is("."),
      tokens[start + 2].isWord("view"), tokens[start + 3].is("("),
      let end = closing(start + 3, tokens)
    else { return nil }
    return FixIt(
      .replace("store.send(.view(...))", with: "send(...)"),
      changes: [
        FixIt.TextReplacement(
          range: range.lowerBound..<tokens[start + 3].range.upperBound,
          newText: "send("
        ),
        FixIt.TextReplacement(range: tokens[end].range, newText: ""),
      ]
    )
  }

  private static func closing(_ open: Int, _ tokens: [Token]) -> Int? {
    var depth = 0
    for index in tokens.indices[open...] {
      if tokens[index].is("(") { depth += 1 }
      if tokens[index].is(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension Declaration {
  fileprivate var isStore: Bool {
    variable?.bindings.contains { $0.names.contains { $0.text == "store" } } == true
  }
}
