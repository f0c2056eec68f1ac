/// The `willSet` and `didSet` of a property, adapted to its storage.
///
/// An observer that sets its own property, as in `didSet { count = min(count, 9) }`, doesn't run again. Swift
/// guarantees this only for the property with the observer, so the adapted code must name the storage.
struct PropertyObservers {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Returns the observers with the property's name replaced by its storage.
  ///
  /// Doesn't replace names after a dot, except after `self`, and doesn't replace argument labels and local
  /// declarations.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - storage: The expression that replaces it.
  ///   - isBoxed: Whether the storage is a box around the value. If so, `oldValue` and `newValue` are boxes too.
  /// - Returns: The observers of the storage, in braces.
  func of(_ property: Snippet, storedAs storage: String, isBoxed: Bool = false) -> String {
    guard let tokens = try? Lexer.tokens(of: SourceText(text)) else { return text }
    let bytes = Array(text.utf8)
    var result = ""
    var position = 0
    var scopes = LocalScopes(of: property.name, in: tokens)
    for (index, token) in tokens.enumerated() {
      scopes.visit(index)
      if isBoxed, token.is("{"), scopes.depth == 2,
        let value = Self.parameter(ofObserverAt: index, tokens)
      {
        let end = token.range.upperBound
        result += String(decoding: bytes[position..<end], as: UTF8.self)
        result += " let \(value) = \(value).wrappedValue;"
        position = end
      }
      guard token.kind == .identifier, token.name == property.name,
        Self.isProperty(at: index, tokens, in: scopes)
      else { continue }
      result += String(decoding: bytes[position..<token.range.lowerBound], as: UTF8.self) + storage
      position = token.range.upperBound
    }
    return result + String(decoding: bytes[position...], as: UTF8.self)
  }

  /// Returns the name of an observer's parameter if its body uses it.
  private static func parameter(ofObserverAt brace: Int, _ tokens: [Token]) -> String? {
    var name: String?
    if tokens[brace - 1].isWord("didSet") { name = "oldValue" }
    if tokens[brace - 1].isWord("willSet") { name = "newValue" }
    if tokens[brace - 1].is(")"), brace > 2 { name = tokens[brace - 2].text }
    var depth = 0
    for token in tokens[brace...] {
      if token.is("{") { depth += 1 }
      if token.is("}") { depth -= 1 }
      if depth == 0 { return nil }
      if token.text == name { return name }
      // The lexer doesn't split string literals, so interpolations are searched as text.
      if let name, token.kind == .string, token.text.contains(name) { return name }
    }
    return nil
  }

  private static func isProperty(
    at index: Int,
    _ tokens: [Token],
    in scopes: LocalScopes
  ) -> Bool {
    if index > 1, tokens[index - 1].is(".") { return tokens[index - 2].isWord("self") }
    return !scopes.isLabel(index) && !scopes.isLocal
  }
}

/// The accessors of a property whose storage has `willSet` or `didSet`.
///
/// The observers run once per change: the accessors set the storage once and otherwise modify a copy.
struct ObservedStorage {
  private let storage: String
  private let keyPath: String
  private let comparison: String

  /// Creates accessors.
  ///
  /// - Parameters:
  ///   - storage: The expression for the storage.
  ///   - keyPath: The key path of the property.
  ///   - isCompared: Whether setting an equal value counts as no change.
  init(_ storage: String, _ keyPath: String, compared isCompared: Bool = false) {
    self.storage = storage
    self.keyPath = keyPath
    comparison =
      "TCACore._$isIdentityEqual" + (isCompared ? ", TCACore._$shouldNotifyObservers" : "")
  }

  var setter: String {
    """
    set {
      _$observationRegistrar._$willModify()
      var value = \(storage)
      \(storage) = newValue
      _$observationRegistrar.mutate(
        self, keyPath: \(keyPath), &value, \(storage), \(comparison)
      )
    }
    """
  }

  var modifier: String {
    """
    _modify {
      _$observationRegistrar._$willModify()
      var value = \(storage)
      let oldValue = _$observationRegistrar.willModify(self, keyPath: \(keyPath), &value)
      defer {
        \(storage) = value
        value = \(storage)
        _$observationRegistrar.didModify(
          self, keyPath: \(keyPath), &value, oldValue, TCACore._$isIdentityEqual
        )
      }
      yield &value
    }
    """
  }
}
