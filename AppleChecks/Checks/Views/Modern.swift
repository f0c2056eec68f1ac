import Foundation
import SwiftUI
import TCACore
import TCAReplaying

// Views from the 1.7 and 1.8 migration articles of Point-Free's library. The shapes are theirs, but the features are
// not.

// MARK: Reading and sending

@Reducer
struct Meter {
  @ObservableState
  struct State: Equatable {
    var reading = 0
    var unit = "kWh"
    var label: String { "\(reading) \(unit)" }
  }

  enum Action {
    case readButtonTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.reading += 1
      return .none
    }
  }
}

struct MeterView: View {
  let store: StoreOf<Meter>

  var body: some View {
    Form {
      Text(store.reading.description)
      Text(store.label)
      Button("Read") { store.send(.readButtonTapped) }
      Button("Read slowly") { store.send(.readButtonTapped, animation: .default) }
      Button("Read") { store.send(.readButtonTapped, transaction: Transaction(animation: nil)) }
    }
  }
}

// MARK: A part that is there now and then

@Reducer
struct Flat {
  @ObservableState
  struct State {
    var meter: Meter.State?
  }

  enum Action {
    case meter(Meter.Action)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.meter, action: \.meter) { Meter() }
  }
}

struct FlatView: View {
  let store: StoreOf<Flat>

  var body: some View {
    if let meter = store.scope(state: \.meter, action: \.meter) {
      MeterView(store: meter)
    } else {
      Text("No meter")
    }
  }
}

// MARK: Rows

@Reducer
struct Row {
  @ObservableState
  struct State: Identifiable {
    let id: UUID
  }

  enum Action {
    case tapped
  }
}

struct RowView: View {
  let store: StoreOf<Row>

  var body: some View {
    Button("Tap") { store.send(.tapped) }
  }
}

@Reducer
struct House {
  @ObservableState
  struct State {
    var rows: IdentifiedArrayOf<Row.State> = []
  }

  enum Action {
    case rows(IdentifiedActionOf<Row>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .forEach(\.rows, action: \.rows) { Row() }
  }
}

struct HouseView: View {
  let store: StoreOf<House>

  var body: some View {
    List {
      ForEach(
        store.scope(state: \.rows, action: \.rows),
        id: \.state.id
      ) { row in
        RowView(store: row)
      }
      ForEach(
        store.scope(state: \.rows, action: \.rows)
      ) { row in
        RowView(store: row)
      }
      ForEach(
        Array(store.scope(state: \.rows, action: \.rows).enumerated()),
        id: \.element
      ) { position, row in
        RowView(store: row)
          .background {
            position.isMultiple(of: 2) ? Color.white : Color.gray
          }
      }
    }
  }
}

// MARK: An enum

@Reducer
struct Screen {
  @ObservableState
  @CasePathable
  @dynamicMemberLookup
  enum State {
    case meter(Meter.State)
    case house(House.State)
  }

  enum Action {
    case meter(Meter.Action)
    case house(House.Action)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifCaseLet(\.meter, action: \.meter) { Meter() }
      .ifCaseLet(\.house, action: \.house) { House() }
  }
}

struct ScreenView: View {
  let store: StoreOf<Screen>

  var body: some View {
    switch store.state {
    case .meter:
      if let store = store.scope(state: \.meter, action: \.meter) {
        MeterView(store: store)
      }
    case .house:
      if let store = store.scope(state: \.house, action: \.house) {
        HouseView(store: store)
      }
    }
  }
}

// MARK: Presentations

@Reducer
struct Building {
  @Reducer
  enum Destination {
    case edit(Meter)
    case house(House)
    case alert(AlertState<Alert>)
    case dialog(ConfirmationDialogState<Dialog>)
  }

  @CasePathable
  enum Alert {
    case confirmed
  }

  @CasePathable
  enum Dialog {
    case chosen
  }

  @ObservableState
  struct State {
    @Presents var meter: Meter.State?
    @Presents var alert: AlertState<Alert>?
    @Presents var dialog: ConfirmationDialogState<Dialog>?
    @Presents var destination: Destination.State?
  }

  enum Action {
    case meter(PresentationAction<Meter.Action>)
    case alert(PresentationAction<Alert>)
    case dialog(PresentationAction<Dialog>)
    case destination(PresentationAction<Destination.Action>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.$meter, action: \.meter) { Meter() }
      .ifLet(\.$alert, action: \.alert)
      .ifLet(\.$dialog, action: \.dialog)
      .ifLet(\.$destination, action: \.destination)
  }
}

struct BuildingView: View {
  @Bindable var store: StoreOf<Building>

  var body: some View {
    Text("Building")
      .sheet(item: $store.scope(state: \.meter, action: \.meter)) { store in
        MeterView(store: store)
      }
      .fullScreenCover(item: $store.scope(state: \.meter, action: \.meter)) { store in
        MeterView(store: store)
      }
      .popover(item: $store.scope(state: \.meter, action: \.meter)) { store in
        MeterView(store: store)
      }
      .navigationDestination(item: $store.scope(state: \.meter, action: \.meter)) { store in
        MeterView(store: store)
      }
      .sheet(
        item: $store.scope(
          state: \.destination?.edit,
          action: \.destination.edit
        )
      ) { store in
        MeterView(store: store)
      }
      .alert($store.scope(state: \.alert, action: \.alert))
      .alert($store.scope(state: \.destination?.alert, action: \.destination.alert))
      .confirmationDialog($store.scope(state: \.dialog, action: \.dialog))
      .confirmationDialog($store.scope(\.destination?.dialog, action: \.destination.dialog))
      .sheet(item: $store.scope(\.$destination, action: \.destination).edit) { store in
        MeterView(store: store)
      }
      .alert($store.scope(\.$destination, action: \.destination).alert)
      .confirmationDialog($store.scope(\.$destination, action: \.destination).dialog)
  }
}

// MARK: Focus

@Reducer
struct Entry {
  @ObservableState
  struct State {
    var focus: Field?
  }

