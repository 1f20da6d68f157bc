import AssetStore
import Testing

@testable import OfflineServer

@Suite("Queries")
struct QueryItemsTests {
    @Test("values are percent-decoded, and plus means a blank")
    func decoding() {
        let items = QueryItems("audio=zh%2DHant&name=a+b%26c&empty=&flag&%61=1")
        #expect(items["audio"] == "zh-Hant")
        #expect(items["name"] == "a b&c")
        #expect(items["empty"] == "")
        #expect(items["flag"] == "")
        #expect(items["a"] == "1")
        #expect(items["none"] == nil)
    }

    @Test("an encoded plus is a plus")
    func encodedPlus() {
        #expect(QueryItems("q=a%2Bb")["q"] == "a+b")
    }

    @Test("a recording begins at a date with an offset whose plus is not encoded")
    func dateWithOffset() {
        let view = QueryItems("start=2026-01-01T01:00:00+01:00").liveView
        #expect(view.start == .date(1_767_225_600, text: "2026-01-01T01:00:00+01:00"))
        #expect(view == QueryItems("start=2026-01-01T01:00:00%2B01:00").liveView)
    }

    @Test("of several with one name the first counts, and the value begins behind the first =")
    func first() {
        #expect(QueryItems("a=1&a=2")["a"] == "1")
        #expect(QueryItems("a=b=c")["a"] == "b=c")
    }

    @Test("invalid encodings stay unchanged", arguments: ["%", "%zz", "%ff"])
    func undecodable(_ value: String) {
        #expect(QueryItems("a=\(value)")["a"] == value)
    }

    @Test("no query has no items")
    func nothing() {
        #expect(QueryItems(nil)["a"] == nil)
        #expect(QueryItems("")[""] == nil)
        #expect(QueryItems("&&")["a"] == nil)
    }

    @Test("an entity tag identifies bytes")
    func tags() {
        #expect(ContentTag.of([]) != ContentTag.of([0]))
        #expect(ContentTag.of([1, 2]) != ContentTag.of([2, 1]))
        #expect(ContentTag.of([1, 2]) == ContentTag.of([1, 2]))
    }
}
