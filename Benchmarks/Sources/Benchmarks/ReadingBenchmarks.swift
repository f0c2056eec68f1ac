import ActionLog
import Foundation

/// The cost of reading a log event by event, compared with usual alternatives.
enum ReadingBenchmarks {
  static let all: [Comparison] = [100, 1_000, 10_000].map { actions in
    Comparison(
      title: "reading a log, N = \(actions) actions",
      benchmarks: [
        Benchmark("JSONSerialization of each line", size: actions) {
          let log = Data(log(actions: actions))
          return Job { _ in
            for line in log.split(separator: 0x0A) {
              do { BlackHole.take(try JSONSerialization.jsonObject(with: line)) } catch {
                fatalError("\(error)")
              }
            }
          }
        },
        Benchmark("LogReader", size: actions) {
          let log = log(actions: actions)
          return Job { _ in
            var reader = LogReader(bytes: log)
            do { while let entry = try reader.next() { BlackHole.take(entry) } } catch {
              fatalError("\(error)")
            }
          }
        },
      ]
    ) { [.atMost(.infinity, "times the speed of JSONSerialization", $0[0] / $0[1])] }
  }

  /// Returns a log of actions that each change one member of a row.
  private static func log(actions: Int) -> [UInt8] {
    var text = #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","#
    text += #""feature":"Table","environment":{}}"# + "\n"
    text += #"{"kind":"checkpoint","seq":0,"state":{"rows":[]},"effects":[]}"# + "\n"
    for seq in 1...actions {
      text += #"{"kind":"action","seq":\#(seq),"at":\#(seq * 1000),"origin":"view","action":"#
      text += #"{"rename":{"row":\#(seq % 100),"title":"another title, number \#(seq)"}}}"# + "\n"
      text += #"{"kind":"change","seq":\#(seq),"patch":[{"op":"replace","path":"#
      text +=
        #""/rows/\#(seq % 100)/title","value":"another title, number \#(seq)"}],"us":2}"# + "\n"
    }
    return Array(text.utf8)
  }
}
