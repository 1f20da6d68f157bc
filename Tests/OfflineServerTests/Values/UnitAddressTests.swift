import AssetStore
import Testing

@testable import APIDocuments
@testable import OfflineServer

@Suite("The address of a unit")
struct UnitAddressTests {
    @Test("of an initialization section has the type of its rendition's bytes, for any name")
    func sectionType() throws {
        let token = try #require(AssetToken("01HZX3T5E8M9K2Q4R6S7V8W9XA"))
        let section = UnitAddress(token, rendition: "iframes", name: .initialization(0), suffix: "mp4")
        #expect(section.type(in: .ts) == "video/mp2t")
        #expect(section.type(in: .m4s) == "video/mp4")
    }
}
