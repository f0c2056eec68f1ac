import AppFeature
import TCAReplay

@main struct AppReplay: ReplayHost {
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
