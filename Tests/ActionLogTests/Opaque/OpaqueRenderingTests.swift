import Foundation
import Testing

@testable import ActionLog

/// The texts of values that a log does not contain.
@Suite("Renderings of opaque values") struct OpaqueRenderingTests {
  struct Note { var text = "a", tags: Set<String> = ["y", "x"], pen: Pen? = Pen.blue(2) }
  indirect enum Pen {
    case blue(Int)
    case red(width: Int, Note)
    case none
  }
  class Base { let base = 1 }
  final class Box: Base {
    var inner: Box?
    let date = Date(timeIntervalSinceReferenceDate: 0)
  }
  final class Guarded {
    let lock = NSLock()
    var value = 1
  }
  struct Live {
    var handler: @Sendable () -> Int = { 1 }
    var queue = ["a": 1, "b": 2]
    var guarded = Guarded()
    var type: Any.Type = Int.self
    var path: AnyKeyPath = \Note.text
    var pointer = OpaquePointer(bitPattern: 8)
  }
  indirect enum Chain {
    case end
    case next(Chain)
  }

  private static var ring: Box {
    let box = Box()
    box.inner = Box()
    box.inner?.inner = box
    return box
  }

  @Test("The rendering of an opaque value contains no addresses and no random order")
  func texts() {
    func text(_ value: Any) -> String? { OpaqueRendering.text(of: value) }
    #expect(
      text(Note())
        == #"(text: "a", tags: ["x", "y"], pen: .blue(2))"#
    )
    #expect(text(Pen.none) == ".none")
    #expect(
      text(Pen.red(width: 1, Note(tags: [], pen: nil)))
        == #".red(width: 1, OpaqueRenderingTests.Note(text: "a", tags: [], pen: nil))"#
    )
    let box = "OpaqueRenderingTests.Box"
    #expect(
      text(Self.ring)
        == #"#1(base: 1, inner: \#(box)#2(base: 1, inner: \#(box)#1, date: "2001-01-01T00:00:00Z"), date: "2001-01-01T00:00:00Z")"#
    )
    #expect(
      text(Live())
        == #"(handler: @Sendable () -> Int, queue: ["a": 1, "b": 2], guarded: OpaqueRenderingTests.Guarded#1, type: Int.Type, path: WritableKeyPath<OpaqueRenderingTests.Note, String>, pointer: OpaquePointer)"#
    )
    #expect(text({ 1 }) == nil)
  }

  @Test("The rendering of an opaque value is bounded in depth and length")
  func bounds() throws {
    let chain = (0..<20).reduce(Chain.end) { chain, _ in .next(chain) }
    #expect(
      OpaqueRendering.text(of: chain)
        == String(repeating: ".next(", count: 9) + "…" + String(repeating: ")", count: 9)
    )
    let long = try #require(
      OpaqueRendering.text(of: Note(text: String(repeating: "é", count: 10_000)))
    )
    #expect(long.utf8.count <= 4096 && long.utf8.count > 4000)
    #expect(long.hasSuffix("…"))
    #expect(
      OpaqueRendering.text(of: [0..<1000, 0..<3].map { Set($0) }) == "[[1000 elements], [0, 1, 2]]"
    )
  }

  @Test("A rendering of an opaque value is written only on request and is replaced as one value")
  func written() {
    #expect(JSON(logging: Note())["shown"] == nil)
    let patch = OpaqueRendering.run(true) {
      var tracker = StateTracker()
      let old = [Note(text: "a")]
      #expect(
        tracker.begin(old).description
          == ##"[{"$opaque":"OpaqueRenderingTests.Note","shown":"(text: \"a\", tags: [\"x\", \"y\"], pen: .blue(2))"}]"##
      )
      return tracker.patch(from: old, to: [Note(text: "b")])
    }
    #expect(patch.operations.map(\.path.description) == ["/0"])
    let shown = patch.operations.first?.json["value"]?["shown"]?.string
    #expect(shown?.hasPrefix(#"(text: "b""#) == true)
  }

  @Test("A masked log has no renderings of opaque values")
  func masked() throws {
    let line =
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/note","value":{"$opaque":"Note","shown":"(text: \"secret\")"}}]}"#
    let event = try LogEvent(json: try JSON(parsing: Array(line.utf8)))
    #expect(
      String(decoding: event.withoutRenderings.line, as: UTF8.self)
        == #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/note","value":{"$opaque":"Note"}}]}"#
    )
  }
}
