import Foundation
import TestSupport
import Testing

/// Logs of the sample playlist that show none of its faults.
enum FuzzCorpus {
  /// Actions of a user and answers of effects that show no fault.
  private static let recorded = [
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"P1","feature":"Playlist","stateType":"Playlist.State","startedAt":"2026-01-01T00:00:00Z","recorder":"0.2.0","environment":{},"segment":1}"#,
    #"{"kind":"checkpoint","seq":0,"state":{"songs":[],"playing":null,"volume":50,"bars":5,"average":0,"removed":[],"lyrics":null},"effects":[]}"#,
    action(1, #""view""#, #"{"added":{"_0":1}}"#),
    action(2, #""view""#, #"{"added":{"_0":2}}"#),
    action(3, #""view""#, #"{"added":{"_0":3}}"#),
    action(4, #""view""#, #"{"starred":{"_0":2}}"#),
    action(5, #""view""#, #"{"averageButtonTapped":{}}"#),
    action(6, #""view""#, #"{"played":{"_0":1}}"#),
    action(7, #""view""#, #"{"nextButtonTapped":{}}"#),
    action(8, #""view""#, #"{"volumeChanged":{"by":-10}}"#),
    action(9, #""view""#, #"{"volumeChanged":{"by":20}}"#),
    action(10, #""view""#, #"{"downloadButtonTapped":{"_0":3}}"#),
    action(11, #"{"effect":"10.0"}"#, #"{"downloaded":{"_0":3}}"#),
    #"{"kind":"effect","id":"10.0","event":"finished","sent":1,"at":11}"#,
    action(12, #""view""#, #"{"lyricsButtonTapped":{"_0":2}}"#),
    action(
      13,
      #"{"effect":"12.0"}"#,
      #"{"lyrics":{"_0":{"presented":{"_0":{"loaded":{"_0":"la la"}}}}}}"#
    ),
    #"{"kind":"effect","id":"12.0","event":"finished","sent":1,"at":13}"#,
    action(14, #""view""#, #"{"closeButtonTapped":{}}"#),
    action(15, #""view""#, #"{"removed":{"_0":3}}"#),
    action(16, #""view""#, #"{"undoButtonTapped":{}}"#),
    action(17, #""view""#, #"{"removed":{"_0":3}}"#),
    #"{"kind":"end","seq":17,"reason":"closed"}"#,
  ]

  /// Another session with one song.
  static let second: [String] =
    recorded.prefix(2) + [
      action(1, #""view""#, #"{"added":{"_0":7}}"#),
      action(2, #""view""#, #"{"downloadButtonTapped":{"_0":7}}"#),
      action(3, #"{"effect":"2.0"}"#, #"{"downloaded":{"_0":7}}"#),
      #"{"kind":"effect","id":"2.0","event":"finished","sent":1,"at":3}"#,
      action(4, #""view""#, #"{"starred":{"_0":7}}"#),
      #"{"kind":"end","seq":4,"reason":"closed"}"#,
    ]

  private static func action(_ seq: Int, _ origin: String, _ action: String) -> String {
    #"{"kind":"action","seq":\#(seq),"at":\#(seq),"origin":\#(origin),"action":\#(action)}"#
      + "\n" + #"{"kind":"change","seq":\#(seq),"patch":[]}"#
  }

  /// Returns the log that a replay writes.
  static func log(in folder: TemporaryFolder) throws -> String {
    try log(of: recorded, "playlist", through: 17, in: folder)
  }

  static func log(
    of lines: [String],
    _ name: String,
    through last: Int,
    in folder: TemporaryFolder
  ) throws -> String {
    try folder.write(lines.joined(separator: "\n") + "\n", to: "inputs")
    let replayed = try Tool.replay.run("replay", folder.path + "/inputs")
    try folder.write(replayed.output, to: "\(name).jsonl")
    let path = folder.path + "/\(name).jsonl"
    let run = try Tool.replay.run("run", path)
    #expect(run.output == "\(path): identical, through action \(last)\n")
    return path
  }
}

/// The JSON output of `fuzz`.
struct FuzzResult: Decodable, Equatable {
  var runs: Int
  var unreadActions: Int
  var findings: [Finding]
  var stability: Stability?

  struct Stability: Decodable, Equatable {
    var sequences: Int
    var leftOut: Int
    var endedBy: String?
  }

  struct Finding: Decodable, Equatable {
    var kind: String
    var fingerprint: String
    var text: String
    /// The text of an issue.
    var message: String?
    var actions: Int
    var isMinimal: Bool
    var reasons: [String]?
    var log: String?
  }

  init(_ output: String) throws {
    self = try JSONDecoder().decode(FuzzResult.self, from: Data(output.utf8))
  }
}
