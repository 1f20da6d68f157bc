import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A list of values in a statement")
struct SQLListTests {
    @Test(
        "has as many placeholders as the next power of two, and above 1024 as the next multiple of it",
        arguments: [
            (0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (1023, 1024), (1024, 1024),
            (1025, 2048), (2048, 2048), (2049, 3072),
        ])
    func sizes(_ count: Int, _ places: Int) {
        let ids = Array(0..<Int64(count))
        let list = SQLList(ids)
        let values = list.arguments.values
        #expect(values.count == places && list.marks.split(separator: ",").count == places)
        #expect(list.marks.allSatisfy { $0 == "?" || $0 == "," } && list.marks.count == 2 * places - 1)
        #expect(Array(values.prefix(count)) == ids.map { SQLValue.integer($0) })
        #expect(values.dropFirst(count).allSatisfy { $0 == .null }, "NULL equals nothing")
    }

    @Test("finds the rows of its values, and no others")
    func rows() throws {
        let fixture = try TableFixture()
        let tokens = try (1...5).map { try fixture.add($0) }
        for count in 0...5 {
            let list = SQLList(Array(tokens.prefix(count)))
            let found: [String] = try fixture.catalog.read { session in
                try session.values(
                    "SELECT token FROM asset WHERE token IN (\(list.marks)) ORDER BY token", list.arguments)
            }
            #expect(found == tokens.prefix(count).map(\.description))
        }
    }

    @Test("may have values that are not there")
    func arguments() {
        let arguments: SQLArguments = [1, nil, "a", 1.5, true, [7] as [UInt8]]
        #expect(
            arguments.values
                == [.integer(1), .null, .text("a"), .real(1.5), .integer(1), .bytes([7])] as [SQLValue])
    }
}
