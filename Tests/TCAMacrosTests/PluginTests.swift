import Foundation
import Testing

@Suite struct PluginTests {
  @Test func `the macro plugin answers a message in the compiler's framing`() throws {
    let toPlugin = Pipe()
    let fromPlugin = Pipe()
    let stream = MessageStream(
      input: toPlugin.fileHandleForReading,
      output: fromPlugin.fileHandleForWriting
    )
    let request = Data(#"{"getCapability":{"capability":{"protocolVersion":7}}}"#.utf8)
    toPlugin.fileHandleForWriting.write(Data([UInt8(request.count), 0, 0, 0, 0, 0, 0, 0]))
    toPlugin.fileHandleForWriting.write(request)
    toPlugin.fileHandleForWriting.write(Data(repeating: 0, count: 8))

    let message = try #require(try stream.next())
    try stream.send(Plugin.answer(to: message))
    let answer = #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
    let expected = Data([UInt8(answer.utf8.count), 0, 0, 0, 0, 0, 0, 0]) + Data(answer.utf8)
    #expect(fromPlugin.fileHandleForReading.readData(ofLength: expected.count) == expected)
    // The compiler ends the session with an empty message.
    if try stream.next() != nil { Issue.record("a message after the last one") }
  }

  @Test func `the macro plugin refuses freestanding macros at their position`() throws {
    let message = """
      {"expandFreestandingMacro":{"macro":{"moduleName":"M","typeName":"X","name":"x"},
      "syntax":{"kind":"expression","source":" #x","location":{"fileName":"f","offset":4}}}}
      """
    let request = try JSONDecoder().decode(HostMessage.self, from: Data(message.utf8))
    guard case .expandMacroResult(let result) = Plugin.answer(to: request) else {
      Issue.record("another answer")
      return
    }
    #expect(result.expandedSource == nil)
    #expect(result.diagnostics.map(\.position.offset) == [5])
  }

  @Test func `the macro plugin reports the position of source that it cannot parse`() throws {
    let message = """
      {"expandAttachedMacro":{"macro":{"moduleName":"M","typeName":"LogValueMacro","name":"LogValue"},
      "macroRole":"extension","discriminator":"",
      "attributeSyntax":{"kind":"attribute","source":"@LogValue","location":{"fileName":"f","offset":0}},
      "declSyntax":{"kind":"declaration","source":"@LogValue struct S { ? }",
      "location":{"fileName":"f","offset":10}}}}
      """
    let request = try JSONDecoder().decode(HostMessage.self, from: Data(message.utf8))
    guard case .expandMacroResult(let result) = Plugin.answer(to: request) else {
      Issue.record("another answer")
      return
    }
    #expect(result.diagnostics.map(\.position.offset) == [31])
    #expect(
      result.diagnostics.map(\.message)
        == ["the macro cannot read this declaration: expected a declaration here"]
    )
  }
}
