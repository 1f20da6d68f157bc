import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreModel

@Suite("The version of a shared store's database")
struct DatabaseVersionTests {
    private let address = PostgresAddress("postgresql://films@db.example/films")

    private func finding(_ version: Int, isReadOnly: Bool = false) -> StoreCheckup.Finding {
        var facts = DatabaseFacts()
        (facts.version, facts.isReadOnly) = (version, isReadOnly)
        return StoreCheckup.server(facts, address)
    }

    @Test(
        "is enough from PostgreSQL 14 on",
        arguments: [(139_999, false), (130_014, false), (140_000, true), (150_018, true)])
    func border(version: Int, isFine: Bool) {
        let finding = finding(version)
        #expect(finding.isFine == isFine && finding.check == "database")
        #expect(finding.detail.hasPrefix("PostgreSQL \(version / 10_000).\(version % 10_000) at "))
        #expect(finding.detail.contains("is too old; update it to 14 or newer") == !isFine)
    }

    @Test("is not looked at further for a copy that takes no changes")
    func copy() {
        let finding = finding(150_018, isReadOnly: true)
        #expect(!finding.isFine && finding.detail.contains("is a copy that takes no changes"))
    }
}
