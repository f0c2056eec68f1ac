// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import SwiftUI
import TCACore

// Views from the 1.7 migration article of Point-Free's library, before the migration. The shapes are the article's, but
// the features are not. Each is deprecated, so that the code that it uses gives no warnings here.

@Reducer
struct Lamp {
  struct State: Equatable {
    var brightness = 0
    @BindingState var name = ""
    @BindingState var isOn = false
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case brightnessChanged(Int)
    case dimButtonTapped
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
  }
}

@available(*, deprecated)
struct LampView: View {
  let store: StoreOf<Lamp>

  struct ViewState: Equatable {
    let label: String
    init(state: Lamp.State) { label = "\(state.name) \(state.brightness)" }
  }

  var body: some View {
    WithViewStore(store, observe: ViewState.init) { viewStore in
      Form {
        Text(viewStore.label.description)
        Button("-") { viewStore.send(.dimButtonTapped) }
        Button("-") { viewStore.send(.dimButtonTapped, animation: .default) }
      }
    }
  }
}

@available(*, deprecated)
struct LampBindingsView: View {
  let store: StoreOf<Lamp>

  var body: some View {
    WithViewStore(store, observe: { $0 }) { viewStore in
      Form {
        TextField("Name", text: viewStore.$name)
        Toggle(isOn: viewStore.$isOn) { Text("On") }
        TabView(
          selection: viewStore.binding(get: \.brightness, send: { .brightnessChanged($0) })
        ) {
          Text("First")
        }
      }
    }
  }
}

@available(*, deprecated)
struct LampViewStateView: View {
  let store: StoreOf<Lamp>

  struct ViewState: Equatable {
    @BindingViewState var name: String
    @BindingViewState var isOn: Bool
    init(store: BindingViewStore<Lamp.State>) {
      self._name = store.$name
      self._isOn = store.$isOn
    }
  }

  var body: some View {
    WithViewStore(store, observe: ViewState.init) { viewStore in
      Form {
        TextField("Name", text: viewStore.$name)
        Toggle(isOn: viewStore.$isOn) { Text("On") }
      }
    }
  }
}

@Reducer
struct Porch {
  @ObservableState
  struct State {
    var lamp: Lamp.State?
    var count = 0
  }

  enum Action {
    case lamp(Lamp.Action)
  }
}

@available(*, deprecated)
struct PorchView: View {
  @Perception.Bindable var store: StoreOf<Porch>

  var body: some View {
    WithPerceptionTracking {
      Text(store.count.description)
      IfLetStore(store.scope(state: \.lamp, action: \.lamp)) { lamp in
        LampView(store: lamp)
      } else: {
        Text("Nothing to show")
      }
      IfLetStore(store: store.scope(state: \.lamp, action: \.lamp)) { lamp in
        LampView(store: lamp)
      } else: {
        Text("Nothing to show")
      }
      IfLetStore(store.scope(state: \.lamp, action: \.lamp)) { lamp in
        LampView(store: lamp)
      }
    }
  }
}

@Reducer
struct Bulb {
  @ObservableState
  struct State: Identifiable {
    let id: Int
  }

  enum Action {
    case tapped
  }
}

struct BulbView: View {
  let store: StoreOf<Bulb>

  var body: some View { Button("Tap") { store.send(.tapped) } }
}

@Reducer
struct Chain {
  @ObservableState
  struct State {
    var bulbs: IdentifiedArrayOf<Bulb.State> = []
  }

  enum Action {
    case bulbs(IdentifiedActionOf<Bulb>)
  }
}

@available(*, deprecated)
struct ChainView: View {
  let store: StoreOf<Chain>

  var body: some View {
    ForEachStore(
      store.scope(state: \.bulbs, action: \.bulbs)
    ) { bulb in
      BulbView(store: bulb)
    }
  }
}

@Reducer
struct Light {
  @ObservableState
  @CasePathable
  @dynamicMemberLookup
  enum State {
    case lamp(Lamp.State)
    case chain(Chain.State)
  }

  enum Action {
    case lamp(Lamp.Action)
    case chain(Chain.Action)
  }
}

@available(*, deprecated)
struct LightView: View {
  let store: StoreOf<Light>

  var body: some View {
    SwitchStore(store) {
      switch $0 {
      case .lamp:
        CaseLet(/Light.State.lamp, action: Light.Action.lamp) { store in
          LampView(store: store)
        }
      case .chain:
        CaseLet(\Light.State.chain, action: Light.Action.chain) { store in
          ChainView(store: store)
        }
      }
    }
  }
}

@Reducer
struct Street {
  struct State {
    var path = StackState<Light.State>()
    @PresentationState var lamp: Lamp.State?
    @PresentationState var alert: AlertState<Alert>?
    @PresentationState var dialog: ConfirmationDialogState<Alert>?
    @PresentationState var destination: Destination.State?
  }

  @CasePathable
  enum Alert {
    case confirmed
  }

  @Reducer
  struct Destination {
    @CasePathable
    @dynamicMemberLookup
    enum State {
      case lamp(Lamp.State)
    }

    enum Action {
      case lamp(Lamp.Action)
    }
  }

  enum Action {
    case path(StackAction<Light.State, Light.Action>)
    case lamp(PresentationAction<Lamp.Action>)
    case alert(PresentationAction<Alert>)
    case dialog(PresentationAction<Alert>)
    case destination(PresentationAction<Destination.Action>)
  }
}

@available(*, deprecated)
struct StreetView: View {
  let store: StoreOf<Street>

  var body: some View {
    NavigationStackStore(store.scope(state: \.path, action: \.path)) {
      Text("Street")
    } destination: {
      switch $0 {
      case .lamp:
        CaseLet(/Light.State.lamp, action: Light.Action.lamp) { store in
          LampView(store: store)
        }
      case .chain:
        CaseLet(/Light.State.chain, action: Light.Action.chain) { store in
          ChainView(store: store)
        }
      }
    }
    .sheet(store: store.scope(state: \.$lamp, action: \.lamp)) { store in
      LampView(store: store)
    }
    .sheet(
      store: store.scope(
        state: \.$destination.lamp,
        action: \.destination.lamp
      )
    ) { store in
      LampView(store: store)
    }
    .fullScreenCover(store: store.scope(state: \.$lamp, action: \.lamp)) { store in
      LampView(store: store)
    }
    .popover(store: store.scope(state: \.$lamp, action: \.lamp)) { store in
      LampView(store: store)
    }
    .navigationDestination(store: store.scope(state: \.$lamp, action: \.lamp)) { store in
      LampView(store: store)
    }
    .alert(store: store.scope(state: \.$alert, action: \.alert))
    .confirmationDialog(store: store.scope(state: \.$dialog, action: \.dialog))
  }
}

@Reducer
struct Session {
  struct State {
    var name = ""
  }

  enum Action {
    case loginResponse(Bool)
    case view(View)

    enum View {
      case loginButtonTapped
    }
  }
}

@available(*, deprecated)
struct SessionView: View {
  let store: StoreOf<Session>

  var body: some View {
    WithViewStore(
      store,
      observe: { $0 },
      send: Session.Action.view
    ) { viewStore in
      Button("Login") {
        viewStore.send(.loginButtonTapped)
      }
    }
  }
}
