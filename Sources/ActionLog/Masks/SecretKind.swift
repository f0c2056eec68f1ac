import Foundation

/// A kind of secret, recognized by the form of a string or the name of a member.
package enum SecretKind: String, CaseIterable, Sendable {
  case email, token, key, card, iban
  /// A value of any form, whose member has a name that secrets usually have.
  case name

  /// Returns the kind of secret that a string or a part of it looks like, or `nil` if it looks like none.
  package static func of(_ text: String) -> SecretKind? {
    guard text.utf8.count >= leastText, !text.isMaskSubstitute else { return nil }
    // Longer strings are documents, of which the start is enough.
    let text = text.prefix(4096)
    if text.utf8.contains(UInt8(ascii: "@")), text.contains(address) { return .email }
    guard text.utf8.count >= leastNumber else { return nil }
    for word in text.split(whereSeparator: { !isPartOfWord($0) }) {
      if let look = look(ofWord: word) { return look }
    }
    guard text.utf8.count <= mostNumber else { return nil }
    let compact = text.filter { $0 != " " && $0 != "-" }
    if isCard(compact) { return .card }
    return isIBAN(compact) ? .iban : nil
  }

  /// The minimum length of an email address, the minimum length of a card number, and the maximum length of an account
  /// number with spaces, in bytes.
  private static let (leastText, leastNumber, mostNumber) = (6, 13, 50)

  private static var address: Regex<Substring> {
    /[A-Za-z0-9._%+\-]+@[A-Za-z0-9][A-Za-z0-9.\-]*\.[A-Za-z]{2,}/
  }

  /// Whether the name of a member suggests a secret, by one of its words or by two consecutive words.
  package static func isNameOfSecret(_ name: String) -> Bool {
    var words: [String] = []
    var isLower = false
    for character in name {
      if character.isLetter || character.isNumber {
        if words.isEmpty || isLower && character.isUppercase { words.append("") }
        words[words.count - 1] += character.lowercased()
        isLower = character.isLowercase || character.isNumber
      } else {
        if words.last?.isEmpty == false { words.append("") }
        isLower = false
      }
    }
    words.removeAll(where: \.isEmpty)
    return words.contains { secretWords.contains($0) }
      || zip(words, words.dropFirst()).contains { secretWords.contains($0 + $1) }
  }

  private static let secretWords: Set<String> = [
    "accesskey", "apikey", "cookie", "credential", "credentials", "cvc", "cvv", "iban", "otp",
    "passcode",
    "passphrase", "passwd", "password", "passwords", "pin", "privatekey", "pwd", "secret",
    "secrets", "ssn", "tan",
    "token", "tokens",
  ]

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || "._-+/=~".contains(character)
  }

  /// The prefixes of tokens that well-known services issue.
  private static let prefixes = [
    "sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-",
    "AKIA",
    "ASIA", "AIza", "ya29.", "SG.", "npm_", "dop_v1_",
  ]

  private static func look(ofWord word: Substring) -> SecretKind? {
    if word.utf8.count >= 16, prefixes.contains(where: { word.hasPrefix($0) }) { return .token }
    // A JSON Web Token consists of two objects and a signature in Base64.
    if word.hasPrefix("eyJ"), word.split(separator: ".").count >= 2, word.utf8.count >= 30 {
      return .token
    }
    return isKey(word) ? .key : nil
  }

  /// Whether a word is so long and so varied that it must have been generated.
  ///
  /// Such a word has at least 32 hexadecimal digits, or letters of both cases mixed with digits. UUIDs don't count,
  /// because they identify values.
  private static func isKey(_ word: Substring) -> Bool {
    guard word.utf8.count >= leastKey, UUID(uuidString: String(word)) == nil,
      word.contains(where: \.isNumber), word.contains(where: \.isLetter)
    else { return false }
    if word.allSatisfy(\.isHexDigit) { return word.utf8.count >= 32 && entropy(word) >= 3 }
    return word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
      && !word.contains(".") && entropy(word) >= 3.8
  }

  /// The minimum length of a generated key in bytes.
  private static let leastKey = 20

  /// Returns the entropy of a string in bits per byte, computed from the frequencies of its bytes.
  package static func entropy(_ text: some StringProtocol) -> Double {
    var counts: [UInt8: Int] = [:]
    for byte in text.utf8 { counts[byte, default: 0] += 1 }
    let total = Double(text.utf8.count)
    return counts.values.reduce(0) { sum, count in
      let share = Double(count) / total
      return sum - share * log2(share)
    }
  }

  /// Whether a string is the number of a payment card, judged by its check digit (ISO/IEC 7812-1).
  private static func isCard(_ text: String) -> Bool {
    guard (13...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    var sum = 0
    for (index, byte) in text.utf8.reversed().enumerated() {
      let digit = Int(byte - 0x30)
      let doubled = digit * 2
      sum += index.isMultiple(of: 2) ? digit : doubled > 9 ? doubled - 9 : doubled
    }
    return sum.isMultiple(of: 10) && sum > 0
  }

  /// Whether a string is the number of a bank account, judged by its check digits (ISO 13616).
  private static func isIBAN(_ text: String) -> Bool {
    guard (15...34).contains(text.utf8.count), text.prefix(2).allSatisfy(\.isUppercase),
      text.dropFirst(2).prefix(2).allSatisfy(\.isNumber)
    else { return false }
    var rest = 0
    for character in text.dropFirst(4) + text.prefix(4) {
      guard let value = character.hexOrLetterValue else { return false }
      rest = (rest * (value > 9 ? 100 : 10) + value) % 97
    }
    return rest == 1
  }
}

extension Character {
  /// The value of a digit (0 to 9) or an uppercase ASCII letter (10 to 35), or `nil` for other characters.
  fileprivate var hexOrLetterValue: Int? {
    guard let byte = asciiValue else { return nil }
    switch byte {
    case 0x30...0x39: return Int(byte) - 0x30
    case 0x41...0x5A: return Int(byte) - 0x41 + 10
    default: return nil
    }
  }
}
