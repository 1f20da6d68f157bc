import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The note of a store that is moved")
struct MigrationNoteTests {
    private let folder: TemporaryDirectory
    private let file: MigrationFile

    init() throws {
        folder = try TemporaryDirectory()
        file = MigrationFile(StorePaths(root: FilePath(folder.path)))
    }

    private func note(_ state: MigrationNote.State) -> MigrationNote {
        MigrationNote(id: "a1", state: state, place: "/films")
    }

    @Test(
        "lets a store be opened before the last step and after its arrival, and tells otherwise where it is",
        arguments: [
            (.leaving, nil), (.arrived, nil), (.arriving, .migrationUnfinished(from: "/films")),
            (.handingOver, .moved(to: "/films", isFinished: false, undo: "turn back")),
            (.left, .moved(to: "/films", isFinished: true, undo: "turn back")),
        ] as [(MigrationNote.State, StoreError.Code?)])
    func opening(state: MigrationNote.State, code: StoreError.Code?) {
        #expect(note(state).refusal(undo: "turn back")?.text == code.map { StoreError($0).text })
    }

    @Test(
        "is in a file, which is to be deleted by a user who wants to use a moved store again",
        arguments: [MigrationNote.State.leaving, .handingOver, .left, .arriving, .arrived])
    func kept(state: MigrationNote.State) throws {
        #expect(try file.note == nil)
        try file.check()
        try file.write(note(.leaving))
        try file.write(note(.leaving).with(state))
        #expect(try file.note == note(state))
        let expected = note(state).refusal(undo: "delete \(folder.path)/migration.json")?.text
        #expect(refusal { try file.check() } == expected)
    }

    @Test(
        "of a newer version is not taken for none",
        arguments: ["", "{}", #"{"id":"a1","place":"/films","state":"flying"}"#])
    func newer(text: String) throws {
        try folder.write(Array(text.utf8), to: "migration.json")
        #expect(refusal { try file.check() } == StoreError(.storeTooNew).text)
    }
}
