import ActionLog
import TestSupport
import Testing

/// Written texts read back as the original values.
@Suite struct NotationPropertyTests {
  static let notations = [
    Notation(limits: .none), Notation(), Notation(limits: .init(value: 40, text: 12)),
  ]

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `an action pattern matches the action that its text was written from`(seed: UInt64) throws {
    var random = RandomNotation(seed: seed)
    let action = random.action()
    for notation in Self.notations {
      let text = notation.action(action)
      #expect(try ActionPattern(parsing: text).matches(action), "seed \(seed): \(text)")
      // The output is the same from text as from a value.
      var output: [UInt8] = []
      notation.append(action: JSONText(encoded: Array(action.bytes)), to: &output)
      #expect(String(decoding: output, as: UTF8.self) == text, "seed \(seed)")
      #expect(!text.unicodeScalars.contains { Self.isHidden($0) }, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `an action pattern does not match an action that is written differently`(seed: UInt64) throws
  {
    var random = RandomNotation(seed: seed)
    let action = random.action()
    let other = random.changed(action)
    let notation = Notation(limits: .none)
    let (text, otherText) = (notation.action(action), notation.action(other))
    // An error that can be read back is written without its description and symbol.
    guard other != action, text != otherText else { return }
    #expect(
      !(try ActionPattern(parsing: text).matches(other)),
      "seed \(seed): \(text), \(otherText)"
    )
  }

  @Test(arguments: Thoroughness.seeds(60, thorough: 200))
  func `a path in Swift notation leads back to the value that it was written for`(
    seed: UInt64
  ) throws {
    var random = RandomNotation(seed: seed)
    let state = random.state()
    let notation = Notation()
    // A path does not lead into a tagged value.
    for pointer in state.places where pointer.taggedValue == nil {
      let text = notation.pathText(pointer, in: state)
      let place = try ValuePath(parsing: text)
      #expect(place.resolve(in: state) == .found([pointer]), "seed \(seed): \(pointer), \(text)")
      #expect(!text.unicodeScalars.contains { Self.isHidden($0) }, "seed \(seed): \(text)")
      // Without the state, the result is one of the possible pointers. The value of an error is found only in the
      // state.
      guard !pointer.tokens.contains("$error") else { continue }
      let patterns = try ValuePath(parsing: notation.pathText(pointer)).patterns ?? []
      #expect(
        patterns.contains(pointer) || patterns.count >= 256,
        "seed \(seed): \(pointer), \(notation.pathText(pointer))"
      )
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `parsing a damaged action or path succeeds, or throws an error with a column of the text`(
    seed: UInt64
  ) {
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

  /// Checks that an unreadable text is refused with a message and a column.
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
