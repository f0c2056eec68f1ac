import TCACore
import Testing

/// Types with package access, see `PackageImports.swift`.
@Suite struct PackageImportTests {
  @Test func `types with package access are written to the log and read back`() throws {
    let value = Packaged(name: "a", kind: .sized(3))
    #expect(JSON(logging: value) == ["name": "a", "kind": ["sized": ["_0": 3]]])
    #expect(try LogDecoder(JSON(logging: value)).value(Packaged.self) == value)
    #expect(JSON(logging: PackagedSize.of(metres: 2)) == ["of": ["metres": 2]])
    #expect(PackagedAction.renamed("b")[case: \.renamed] == "b")
    #expect(try PackagedClient(name: { "c" }).name() == "c")
  }
}
