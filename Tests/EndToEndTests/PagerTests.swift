#if os(Linux)
import Foundation
import TestSupport
import Testing

/// On a terminal, a long result is shown in the reader's pager.
@Suite struct PagerTests {
  /// Returns the content of a terminal of 60 columns after `show` has ended.
  private func shown(
    pager: String?,
    _ options: String...
  ) throws -> (lines: [String], status: Int32) {
    let arguments = ["show", Project.sample("todos.jsonl")] + options
    return try PseudoTerminal.shown(arguments, columns: 60, pager: pager)
  }

  @Test func `show writes all its lines through the pager`() throws {
    let direct = try shown(pager: nil, "--no-pager")
    #expect(direct.status == 0)
    // The time and the action. The changes continue below.
    #expect(direct.lines.count { $0.contains(" s  .") } == 16)
    #expect(direct.lines[2] == "   1    +0.001 s  .addButtonTapped")
    #expect(direct.lines.allSatisfy { $0.count <= 60 })
    let paged = try shown(pager: "sed s/^/:/")
    #expect(paged.status == 0)
    #expect(paged.lines == direct.lines.map { ":" + $0 })
  }

  @Test(arguments: [nil, "cat", "/no/such/pager", "no-such-pager -R"])
  func `show prints its lines itself when there is no usable pager`(pager: String?) throws {
    let direct = try shown(pager: nil, "--no-pager")
    #expect(try shown(pager: pager).lines == direct.lines)
  }

  @Test func `show exits with 0 when its pager quits early`() throws {
    let shown = try shown(pager: "head -n 1", "-v", "--full")
    #expect(shown.status == 0)
    #expect(shown.lines.count == 1)
  }
}
#endif
