import ActionLog
import Foundation
import TCARecorder

/// The sizes of logs, compared with those of their actions and patches.
enum SizeBenchmarks {
  static let all: [Comparison] = [
    RecordingBenchmarks.scalar, RecordingBenchmarks.row, RecordingBenchmarks.text,
    RecordingBenchmarks.insertion, RecordingBenchmarks.move,
  ].map { kind in
    Comparison(title: "length of a log of actions that change \(kind.name), N = 100") { _ in
      let (log, contents) = record(kind, actions: 1_000, size: 100)
      return [
        .atMost(1.5, "of its actions and patches", Double(log) / Double(contents)),
        .atMost(.infinity, "bytes for an action and its change", Double(log) / 1_000),
      ]
    }
  }

  /// Returns the bytes of a log after its checkpoint, and those of its actions and patches.
  @MainActor
  private static func record(
    _ kind: RecordingBenchmarks.Kind,
    actions: Int,
    size: Int
  ) -> (log: Int, contents: Int) {
    let path = PlainFile.newPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = Store(initialState: TableFeature.State(rows: size)) {
      TableFeature().recorded(to: .file(path))
    }
    for step in 0..<actions { store.send(kind.action(step, size)) }
    let lines = (FileManager.default.contents(atPath: path) ?? Data()).split(separator: 10)
    var (log, contents) = (0, 0)
    for line in lines.dropFirst(2) {
      log += line.count + 1
      guard let event = try? LogEvent(json: JSON(parsing: line)) else { continue }
      switch event {
      case .action(let action): contents += action.action.bytes.count
      case .change(let change): contents += change.patch.json.bytes.count
      default: break
      }
    }
    return (log, contents)
  }
}
