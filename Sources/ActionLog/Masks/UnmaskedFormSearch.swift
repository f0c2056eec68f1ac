/// A search for forms of masked strings that masks don't find: with other capitals, reversed, or as a member's name.
///
/// Masking keeps these forms, because replacing them could change a replay's verdict. The `mask` command reports them.
package struct UnmaskedFormSearch: Sendable {
  /// The forms of all masked strings, grouped by their first four bytes.
  private var byStart: [UInt32: [[UInt8]]] = [:]

  /// Creates a search for the forms of `texts`.
  package init(of texts: some Sequence<[UInt8]>) {
    var forms: Set<[UInt8]> = []
    for text in texts where text.count >= MaskedTexts.minimumLength {
      let plain = String(decoding: text, as: UTF8.self).lowercased()
      forms.insert(Array(plain.utf8))
      forms.insert(Array(String(plain.reversed()).utf8))
    }
    for form in forms where form.count >= MaskedTexts.minimumLength {
      byStart[Self.start(of: form[...]), default: []].append(form)
    }
  }

  /// Whether a string contains a form of a masked string.
  func areFound(in text: String) -> Bool {
    guard !byStart.isEmpty, text.utf8.count >= MaskedTexts.minimumLength else { return false }
    let bytes = Array(text.lowercased().utf8)
    return bytes.indices.dropLast(MaskedTexts.minimumLength - 1).contains { index in
      let rest = bytes[index...]
      return byStart[Self.start(of: rest)]?.contains { rest.starts(with: $0) } == true
    }
  }

  private static func start(of bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(MaskedTexts.minimumLength).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
