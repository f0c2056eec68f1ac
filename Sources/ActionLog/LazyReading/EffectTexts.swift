/// Descriptions of effects as text that has been found to be some: they are read one by one, groups before their effects.
package struct EffectTexts: Sequence {
  /// The array of descriptions; empty where there is none.
  private let text: SkimmedEvent.Text

  /// No descriptions.
  package init() { self.init(text: SkimmedEvent.Text(start: nil, count: 0)) }

  fileprivate init(text: SkimmedEvent.Text) { self.text = text }

  /// Whether there are none.
  package var isEmpty: Bool { text.count <= 2 }

  /// Their names and numbers.
  package var skimmed: [SkimmedEffect] { isEmpty ? [] : map { SkimmedEffect($0) } }

  /// The descriptions in the order in which they stand.
  package func makeIterator() -> Iterator { Iterator(text) }

  package struct Iterator: IteratorProtocol {
    private var parser: JSON.Parser
    private var level = 0

    fileprivate init(_ text: SkimmedEvent.Text) {
      parser = JSON.Parser(bytes: text)
      parser.isCompact = true
      _ = parser.take(UInt8(ascii: "["))
    }

    package mutating func next() -> EffectText? {
      while parser.take(UInt8(ascii: "]")) {
        guard level > 0, parser.take(UInt8(ascii: "}")) else { return nil }
        level -= 1
      }
      _ = parser.take(UInt8(ascii: ","))
      guard let effect = parser.effectText(level: level) else { return nil }
      if parser.take(#","effects":["#) {
        level += 1
      } else {
        _ = parser.take(UInt8(ascii: "}"))
      }
      return effect
    }
  }
}

/// The description of an effect with its values left as text, as far as it is shown.
package struct EffectText {
  /// How many groups it stands in.
  package let level: Int
  package fileprivate(set) var id: EffectID?
  package fileprivate(set) var operation = EffectDescription.Operation.run
  /// The name that the app gave it, as it stands in a string.
  package fileprivate(set) var name: SkimmedEvent.Text?
  /// What it can be cancelled by: the name of the type as it stands in a string, and the value.
  package fileprivate(set) var cancelID: (type: SkimmedEvent.Text, value: SkimmedEvent.Text)?
  package fileprivate(set) var cancelInFlight = false
  package fileprivate(set) var action: SkimmedEvent.Text?
  package fileprivate(set) var input: SkimmedEvent.Text?
  package fileprivate(set) var isInternal = false

  fileprivate init(level: Int) { self.level = level }
}

extension JSON.Parser {
  /// Passes over descriptions of effects and returns them; `nil` where one is out of shape or out of the ordinary.
  mutating func effectTexts() -> EffectTexts? {
    let start = position
    guard skipEffects() else { return nil }
    return EffectTexts(text: UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  private mutating func skipEffects() -> Bool {
    skipCompactArray { parser in
      parser.depth += 1
      guard parser.depth <= JSON.deepestNesting, parser.effectText(level: 0) != nil else {
        return false
      }
      if parser.take(#","effects":"#), !parser.skipEffects() { return false }
      parser.depth -= 1
      return parser.take(UInt8(ascii: "}"))
    }
  }

  /// Passes over a description up to the effects within it, and returns it.
  fileprivate mutating func effectText(level: Int) -> EffectText? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var effect = EffectText(level: level)
    if take(#""id":""#) {
      guard let id = plainEffectID(), take(#"","#) else { return nil }
      effect.id = id
    }
    guard take(#""op":""#), let operation = plainOperationName() else { return nil }
    effect.operation = operation
    if take(#","name":""#) {
      guard let name = plainText() else { return nil }
      effect.name = name
    }
    if take(#","cancelID":{"type":""#) {
      guard let type = plainText(), take(#","value":"#), let value = text(within: 1) else {
        return nil
      }
      if take(#","path":"#), text(within: 1) == nil { return nil }
      guard take(UInt8(ascii: "}")) else { return nil }
      effect.cancelID = (type, value)
    }
    if take(#","cancelInFlight":"#) {
      guard let isSet = plainBool() else { return nil }
      effect.cancelInFlight = isSet
    }
    if take(#","action":"#) {
      guard let action = skippedValue() else { return nil }
      effect.action = action
    }
    if take(#","input":"#) {
      guard let input = skippedValue() else { return nil }
      effect.input = input
    }
    if take(#","priority":""#), plainText() == nil { return nil }
    if take(#","source":""#), plainText() == nil { return nil }
    if take(#","internal":"#) {
      guard let isSet = plainBool() else { return nil }
      effect.isInternal = isSet
    }
    if take(#","cancelled":"#), plainBool() == nil { return nil }
    return effect
  }

  private mutating func plainOperationName() -> EffectDescription.Operation? {
    if take(#"run""#) { return .run }
    guard let text = plainText() else { return nil }
    return EffectDescription.Operation(rawValue: String(decoding: text, as: UTF8.self))
  }

  private mutating func plainBool() -> Bool? {
    take("true") ? true : take("false") ? false : nil
  }

  /// Passes over a value that stands some levels deeper.
  private mutating func text(within levels: Int) -> SkimmedEvent.Text? {
    depth += levels
    defer { depth -= levels }
    return depth <= JSON.deepestNesting ? skippedValue() : nil
  }
}
