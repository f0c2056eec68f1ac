/// The text of one declaration as the compiler sent it, and where it stands in its file.
struct SourceText {
  let bytes: [UInt8]
  /// The file that the text comes from, as the compiler names it.
  let fileName: String
  /// The offset of the first byte of the text in that file.
  let offset: Int

  init(_ text: String, fileName: String = "", offset: Int = 0) {
    bytes = Array(text.utf8)
    self.fileName = fileName
    self.offset = offset
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func snippet(_ range: Range<Int>) -> Snippet {
    Snippet(text: text(range), range: range)
  }
}

/// A piece of a source text, without the blanks and comments around it.
struct Snippet: Equatable {
  let text: String
  let range: Range<Int>
}
