import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("An error that a node has with its database")
struct NodeErrorTests {
    @Test(
        "is temporary if it begins with one of the words for a server that is away or busy",
        arguments: [
            PostgresEngine.unreachable, PostgresEngine.denied, PostgresEngine.lost, PostgresEngine.busy,
        ])
    func temporary(words: String) {
        #expect(StoreNode.isTemporary(StoreError(.database("\(words)why", path: "films"))))
        #expect(!StoreNode.isTemporary(StoreError(.database("why: \(words)", path: "films"))))
    }

    @Test(
        "is lasting for any other reason, also if it is none of the database",
        arguments: [
            .database("PostgreSQL refused: why", path: "films"), .storeTooNew, .storeTakenOver, .vault,
            .migrationUnfinished(from: "/films"), .diskFull("/films"),
        ] as [StoreError.Code])
    func lasting(code: StoreError.Code) {
        #expect(!StoreNode.isTemporary(StoreError(code)))
    }
}
