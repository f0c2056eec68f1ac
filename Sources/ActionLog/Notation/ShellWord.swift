/// Shell words in the commands that messages suggest.
///
/// A user can paste these words into a shell, whatever the names of logs and files contain.
package enum ShellWord {
  /// Returns a word, quoted for a shell if necessary.
  ///
  /// A file name that starts with a dash gets the prefix `./`.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && Notation.visible(word) == word && !word.hasPrefix("-")
      && !word.hasPrefix("~")
      && word.utf8.allSatisfy { byte in
        byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
          || Character(Unicode.Scalar(byte)).isNumber || "/._-+,:@%=".utf8.contains(byte)
      }
    if isPlain { return word }
    let text = word.hasPrefix("-") ? "./\(word)" : word
    // Hidden characters are written as escapes, which bash and zsh interpret.
    if Notation.visible(text) != text {
      let bytes = text.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        default: "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
      }
      return "$'" + bytes.joined() + "'"
    }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
