import ActionLog
import Foundation
import Testing

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  @Test(
    "writes numbers as ECMAScript does (RFC 8785, appendix B)",
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5555, "333333333.3333333"),
      (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)]
  )
  func numbers(bits: UInt64, text: String) throws {
    let number = try #require(JSON.Number(Double(bitPattern: bits)))
    #expect(String(decoding: JSON.number(number).canonical, as: UTF8.self) == text)
  }

  @Test(
    "writes the public test suite as it wants it",
    .enabled(if: ProcessInfo.processInfo.environment["CONFORMANCE_DIR"] != nil),
    arguments: ["arrays", "french", "structures", "unicode", "values", "weird"]
  )
  func conformance(name: String) throws {
    let folder = try #require(ProcessInfo.processInfo.environment["CONFORMANCE_DIR"])
    let input = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/jcs/input/\(name).json"))
    let output = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/jcs/output/\(name).json"))
    let canonical = try JSON(parsing: [UInt8](input)).canonical
    #expect(String(decoding: canonical, as: UTF8.self) == String(decoding: output, as: UTF8.self))
  }
}
