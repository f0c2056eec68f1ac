import Testing

@testable import TCACore

/// The case of an enum, as shown by a mirror.
@Suite("Cases of enums") struct EnumCaseTests {
  enum Mode: Equatable {
    case off
    case on(Int)
  }

  struct Switch {
    var mode = Mode.off
  }

  @Test("enumCase returns the case of an enum, also through Shared and BindingState")
  func shared() throws {
    let on = try #require(enumCase(of: Mode.on(2)))
    #expect(on.label == "on")
    #expect(on.payload as? Int == 2)
    let shared = try #require(enumCase(of: Shared(value: Mode.on(2))))
    #expect(shared.label == "on")
    #expect(try #require(enumCase(of: BindingState(wrappedValue: Mode.on(1)))).label == "on")
  }

  @Test("enumCase returns nil for values that are not enums")
  func others() {
    #expect(enumCase(of: Switch()) == nil)
    #expect(enumCase(of: 1) == nil)
    #expect(enumCase(of: Mode?.some(.off) as Any) == nil)
    #expect(enumCase(of: [Mode.off]) == nil)
  }
}