  enum Field: Hashable, Sendable {
    case name
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
  }
}

struct EntryView: View {
  @Bindable var store: StoreOf<Entry>
  @FocusState() var focus: Entry.Field?

  var body: some View {
    Text("Entry")
      .bind($store.focus, to: $focus)
  }
}

// MARK: Stacks

@Reducer
struct Tour {
  @Reducer
  enum Path {
    case meter(Meter)
    case house(House)
  }

  @ObservableState
  struct State {
    var path = StackState<Path.State>()
  }

  enum Action {
    case path(StackActionOf<Path>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .forEach(\.path, action: \.path)
  }
}

struct TourView: View {
  @Bindable var store: StoreOf<Tour>

  var body: some View {
    NavigationStack(path: $store.scope(state: \.path, action: \.path)) {
      NavigationLink(state: Tour.Path.State.meter(Meter.State())) { Text("Meter") }
    } destination: { store in
      switch store.case {
      case .meter(let store):
        MeterView(store: store)
      case .house(let store):
        HouseView(store: store)
      }
    }
  }
}

struct VerboseTourView: View {
  @Bindable var store: StoreOf<Tour>

  var body: some View {
    NavigationStack(path: $store.scope(state: \.path, action: \.path)) {
      NavigationLink("Meter", state: Tour.Path.State.meter(Meter.State()))
    } destination: { store in
      switch store.state {
      case .meter:
        if let store = store.scope(state: \.meter, action: \.meter) {
          MeterView(store: store)
        }
      case .house:
        if let store = store.scope(state: \.house, action: \.house) {
          HouseView(store: store)
        }
      }
    }
  }
}

/// The parent of a view with a stack passes its binding on.
struct BoundTourView: View {
  @Binding var store: StoreOf<Tour>

  var body: some View {
    NavigationStack(path: $store.scope(\.path, action: \.path)) {
      Text(verbatim: "Tour")
    } destination: { store in
      Text(store.state.is(\.meter) ? "Meter" : "House")
    }
  }
}

// MARK: Bindings

enum Extra: String, CaseIterable, Identifiable, CustomStringConvertible {
  case heating, water
  var id: Self { self }
  var description: String { rawValue }
}

@Reducer
struct Settings {
  @ObservableState
  struct State: Equatable {
    var text = ""
    var isOn = false
    var tab = 0
    var extras: Set<Extra> = []
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case tabChanged(Int)
    case extraToggled(Extra, isOn: Bool)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        return .none
      case .tabChanged(let tab):
        state.tab = tab
        return .run { send in await send(.tabChanged(0), animation: .default) }
      case .extraToggled(let extra, let isOn):
        if isOn { state.extras.insert(extra) } else { state.extras.remove(extra) }
        return .send(.tabChanged(0), animation: .default)
      }
    }
  }
}

extension StoreOf<Settings> {
  subscript(hasExtra extra: Extra) -> Bool {
    get { self.extras.contains(extra) }
    set { send(.extraToggled(extra, isOn: newValue)) }
  }
}

struct SettingsView: View {
  @Bindable var store: StoreOf<Settings>

  var body: some View {
    Form {
      TextField("Text", text: $store.text)
      Toggle(isOn: $store.isOn) { Text("On") }
      Toggle("On", isOn: $store.isOn.animation())
      Toggle("On", isOn: $store.isOn.transaction(Transaction(animation: .default)))
      TabView(selection: $store.tab.sending(\.tabChanged)) {
        Text("First")
      }
      ForEach(Extra.allCases) { extra in
        Toggle(
          extra.description,
          isOn: $store[hasExtra: extra]
        )
      }
    }
  }
}

// MARK: Actions of views

@Reducer
struct Login {
  @ObservableState
  struct State: Equatable {
    var name = ""
  }

  enum Action: ViewAction {
    case loginResponse(Bool)
    case view(View)

    enum View: BindableAction {
      case binding(BindingAction<State>)
      case loginButtonTapped
    }
  }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { _, action in
      switch action {
      case .view(.loginButtonTapped): .send(.loginResponse(true))
      case .loginResponse, .view: .none
      }
    }
  }
}

@ViewAction(for: Login.self)
struct LoginView: View {
  @Bindable var store: StoreOf<Login>

  var body: some View {
    TextField("Name", text: $store.name)
    Button("Login") { send(.loginButtonTapped) }
    Button("Login") { send(.loginButtonTapped, animation: .default) }
  }
}

// MARK: Pictures

@MainActor
func pictureOfLogin(_ state: Login.State) throws -> ReplayPicture {
  try .view(of: state, width: 390, height: 844) { (store: StoreOf<Login>) in
    LoginView(store: store)
  }
}
