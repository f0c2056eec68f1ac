/// A string with its escapes decoded, and the origin of each decoded byte.
///
/// Masked strings are found in descriptions, JSON, and URLs by their decoded bytes.
struct UnescapedBytes {
  /// The UTF-8 bytes after decoding.
  private(set) var bytes: [UInt8]
  /// The offset in the original string at which each byte's spelling starts, followed by the string's length.
  private var origins: [Int]
  /// Whether each byte represents itself, because no escape was decoded.
  private(set) var isPlain = true

  /// Creates the bytes of a string whose escapes are not decoded.
  init(_ text: some Collection<UInt8>) {
    bytes = Array(text)
    origins = Array(0...bytes.count)
  }

  /// Returns the range in the original string that spells a range of `bytes`.
  func origin(of range: Range<Int>) -> Range<Int> {
    origins[range.lowerBound]..<origins[range.upperBound]
  }

  /// Decodes the escapes of one kind.
  ///
  /// - Parameter decode: Returns the decoded bytes of the escape at the start of a slice, and the escape's length, or
  ///   `nil` if no escape starts there.
  /// - Returns: The decoded string, or `nil` if it has no escapes.
  private func decoded(
    _ decode: (ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)?
  ) -> UnescapedBytes? {
    var result = UnescapedBytes([])
    (result.origins, result.isPlain) = ([], false)
    var index = 0
    var isChanged = false
    while index < bytes.count {
      let found = decode(bytes[index...])
      isChanged = isChanged || found != nil
      let (spelled, length) = found ?? ([bytes[index]], 1)
      result.bytes += spelled
      result.origins += repeatElement(origins[index], count: spelled.count)
      index += length
    }
    result.origins.append(origins[bytes.count])
    return isChanged ? result : nil
  }
}

extension UnescapedBytes {
  /// The string with decoded escapes of JSON and of Swift literals.
  ///
  /// Debug descriptions contain such escapes. `nil` if the string has none.
  var unescaped: UnescapedBytes? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
    return decoded { rest in
      guard rest.first == UInt8(ascii: "\\"), let sign = rest.dropFirst().first else { return nil }
      switch sign {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
        return ([sign], 2)
      case UInt8(ascii: "n"): return ([0x0A], 2)
      case UInt8(ascii: "r"): return ([0x0D], 2)
      case UInt8(ascii: "t"): return ([0x09], 2)
      case UInt8(ascii: "0"): return ([0], 2)
      case UInt8(ascii: "b"): return ([0x08], 2)
      case UInt8(ascii: "f"): return ([0x0C], 2)
      case UInt8(ascii: "u"): return Self.scalar(rest)
      default: return nil
      }
    }
  }

  /// Parses an escape such as `\u{301}` or `\u0301`.
  ///
  /// The second form can be the first half of a surrogate pair.
  private static func scalar(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
    let rest = text.dropFirst(2)
    if rest.first == UInt8(ascii: "{") {
      let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
      guard (1...8).contains(digits.count), rest.count > digits.count + 1,
        let scalar = number(digits).flatMap(Unicode.Scalar.init)
      else { return nil }
      return (Array(String(scalar).utf8), digits.count + 4)
    }
    guard let first = number(rest.prefix(4)), rest.count >= 4 else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
    let next = rest.dropFirst(4)
    guard next.starts(with: #"\u"#.utf8), next.count >= 6,
      let second = number(next.dropFirst(2).prefix(4)), (0xD800..<0xDC00).contains(first),
      (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { return nil }
    return (Array(String(scalar).utf8), 12)
  }

  private static func number(_ digits: some Collection<UInt8>) -> UInt32? {
    UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the string with percent encoding decoded.
  ///
  /// - Parameter plusIsSpace: Whether a plus sign represents a space, as in the query of a form.
  /// - Returns: The decoded string, or `nil` if it contains no such encoding.
  func percentDecoded(plusIsSpace: Bool) -> UnescapedBytes? {
    decoded { rest in
      switch rest.first {
      case UInt8(ascii: "%"):
        let digits = rest.dropFirst().prefix(2)
        guard digits.count == 2, let byte = Self.number(digits) else { return nil }
        return ([UInt8(byte)], 3)
      case UInt8(ascii: "+") where plusIsSpace: return ([0x20], 1)
      default: return nil
      }
    }
  }
}

/// A run of Base64 digits in a string (RFC 4648), in the standard or URL alphabet.
struct Base64Run {
  /// The range of the run in the string, including padding.
  let range: Range<Int>
  private let digits: [UInt8]
  private let isForURL: Bool
  private let isPadded: Bool

  /// The minimum number of digits in a run.
  ///
  /// Six digits encode four bytes, the minimum length of strings that are found inside words.
  private static let shortest = 6

  /// Returns the runs in a string that are long enough to encode a masked string.
  ///
  /// A run that is the complete string can be shorter.
  static func all(in text: [UInt8]) -> [Base64Run] {
    var runs: [Base64Run] = []
    var start = 0
    while start < text.count {
      guard value(text[start]) != nil else {
        start += 1
        continue
      }
      var end = start
      while end < text.count, value(text[end]) != nil { end += 1 }
      let digits = text[start..<end]
      let padding = text[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
      let isForURL = digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      if digits.count >= shortest || start == 0 && end + padding == text.count && digits.count > 1 {
        runs.append(
          Base64Run(
            range: start..<end + padding,
            digits: Array(digits),
            isForURL: isForURL,
            // Base64 for URLs usually has no padding.
            isPadded: padding > 0 || !isForURL && digits.count.isMultiple(of: 4)
          )
        )
      }
      start = end + padding
    }
    return runs
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Returns the bytes that the run encodes after its first `count` digits.
  ///
  /// The first digits can belong to a path that precedes the encoded text.
  func bytes(behind count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var (word, bits) = (0 as UInt32, 0)
    for digit in digits.dropFirst(count) {
      word = word << 6 | UInt32(Self.value(digit) ?? 0)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bytes
  }

  /// Returns the run with its first `count` digits unchanged, followed by the encoding of `bytes`.
  func spelling(_ bytes: [UInt8], behind count: Int) -> [UInt8] {
    let alphabet = Array(
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (isForURL ? "-_" : "+/"))
        .utf8
    )
    var text = Array(digits.prefix(count))
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0...group.count {
        text.append(alphabet[Int(word >> UInt32(18 - 6 * place) & 63)])
      }
      if isPadded { text += repeatElement(UInt8(ascii: "="), count: 3 - group.count) }
    }
    return text
  }
}
