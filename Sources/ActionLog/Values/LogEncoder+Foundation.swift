import Foundation

extension LogEncoder {
  /// Writes a UUID in capital hexadecimal digits, in the groups that RFC 9562, section 4 has.
  mutating func encode(_ value: UUID) {
    withUnsafeBytes(of: value.uuid) { uuid in
      raw { bytes in
        bytes.append(UInt8(ascii: "\""))
        for (index, byte) in uuid.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            bytes.append(UInt8(ascii: "-"))
          }
          bytes.append(Self.hexDigit(byte >> 4))
          bytes.append(Self.hexDigit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
      }
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }

  /// Writes a decimal that is a number, with all its digits.
  mutating func encode(_ value: Decimal) {
    guard let digits = DecimalDigits(value) else { return raw(value.description) }
    raw { digits.append(to: &$0) }
  }
}

/// A decimal whose digits fit into a word.
///
/// Foundation goes through a decimal digit by digit and makes a string of it. Where it keeps the digits is tried out before that
/// is relied on.
private struct DecimalDigits {
  private let isNegative: Bool
  private let mantissa: UInt64
  private let exponent: Int

  /// Which bits of the second byte say what: how many groups of 16 bits the mantissa has, and the sign.
  private struct Layout {
    let groups: UInt8
    let sign: UInt8
  }

  init?(_ value: Decimal) {
    guard let layout = Self.layout else { return nil }
    self.init(value, layout)
  }

  private init?(_ value: Decimal, _ layout: Layout) {
    guard MemoryLayout<Decimal>.size == 20 else { return nil }
    let (exponent, flags, mantissa) = withUnsafeBytes(of: value) { bytes in
      (
        bytes.load(as: Int8.self), bytes[1],
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      )
    }
    let groups = flags / layout.groups & 15
    guard groups <= 4 else { return nil }
    // What stands behind the groups that count may be anything.
    self.mantissa = groups == 4 ? mantissa : mantissa & (1 << (UInt64(groups) * 16) &- 1)
    self.exponent = Int(exponent)
    isNegative = flags & layout.sign != 0
  }

  private static let layout: Layout? = {
    func flags(_ value: Decimal) -> UInt8 { withUnsafeBytes(of: value) { $0[1] } }
    let layout = Layout(
      groups: flags(65_536) &- flags(1),
      sign: flags(-1) ^ flags(1)
    )
    guard layout.groups == 1 || layout.groups == 16, layout.sign.nonzeroBitCount == 1 else {
      return nil
    }
    let samples: [Decimal] = [
      0, 1, -1, 255, 65_536, -4_294_967_297, Decimal(UInt64.max),
      Decimal(sign: .minus, exponent: -3, significand: 45_678),
      Decimal(sign: .plus, exponent: -20, significand: 7),
      Decimal(sign: .plus, exponent: 9, significand: 12),
    ]
    let isKnown = samples.allSatisfy { sample in
      guard let digits = DecimalDigits(sample, layout) else { return false }
      var bytes: [UInt8] = []
      digits.append(to: &bytes)
      return sample.description.utf8.elementsEqual(bytes)
    }
    return isKnown ? layout : nil
  }()

  func append(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    // The longest word has 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = mantissa
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      let zero = UInt8(ascii: "0")
      let whole = 20 - start + exponent
      if exponent >= 0 {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        if mantissa > 0 { bytes.append(contentsOf: repeatElement(zero, count: exponent)) }
      } else if whole > 0 {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<start + whole]))
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[(start + whole)...]))
      } else {
        bytes.append(zero)
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: repeatElement(zero, count: -whole))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
      }
    }
  }
}
