import InspectionsFeature
import TCAReplay

/// The host: `swift run inspections-replay run Inspections.jsonl`.
@main
struct InspectionsReplay: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Inspections") {
        Inspections()
      } initialState: {
        Inspections.State()
      }
    ]
  }
}
