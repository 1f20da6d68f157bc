import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The key of an object in a bucket")
struct ObjectNameTests {
    private static let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"

    @Test(
        "names the asset, the rendition, the unit and the writer",
        arguments: [
            ("video/12.ts.3k9-7", "video", UnitKind.segment, 12, "3k9-7"),
            ("video/0.ts.0-0", "video", .segment, 0, "0-0"),
            ("audio-de/init-0.mp4.zz-10", "audio-de", .initialization, 0, "zz-10"),
            ("audio-de/init-2.mp4.a-1", "audio-de", .initialization, 2, "a-1"),
        ])
    func parts(_ rest: String, _ rendition: String, _ kind: UnitKind, _ number: Int, _ object: String) throws
    {
        let name = try #require(ObjectName("\(Self.token)/\(rest)"))
        #expect(name.token == AssetToken(Self.token) && name.rendition == rendition)
        #expect(name.kind == kind && name.number == number && name.object == object)
    }

    @Test(
        "that has another form is of another program",
        arguments: [
            "", "video", "video/x/1.ts.a-1", "/1.ts.a-1", "video/1.ts", "video/1.ts.a-1.b", "video/1..a-1",
            "video/1.ts.a", "video/1.ts.a-1-2", "video/1.ts.-1", "video/1.ts.a-", "video/1.ts.a_b-1",
            "video/1.ts.a-x", "video/x.ts.a-1", "video/.ts.a-1", "video/-1.ts.a-1", "video/init-.mp4.a-1",
            "video/init--1.mp4.a-1", "video/init-x.mp4.a-1",
        ])
    func foreign(_ rest: String) {
        #expect(ObjectName("\(Self.token)/\(rest)") == nil)
    }

    @Test("that begins with no token is of another program", arguments: ["", "/", "video", "01HZX3T5E8"])
    func noToken(_ token: String) {
        #expect(ObjectName("\(token)/video/1.ts.a-1") == nil)
    }
}
