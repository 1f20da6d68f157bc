import HTTPTypes
import Testing

@testable import Forwarding

@Suite("The object that an answer names")
struct NamedObjectTests {
    @Test("is that of its header fields", arguments: [0, 300_000, UInt64.max])
    func named(size: UInt64) {
        let object = NamedObject(key: "a/0.object", size: size)
        #expect(NamedObject(object.fields) == object)
    }

    @Test("is none without a key")
    func keyless() throws {
        var fields = NamedObject(key: "a", size: 1).fields
        fields[try name("Offline-Server-Object")] = nil
        #expect(NamedObject(fields) == nil)
    }

    @Test(
        "is none without a size that is a number of 64 bits",
        arguments: [nil, "", "-1", "1.5", "18446744073709551616"])
    func sizeless(size: String?) throws {
        var fields = NamedObject(key: "a", size: 1).fields
        fields[try name("Offline-Server-Object-Size")] = size
        #expect(NamedObject(fields) == nil)
    }

    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }
}
