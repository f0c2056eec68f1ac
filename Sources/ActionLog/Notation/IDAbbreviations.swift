import Synchronization

/// A table of the ids that were written, which abbreviates each id to an unambiguous suffix.
///
/// ```swift
/// let ids = IDAbbreviations()
/// ids.shortest("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A")  // AC1A
/// ids.shortest("2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A")  // 9CAC1A
/// ```
package final class IDAbbreviations: Sendable {
  private struct KnownIDs {
    /// The ids by their last four characters.
    ///
    /// Most entries contain a single id.
    var ids: [String: [String]] = [:]
    var count = 0
  }

  private let contents = Mutex(KnownIDs())

  package init() {}

  /// The minimum number of characters in an abbreviated id.
  static let shortest = 4
  /// The number of characters in the abbreviation of an id that the table doesn't store.
  private static let shortestBeyond = 8
  /// The maximum number of stored ids, which limits the table's memory.
  private static let most = 100_000
  /// The maximum number of stored ids with the same last four characters.
  private static let mostAlike = 64

  /// Stores an id, and returns a suffix that no other stored id has.
  ///
  /// The suffix has four characters, or as many pairs of characters more as it needs to be unambiguous. If the id can't
  /// be stored, the suffix has eight characters.
  package func shortest(_ id: String) -> Substring {
    contents.withLock { contents in
      let key = String(id.suffix(Self.shortest))
      var alike = contents.ids[key] ?? []
      if !alike.contains(id) {
        guard contents.count < Self.most, alike.count < Self.mostAlike else {
          return id.suffix(Self.shortestBeyond)
        }
        contents.count += 1
        alike.append(id)
        contents.ids[key] = alike
      }
      var length = Self.shortest
      while length < id.count,
        alike.contains(where: { $0 != id && $0.hasSuffix(id.suffix(length)) })
      {
        length += 2
      }
      return id.suffix(length)
    }
  }
}

extension String {
  /// Whether the string is a UUID as logs write it, with uppercase letters.
  var isUUID: Bool {
    guard utf8.count == 36 else { return false }
    var position = 0
    for byte in utf8 {
      switch position {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default:
        guard (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) else { return false }
      }
      position += 1
    }
    return true
  }

  /// Whether the string is a mask's substitute: `masked` and 18 hexadecimal digits.
  var isMaskSubstitute: Bool {
    guard utf8.count == 24, hasPrefix("masked") else { return false }
    return utf8.dropFirst(6).allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
  }

  /// Whether the string is a date as logs write it, in ISO 8601 and UTC.
  var isLoggedDate: Bool {
    let bytes = Array(utf8.prefix(41))
    guard bytes.count >= 20, bytes.count <= 40, bytes.last == UInt8(ascii: "Z") else {
      return false
    }
    for (byte, form) in zip(bytes, "0000-00-00T00:00:00".utf8) {
      guard form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form else {
        return false
      }
    }
    let fraction = bytes[19..<(bytes.count - 1)]
    return fraction.isEmpty
      || fraction.count > 1 && fraction.first == UInt8(ascii: ".")
        && fraction.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
