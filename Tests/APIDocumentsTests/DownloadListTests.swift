import AssetStore
import Testing

@testable import APIDocuments

@Suite("Several downloads in one body")
struct DownloadListTests {
    private func read(_ text: String) -> DownloadList? { DownloadList(Array(text.utf8)) }

    @Test("are an array of addresses and downloads, or have such an array as a member")
    func forms() throws {
        let array = try #require(read(#"["http://a.test/b", {"url": "http://a.test/c", "priority": 2}]"#))
        #expect(array.assets.map(\.request.url) == ["http://a.test/b", "http://a.test/c"])
        #expect(array.assets.map(\.request.priority) == [0, 2])
        #expect(array.hold == nil && array.next == nil)
        let object = try #require(read(#"{"assets": ["http://a.test/b"], "hold": true, "next": 1}"#))
        #expect(object.assets.map(\.request.url) == ["http://a.test/b"])
        #expect(object.hold == true && object.next == 1)
    }

    @Test(
        "are none without a download, with an impossible one, or with a number that none can reach",
        arguments: [
            "[]", #"{"assets": []}"#, #"{"assets": ["http://a.test/b"], "next": 0}"#,
            #"{"assets": ["http://a.test/b"], "next": -1}"#, #"{"url": "http://a.test/b"}"#, "[5]", "{}",
            #"["http://a.test/b", {"url": "http://a.test/c", "max_height": 0}]"#, "",
        ])
    func none(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test("have the contradiction of the first download with one, at its place in the body")
    func conflicts() {
        func conflict(_ text: String) -> String? { DownloadList.conflict(in: Array(text.utf8))?.pointer }
        let sound = #"{"url": "http://a.test/b", "rental": 5}"#
        let wrong = #"{"url": "http://a.test/b", "rental": 5, "purchase": true}"#
        #expect(conflict("[\(sound), \(wrong)]") == "/1/rental")
        #expect(conflict(#"["http://a.test/b", \#(sound), \#(wrong)]"#) == "/2/rental")
        #expect(conflict(#"{"assets": [\#(wrong)]}"#) == "/assets/0/rental")
        #expect(conflict("[\(sound)]") == nil)
        #expect(conflict(#"{"assets": ["http://a.test/b", \#(sound)]}"#) == nil)
        #expect(conflict(wrong) == nil)
        let fault = DownloadBody.fault(in: Array("[\(wrong)]".utf8))
        #expect(fault.pointer == "/0/rental")
    }

    @Test("say the same when they are written and read again")
    func inverse() throws {
        var second = AssetRequest(url: "http://a.test/c")
        second.priority = 2
        let requests = [AssetRequest(url: "http://a.test/b"), second]
        let body = try DownloadList.json(requests, isHeld: true, next: 2)
        let list = try #require(DownloadList(body))
        #expect(list.assets.map(\.request) == requests)
        #expect(list.hold == true && list.next == 2)
    }
}
