import Foundation
import SwiftParser
import SwiftSyntax
import Testing

/// The scanner and the toolchain's parser give the same result for every struct and enum.
@Suite struct ScannerCheck {
  @Test(arguments: sources)
  func agrees(on file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let finder = TypeFinder(viewMode: .sourceAccurate)
    finder.walk(Parser.parse(source: text))
    for type in finder.types {
      let source = SourceText(type.trimmedDescription)
      do throws(ScanError) {
        let read = ScannerOutline(try Scanner.declaration(in: source)).lines
        let expected = ParserOutline(type).lines
        guard read != expected else { continue }
        let index = zip(read, expected).enumerated().first { $1.0 != $1.1 }?.offset
        let place = index ?? min(read.count, expected.count)
        Issue.record(
          """
          \(file.path): line \(place) of \(expected.first { $0.hasPrefix("struct") || $0.hasPrefix("enum") } ?? "?")
          scanner: \(read.dropFirst(max(0, place - 2)).prefix(4))
          parser:  \(expected.dropFirst(max(0, place - 2)).prefix(4))
          """
        )
      } catch {
        let context = source.text(
          max(0, error.position - 150)..<min(source.bytes.count, error.position + 60)
        )
        Issue.record("\(file.path): \(error.reason) at \(error.position):\n\(context)")
      }
    }
  }

  @Test func findsTypes() {
    #expect(Self.sources.contains { $0.pathExtension == "swiftinterface" })
    #expect(Self.sources.contains { $0.lastPathComponent == "Scanner.swift" })
  }

  /// The interfaces of the toolchain, and the sources of this package.
  static let sources: [URL] = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folders = ["Sources", "Tests", "MacroChecks/Tests"].map(package.appendingPathComponent)
    return files(in: toolchain, with: "swiftinterface")
      + folders.flatMap { files(in: $0, with: "swift") }
  }()

  /// The folder `lib/swift` of the toolchain whose parser this process has loaded.
  private static var toolchain: URL {
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
    let library = String(decoding: maps, as: UTF8.self).split(separator: "\n")
      .first { $0.hasSuffix("libSwiftParser.so") }
    let path = library?.split(separator: " ").last.map(String.init) ?? ""
    return URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent()
  }

  private static func files(in folder: URL, with type: String) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return files?.compactMap { $0 as? URL }.filter { $0.pathExtension == type }
      .sorted { $0.path < $1.path } ?? []
  }
}

/// Collects the structs and enums of a file, including nested ones.
private final class TypeFinder: SyntaxVisitor {
  var types: [DeclSyntax] = []

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    types.append(DeclSyntax(node))
    return .visitChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    types.append(DeclSyntax(node))
    return .visitChildren
  }
}
