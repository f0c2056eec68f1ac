import ComposableReplay
import SampleApp

@main struct SampleReplay: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Meetings") {
        Meetings()
      } initialState: {
        Meetings.State()
      },
      ReplayFeature("Tally") {
        Tally()
      } initialState: {
        Tally.State()
      },
    ]
  }
}
