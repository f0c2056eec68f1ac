import Foundation
import TCAReplaying

/// The host that verifies and replays the logs.
private struct SoakHost: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Storms") {
        Storms()
      } initialState: {
        Storms.State()
      }
    ]
  }
}

/// The program of `Benchmarks/soak`: `soak work FOLDER SECONDS TASKS SEED recorded|control`, and the commands of every
/// host.
@main
struct Soak {
  @MainActor
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.dropFirst().first == "work" else { return await SoakHost.main() }
    guard arguments.count == 7, let seconds = Double(arguments[3]), let tasks = Int(arguments[4]),
      let seed = UInt64(arguments[5]), ["recorded", "control"].contains(arguments[6])
    else {
      print("usage: soak work FOLDER SECONDS TASKS SEED recorded|control")
      exit(64)
    }
    let work = SoakWork(
      in: arguments[2],
      until: .now + .seconds(seconds),
      isRecorded: arguments[6] == "recorded"
    )
    let sampling = Task.detached {
      var samples: [Int] = []
      while !Task.isCancelled {
        samples.append(residentKilobytes())
        try? await Task.sleep(for: .milliseconds(250))
      }
      return samples
    }
    await work.run(tasks: tasks, seed: seed)
    sampling.cancel()
    let samples = await sampling.value
    print(#"{"stores":\#(work.stores),"actions":\#(work.actions),"kilobytes":\#(samples)}"#)
  }

  private static func residentKilobytes() -> Int {
    let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " "
    )
    return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4
  }
}
