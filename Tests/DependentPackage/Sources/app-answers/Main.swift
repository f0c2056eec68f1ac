import AppFeature
import TCAReplayHost

@main struct AppAnswers: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("AppFeature") {
        AppFeature()
      } initialState: {
        AppFeature.State()
      }
    ]
  }
}
