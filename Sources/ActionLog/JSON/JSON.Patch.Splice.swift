import Foundation

extension JSON.Patch {
  /// A change inside a string, which removes UTF-8 bytes at an offset and inserts others there.
  ///
  /// ```swift
  /// let splice = JSON.Patch.Splice(offset: 5, removedCount: 0, inserted: ",")
  /// try splice.applied(to: "Hello world")  // "Hello, world"
  /// ```
  ///
  /// RFC 6902 can only replace a complete string. `Documentation/LogFormat.md` specifies the operation.
  public struct Splice: Hashable, Sendable {
    /// The offset of the change, in UTF-8 bytes from the start of the string.
    public var offset: Int
    /// The number of UTF-8 bytes to remove at `offset`.
    public var removedCount: Int
    /// The string to insert at `offset`, in place of the removed bytes.
    public var inserted: String

    /// Creates a splice from an offset, a number of bytes, and a string.
    public init(offset: Int, removedCount: Int, inserted: String) {
      self.offset = offset
      self.removedCount = removedCount
      self.inserted = inserted
    }
  }
}

extension JSON.Patch.Splice {
  /// Creates the splice that turns one string into another, or returns `nil` unless both are long and mostly equal.
  init?(from old: String, to new: String) {
    guard old.utf8.count >= Self.shortestText, new.utf8.count >= Self.shortestText else {
      return nil
    }
    var (old, new) = (old, new)
    let found = old.withUTF8 { old in
      new.withUTF8 { new -> (start: Int, oldEnd: Int, newEnd: Int) in
        let start = old.scalarAlignedPrefix(sharedWith: new)
        let end = old.scalarAlignedSuffix(sharedWith: new, after: start)
        return (start, old.count - end, new.count - end)
      }
    }
    guard (found.newEnd - found.start) * 2 <= new.utf8.count else { return nil }
    guard let range = new.utf8Range(found.start, found.newEnd) else { return nil }
    self.init(
      offset: found.start,
      removedCount: found.oldEnd - found.start,
      inserted: String(new[range])
    )
  }

  /// The minimum size of a spliced string in bytes.
  ///
  /// Shorter strings are replaced completely. This keeps the log readable and writes at most a kilobyte.
  static let shortestText = 1024

  /// Returns the string after the change.
  ///
  /// - Throws: `JSON.Patch.Problem.badRange` if the string is too short for the range, or if the range splits a Unicode
  ///   scalar.
  public func applied(to text: String) throws(JSON.Patch.Problem) -> String {
    var text = text
    _ = try apply(to: &text)
    return text
  }

  /// Changes a string in place.
  ///
  /// - Returns: The inverse splice.
  /// - Throws: `JSON.Patch.Problem.badRange`, as `applied(to:)` does. The string stays unchanged.
  func apply(to text: inout String) throws(JSON.Patch.Problem) -> Self {
    let range = try range(in: text)
    let removed = String(text[range])
    text.replaceSubrange(range, with: inserted)
    return Self(offset: offset, removedCount: inserted.utf8.count, inserted: removed)
  }

  /// Returns the part of a string that the splice removes.
  ///
  /// - Throws: `JSON.Patch.Problem.badRange`, as `applied(to:)` does.
  package func removed(from text: String) throws(JSON.Patch.Problem) -> String {
    String(text[try range(in: text)])
  }

  private func range(in text: String) throws(JSON.Patch.Problem) -> Range<String.Index> {
    let count = text.utf8.count
    guard offset >= 0, removedCount >= 0, offset <= count, removedCount <= count - offset,
      let range = text.utf8Range(offset, offset + removedCount)
    else {
      throw .badRange(offset: offset, removedCount: removedCount, textCount: count)
    }
    return range
  }
}

extension String {
  /// Returns the range between two UTF-8 offsets, or `nil` if one of them is inside a Unicode scalar.
  fileprivate func utf8Range(_ start: Int, _ end: Int) -> Range<Index>? {
    let lower = utf8.index(startIndex, offsetBy: start)
    let upper = utf8.index(lower, offsetBy: end - start)
    guard lower.samePosition(in: unicodeScalars) != nil,
      upper.samePosition(in: unicodeScalars) != nil
    else { return nil }
    return lower..<upper
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the length in bytes of the prefix that both strings share, rounded down to complete Unicode scalars.
  fileprivate func scalarAlignedPrefix(sharedWith other: Self) -> Int {
    let shortest = Swift.min(count, other.count)
    var same = 0
    // Blocks are compared with `memcmp`, which is fast even in unoptimized builds.
    while same < shortest {
      let length = Swift.min(Self.block, shortest - same)
      guard hasSameBytes(as: other, at: same, same, length) else { break }
      same += length
    }
    while same < shortest, self[same] == other[same] { same += 1 }
    while same > 0, isContinuation(at: same) || other.isContinuation(at: same) { same -= 1 }
    return same
  }

  /// Returns the length in bytes of the suffix that both strings share, rounded down to complete Unicode scalars.
  ///
  /// The suffix begins at `start` or later.
  fileprivate func scalarAlignedSuffix(sharedWith other: Self, after start: Int) -> Int {
    let shortest = Swift.min(count, other.count) - start
    var same = 0
    while same < shortest {
      let length = Swift.min(Self.block, shortest - same)
      let (own, others) = (count - same - length, other.count - same - length)
      guard hasSameBytes(as: other, at: own, others, length) else { break }
      same += length
    }
    while same < shortest, self[count - same - 1] == other[other.count - same - 1] { same += 1 }
    while same > 0, isContinuation(at: count - same) { same -= 1 }
    return same
  }

  private static var block: Int { 4096 }

  private func hasSameBytes(as other: Self, at own: Int, _ others: Int, _ length: Int) -> Bool {
    Self(rebasing: self[own..<own + length]).hasSameBytes(
      as: Self(rebasing: other[others..<others + length])
    )
  }

  /// Whether the byte at an offset continues a Unicode scalar that began earlier.
  private func isContinuation(at offset: Int) -> Bool {
    offset < count && self[offset] & 0xC0 == 0x80
  }
}
