import ActionLog
import Foundation
import ReplayEngine
import TCARecorder
import TestSupport
import Testing

/// Folders that are not writable, regardless of the process's permissions.
@MainActor
@Suite("Folders that cannot be written to")
struct FolderFaultTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let name: String
    /// Returns the path of the log for a folder of the test.
    let path: @Sendable (_ folder: String) throws -> String
    let reason: Int32
    var testDescription: String { name }
  }

  private nonisolated static let places: [Place] = {
    var places = [
      Place(
        name: "below a file",
        path: { folder in
          try Data("precious".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
          return folder + "/file/log.jsonl"
        },
        reason: ENOTDIR
      ),
      Place(
        name: "in a circle of links",
        path: { folder in
          symlink(folder + "/b", folder + "/a")
          symlink(folder + "/a", folder + "/b")
          return folder + "/a/log.jsonl"
        },
        reason: ELOOP
      ),
      Place(
        name: "of a name that is too long",
        path: { folder in
          folder + "/" + String(repeating: "x", count: 300) + ".jsonl"
        },
        reason: ENAMETOOLONG
      ),
    ]
    #if os(Linux)
    places.append(Place(name: "of the kernel's", path: { _ in "/proc/log.jsonl" }, reason: ENOENT))
    #endif
    return places
  }()

  private func store(_ recorder: Recorder) -> Store<Feature.State, Feature.Action> {
    Store(initialState: Feature.State()) {
      Feature(gate: AsyncStream { $0.finish() }).recorded(to: recorder)
    } withDependencies: {
      $0.uuid = .incrementing
    }
  }

  @Test(
    "For an unwritable path, the recorder gives the reason, and feature and folder are unchanged",
    arguments: places,
    [false, true]
  )
  func unwritable(place: Place, isRing: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try place.path(folder.path)
    let before = folder.files
    let recorder = Recorder(to: isRing ? .ring(path, megabytes: 1) : .file(path))
    let store = store(recorder)
    for _ in 0..<20 { store.send(.chain(1)) }
    #expect(store.count == 40)
    #expect(recorder.problems == [String(cString: strerror(place.reason))])
    #expect(folder.files == before)
    if place.reason == ENOTDIR { #expect(try folder.read("file") == "precious") }
  }

  @Test("A recorder creates its folder again when it was removed during the recording")
  func removed() throws {
    let folder = try TemporaryFolder()
    let inner = folder.path + "/inner"
    let recorder = Recorder(to: .file(inner + "/log.jsonl"))
    let store = store(recorder)
    store.send(.chain(0))
    try FileManager.default.removeItem(atPath: inner)
    for _ in 0..<3 { store.send(.chain(0)) }
    #expect(store.count == 4)
    let text = try String(contentsOfFile: inner + "/log.jsonl", encoding: .utf8)
    #expect(try kinds(text).hasPrefix("header gap checkpoint action change"))
    #expect(recorder.problems.isEmpty)
  }

  @Test("A ring log has a gap for the time during which a file was in place of its folder")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let inner = folder.path + "/inner"
    let recorder = Recorder(to: .ring(inner + "/log.jsonl", megabytes: 1))
    let store = store(recorder)
    store.send(.chain(0))
    try FileManager.default.removeItem(atPath: inner)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: inner))
    for _ in 0..<3 { store.send(.chain(0)) }
    #expect(recorder.problems == [String(cString: strerror(ENOTDIR))])
    #expect(try folder.read("inner") == "precious")
    try FileManager.default.removeItem(atPath: inner)
    for _ in 0..<8 { store.send(.chain(0)) }
    #expect(store.count == 12)
    #expect(recorder.problems.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: inner)
    let name = try #require(names.first)
    #expect(names.count == 1)
    let text = try String(contentsOfFile: inner + "/" + name, encoding: .utf8)
    #expect(try kinds(text).hasPrefix("header gap checkpoint action change"))
  }
}
