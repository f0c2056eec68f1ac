import Foundation

// The events of which there is one for each action, read without a tree of their members: as recorders write them, with
// nothing else between. Whatever looks different is read the long way, which also finds the words for what is wrong.
extension LogEvent {
  /// Reads the event of a line in the form that recorders give it; `nil` for any other.
  init?(plain bytes: UnsafeBufferPointer<UInt8>) {
    var parser = JSON.Parser(bytes: bytes)
    // The event itself.
    parser.depth = 1
    let event: LogEvent?
    if parser.take(#"{"kind":"action","seq":"#) {
      event = parser.plainAction()
    } else if parser.take(#"{"kind":"change","seq":"#) {
      event = parser.plainChange()
    } else if parser.take(#"{"kind":"effect","id":""#) {
      event = parser.plainEffect().map { .effect($0) }
    } else {
      event = nil
    }
    guard let event, parser.position == bytes.count else { return nil }
    self = event
  }
}

extension JSON.Parser {
  fileprivate mutating func plainAction() -> LogEvent? {
    guard let seq = plainNumber(), take(#","at":"#), let at = plainNumber(), take(#","origin":"#),
      let origin = plainOrigin(), take(#","action":"#),
      let action = text({ $0.skipCompactValue() }), take("}")
    else { return nil }
    return .action(LogEvent.Action(seq: seq, at: at, origin: origin, logged: .text(action)))
  }

  mutating func plainOrigin() -> LogEvent.Origin? {
    if take(#""view""#) { return .view }
    let start = position
    if take(#"{"effect":""#), let id = plainEffectID(), take("\"}") { return .effect(id) }
    position = start
    return (try? value()).flatMap { LogEvent.Origin(json: $0) }
  }

  fileprivate mutating func plainChange() -> LogEvent? {
    guard let seq = plainNumber(), take(#","patch":"#), let patch = text({ $0.skipPatch() })
    else { return nil }
    var effects: [EffectDescription] = []
    var us: Int?
    if take(#","effects":"#) {
      guard let described = (try? value())?.array else { return nil }
      for effect in described {
        guard let effect = try? EffectDescription(json: effect) else { return nil }
        effects.append(effect)
      }
    }
    if take(#","us":"#) {
      us = plainNumber()
      guard us != nil else { return nil }
    }
    guard take("}") else { return nil }
    return .change(LogEvent.Change(seq: seq, logged: .text(patch), effects: effects, us: us))
  }

  /// The operations of a patch in the form that recorders give it; `nil` for any other.
  mutating func plainPatch() -> JSON.Patch? {
    guard take("[") else { return nil }
    var patch = JSON.Patch()
    if !take("]") {
      // The array of operations.
      depth += 1
      repeat {
        guard let operation = plainOperation() else { return nil }
        patch.operations.append(operation)
      } while take(",")
      depth -= 1
      guard take("]") else { return nil }
    }
    return position == bytes.count ? patch : nil
  }

  private mutating func plainOperation() -> JSON.Patch.Operation? {
    if take(#"{"op":"replace","path":""#) {
      return plainPathAndValue().map { .replace($0.path, $0.value) }
    }
    if take(#"{"op":"add","path":""#) {
      return plainPathAndValue().map { .add($0.path, $0.value) }
    }
    if take(#"{"op":"remove","path":""#) {
      guard let path = plainPointer(), take("}") else { return nil }
      return .remove(path)
    }
    guard let json = try? value() else { return nil }
    return try? JSON.Patch.Operation(json: json)
  }

  private mutating func plainPathAndValue() -> (path: JSON.Pointer, value: JSON)? {
    depth += 1
    guard let path = plainPointer(), take(#","value":"#), let value = try? value(), take("}")
    else { return nil }
    depth -= 1
    return (path, value)
  }

  mutating func plainEffect() -> LogEvent.Effect? {
    guard let id = plainEffectID(), take(#"","event":""#) else { return nil }
    if take(#"started","at":"#) {
      guard let at = plainNumber(), take("}") else { return nil }
      return LogEvent.Effect(id: id, event: .started, at: at)
    }
    if take(#"cancelled","by":"#) {
      guard let canceller = plainCanceller() else { return nil }
      var drops = 0
      if take(#","drops":"#) {
        guard let number = plainNumber() else { return nil }
        drops = number
      }
      guard take(#","at":"#), let at = plainNumber(), take("}") else { return nil }
      return LogEvent.Effect(id: id, event: .cancelled(by: canceller, dropping: drops), at: at)
    }
    guard take(#"finished","sent":"#), let sent = plainNumber(), take(#","at":"#),
      let at = plainNumber(), take("}")
    else { return nil }
    return LogEvent.Effect(id: id, event: .finished(sent: sent), at: at)
  }

  private mutating func plainCanceller() -> LogEvent.Effect.Canceller? {
    if take(#"{"action":"#) {
      guard let seq = plainNumber(), take("}") else { return nil }
      return .action(seq: seq)
    }
    if take(#"{"effect":""#) {
      guard let id = plainEffectID(), take("\"}") else { return nil }
      return .effect(id)
    }
    return take(#""task""#) ? .task : take(#""store""#) ? .store : nil
  }

  /// A string without escapes whose opening quote has been taken, as a JSON Pointer.
  private mutating func plainPointer() -> JSON.Pointer? {
    guard let text = plainText() else { return nil }
    guard case .success(let tokens) = JSON.Pointer.tokens(of: text) else { return nil }
    return JSON.Pointer(tokens)
  }

  mutating func plainEffectID() -> EffectID? {
    guard let seq = plainNumber(), take("."), let index = plainNumber() else { return nil }
    return EffectID(seq: seq, index: index)
  }

  /// A whole number that is not negative and not so large that the long way would refuse it.
  mutating func plainNumber() -> Int? {
    let start = position
    var value = 0
    var end = start
    while end < bytes.count {
      let digit = bytes[end] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      end &+= 1
    }
    position = end
    let count = end - start
    guard count > 0, count <= Self.mostDigits, count == 1 || bytes[start] != 0x30 else {
      return nil
    }
    return value
  }

  /// Fifteen digits are below 2^53, up to which the format's numbers go.
  private static var mostDigits: Int { 15 }
}

// Values that are known to be values when they have been passed over, as encoders write them: without blanks, and with no
// more escapes than there must be. Whatever looks different is read as a tree.
extension JSON.Parser {
  /// What a function passes over; `nil` where it says that it looks different.
  mutating func text(_ skip: (inout JSON.Parser) -> Bool) -> [UInt8]? {
    let start = position
    return skip(&self) ? Array(UnsafeBufferPointer(rebasing: bytes[start..<position])) : nil
  }

  /// Passes over a value.
  mutating func skipCompactValue() -> Bool {
    isCompact = true
    defer { isCompact = false }
    return skipValue()
  }
}

extension JSON.Parser {
  /// Passes over a patch.
  mutating func skipPatch() -> Bool {
    skipCompactArray { $0.skipOperation() }
  }

  /// Passes over an array without blanks, whose elements a function passes over.
  mutating func skipCompactArray(_ skipElement: (inout JSON.Parser) -> Bool) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "["), descend() else {
      return false
    }
    if !take(UInt8(ascii: "]")) {
      repeat { guard skipElement(&self) else { return false } } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { return false }
    }
    depth -= 1
    return true
  }

  private mutating func skipOperation() -> Bool {
    guard take(#"{"op":""#) else { return false }
    depth += 1
    defer { depth -= 1 }
    if take(#"replace","path":""#) || take(#"add","path":""#) {
      return skipPointer() && take(#","value":"#) && skipCompactValue() && take("}")
    }
    if take(#"remove","path":""#) { return skipPointer() && take("}") }
    return take(#"move","from":""#) && skipPointer() && take(#","path":""#) && skipPointer()
      && take("}")
  }

  /// Passes over a JSON Pointer whose opening quote has been taken.
  private mutating func skipPointer() -> Bool {
    let start = position
    let isASCII = passPlainBytes()
    guard take(UInt8(ascii: "\"")) else { return false }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
    guard text.isEmpty || text[0] == UInt8(ascii: "/") else { return false }
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "~") {
      guard index + 1 < text.count, text[index + 1] == 0x30 || text[index + 1] == 0x31 else {
        return false
      }
    }
    return isASCII || String(validating: text, as: UTF8.self) != nil
  }
}
