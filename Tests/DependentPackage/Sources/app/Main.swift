import AppFeature
import TCARecorder

@main
struct Main {
  @MainActor
  static func main() async {
    let store = Store(initialState: AppFeature.State()) {
      AppFeature().recorded(to: .file("session.jsonl"))
    }
    await store.send(.greetButtonTapped).finish()
    store.send(.nameChanged("Blob"))
    store.send(.nameChanged("Åsa"))
    await store.send(.greetButtonTapped).finish()
  }
}
