import Testing

@testable import StoreCatalog

@Suite("The clock of a database") struct DatabaseClockTests {
    @Test(
        "differs by what the time of the question can't explain",
        arguments: [(100, 0), (150, 0), (200, 0), (201, 1), (5200, 5000), (99, -1), (-900, -1000)]
            as [(Int64, Int64)])
    func difference(_ clock: Int64, _ expected: Int64) {
        #expect(DatabaseFacts.difference(of: clock, from: 100...200) == expected)
    }
}
