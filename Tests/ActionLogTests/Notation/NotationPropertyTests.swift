import ActionLog
import TestSupport
import Testing

/// What is written reads back to what it was written from.
@Suite struct NotationPropertyTests {
  static let notations = [
    Notation(limits: .none), Notation(), Notation(limits: .init(value: 40, text: 12)),
  ]

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func actionsReadBack(seed: UInt64) throws {
    var random = RandomNotation(seed: seed)
    let action = random.action()
    for notation in Self.notations {
      let text = notation.action(action)
      #expect(try ActionPattern(parsing: text).matches(action), "seed \(seed): \(text)")
      // The same from text as from a value.
      var output: [UInt8] = []
      notation.append(action: JSONText(encoded: Array(action.bytes)), to: &output)
      #expect(String(decoding: output, as: UTF8.self) == text, "seed \(seed)")
      #expect(!text.unicodeScalars.contains { Self.isHidden($0) }, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func anotherActionIsAnotherText(seed: UInt64) throws {
    var random = RandomNotation(seed: seed)
    let action = random.action()
    let other = random.changed(action)
    let notation = Notation(limits: .none)
    let (text, otherText) = (notation.action(action), notation.action(other))
    // Of an error that can be read back, the description and the symbol are not written.
    guard other != action, text != otherText else { return }
    #expect(
      !(try ActionPattern(parsing: text).matches(other)),
      "seed \(seed): \(text), \(otherText)"
    )
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func placesReadBack(seed: UInt64) throws {
    var random = RandomNotation(seed: seed)
    let state = random.state()
    let notation = Notation()
    // No place leads into a tagged value.
    for pointer in state.places where pointer.taggedValue == nil {
      let text = notation.pathText(pointer, in: state)
      let place = try ValuePath(parsing: text)
      #expect(place.resolve(in: state) == .found([pointer]), "seed \(seed): \(pointer), \(text)")
      #expect(!text.unicodeScalars.contains { Self.isHidden($0) }, "seed \(seed): \(text)")
      // Without the state, one of the pointers that the text may stand for; the value of an error is found in it.
      guard !pointer.tokens.contains("$error") else { continue }
      let patterns = try ValuePath(parsing: notation.pathText(pointer)).patterns ?? []
      #expect(
        patterns.contains(pointer) || patterns.count >= 256,
        "seed \(seed): \(pointer), \(notation.pathText(pointer))"
      )
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func anyTextIsReadOrRefused(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var other = RandomNotation(seed: seed)
    let texts = [
      Notation().action(other.action()), Notation().pathText(JSON.Pointer(["a", "0", "b c"])),
    ]
    for text in texts {
      let damaged = text.damaged(with: ".[]()#…\"\\,: \u{202E}", using: &random)
      check(damaged, seed) { text throws(NotationSyntaxError) in
        _ = try ActionPattern(parsing: text)
      }
      check(damaged, seed) { text throws(NotationSyntaxError) in _ = try ValuePath(parsing: text) }
    }
  }

  /// What is not read is refused at a column of the text, with words.
  private func check(
    _ text: String,
    _ seed: UInt64,
    _ read: (String) throws(NotationSyntaxError) -> Void
  ) {
    do throws(NotationSyntaxError) { try read(text) } catch {
      #expect((1...text.unicodeScalars.count + 1).contains(error.column), "seed \(seed): \(text)")
      #expect(error.description.contains("expected "), "seed \(seed): \(error)")
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
