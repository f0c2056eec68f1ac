#if canImport(SwiftUI)
import InspectionsFeature
import SwiftUI
import TCACore

@ViewAction(for: SiteForm.self)
struct SiteFormView: View {
  @Bindable var store: StoreOf<SiteForm>

  var body: some View {
    Form {
      TextField("Name", text: $store.site.name)
    }
    .navigationTitle("New site")
    .toolbar {
      Button("Cancel", role: .cancel) { send(.cancelButtonTapped) }
      Button("Save") { send(.saveButtonTapped) }
        .disabled(!store.isComplete)
    }
  }
}

struct SiteDetailView: View {
  @Bindable var store: StoreOf<SiteDetail>

  var body: some View {
    List {
      TextField("Name", text: $store.site.name.sending(\.nameChanged))
      Section("Visits") {
        ForEach(store.site.visits) { visit in
          HStack {
            Text(visit.grade.rawValue)
            Spacer()
            Text("\(visit.seconds) s")
          }
        }
      }
      Button("Start a visit") { store.send(.visitButtonTapped, animation: .default) }
      Button("Delete", role: .destructive) { store.send(.deleteButtonTapped) }
    }
    .navigationTitle(store.site.name)
    .alert($store.scope(\.alert, action: \.alert))
  }
}

struct VisitRecorderView: View {
  @Bindable var store: StoreOf<VisitRecorder>

  var body: some View {
    Form {
      Text("\(store.seconds) s")
      Picker("Grade", selection: $store.grade.sending(\.gradePicked).animation()) {
        ForEach(Grade.allCases) { grade in
          Text(grade.rawValue).tag(grade)
        }
      }
      Button("Finish") { store.send(.finishButtonTapped) }
    }
    .navigationTitle(store.site.name)
    .onAppear { store.send(.appeared) }
  }
}
#endif
