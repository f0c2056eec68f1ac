import ActionLog
import Foundation
import ReplayEngine
import Synchronization
import TestSupport
import Testing

@testable import ActionRecording
@testable import TCARecorder

@MainActor
@Suite("Ring")
struct RingTests {
  private func store(_ recorder: Recorder) -> Store<Feature.State, Feature.Action> {
    Store(initialState: Feature.State()) {
      Feature(gate: AsyncStream { $0.finish() }).recorded(to: recorder)
    } withDependencies: {
      $0.uuid = .incrementing
    }
  }

  @Test(
    "A ring keeps the latest part of the recording in segments that each open with a checkpoint"
  )
  func segments() throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: .ring(folder.path + "/flight.jsonl", bytes: 8000, segments: 4))
    var store: Store? = store(recorder)
    for _ in 0..<200 { store?.send(.chain(0)) }
    let sizes = try folder.files.map { try folder.read($0).utf8.count }
    #expect(sizes.reduce(0, +) <= 8000 + 2 * 2500, "\(sizes)")
    #expect(sizes.reduce(0, +) >= 8000, "\(sizes)")
    for name in folder.files {
      #expect(try kinds(folder.read(name)).hasPrefix("header checkpoint action change"))
    }
    let url = URL(fileURLWithPath: folder.path + "/whole.jsonl")
    try recorder.export(to: url)
    let whole = try folder.read("whole.jsonl")
    #expect(whole.split(separator: "\n").filter { $0.contains(#""kind":"header""#) }.count == 1)
    #expect(whole.contains(#""seq":200,"at""#))
    store = nil
    #expect(
      try folder.read(
        try #require(
          folder.files.filter { $0.hasPrefix("flight") }.max {
            $0.count < $1.count || $0.count == $1.count && $0 < $1
          }
        )
      ).hasSuffix("\"reason\":\"closed\"}\n")
    )
  }

  @Test("A ring with a limit of minutes drops older segments")
  func minutes() throws {
    let folder = try TemporaryFolder()
    let time = Mutex(0)
    var configuration = RecorderConfiguration(.ring(folder.path + "/flight.jsonl", minutes: 8))
    configuration.now = { time.withLock { $0 } }
    let store = store(Recorder(configuration))
    for _ in 0..<40 {
      store.send(.chain(0))
      time.withLock { $0 += 60_000_000 }
    }
    // Eight one-minute segments, the current one, and the remaining part of the oldest.
    #expect((9...10).contains(folder.files.count), "\(folder.files)")
  }

  @Test("A second recording in a ring does not change the segments of the first")
  func twoRecordings() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      let store = store(
        Recorder(to: .ring(folder.path + "/flight.jsonl", bytes: 8000, segments: 4))
      )
      for _ in 0..<100 { store.send(.chain(0)) }
    }
    let names = folder.files.map { $0.prefix { $0 != "." } }
    #expect(Set(names) == ["flight", "flight-2"])
  }

  @Test("A recorder keeps as many logs as configured and deletes no other files")
  func kept() throws {
    let folder = try TemporaryFolder()
    let foreign = [
      "log-x.jsonl", "log-02.jsonl", "log-7.jsonl", "log.txt", "blog.jsonl", "log-9.jsonl",
    ]
    for name in foreign {
      try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.keptSessions = 4
    for _ in 0..<6 {
      let store = store(Recorder(configuration))
      store.send(.chain(0))
    }
    for name in foreign { #expect(try folder.read(name) == "precious") }
    // The two other files count toward the limit and are not deleted.
    #expect(folder.files.count - foreign.count <= 4, "\(folder.files)")
  }

  @Test("A log that is being written is not deleted")
  func open() throws {
    let folder = try TemporaryFolder()
    var configuration = RecorderConfiguration(.file(folder.path + "/log.jsonl"))
    configuration.keptSessions = 1
    let stores = (0..<3).map { _ in store(Recorder(configuration)) }
    for store in stores { store.send(.chain(0)) }
    #expect(folder.files == ["log-2.jsonl", "log-3.jsonl", "log.jsonl"])
  }
}
