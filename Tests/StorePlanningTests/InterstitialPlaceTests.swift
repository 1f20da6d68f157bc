import HLSPlaylist
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("Interstitials as players get them")
struct LocalInterstitialTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 0))

    private var local: LocalInterstitials {
        LocalInterstitials(
            [
                InterstitialRecord(number: 1, address: "https://h/v/ad.m3u8", asset: token),
                InterstitialRecord(number: 2, address: "https://h/list.json"),
            ], base: "https://h/v/p.m3u8", query: "?start=live")
    }

    @Test("name stored assets by local addresses, and are left out without stored assets")
    func places() {
        let asset = local.local("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"ad.m3u8\"")
        #expect(
            asset
                == "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"../../\(token)/\(ServedMultivariantPlaylist.fileName)?start=live\""
        )
        let list = local.local("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"/list.json\"")
        #expect(list == "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"../interstitials/2.json\"")
        #expect(local.local("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"other.m3u8\"") == nil)
        #expect(LocalInterstitials.none.local("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"ad.m3u8\"") == nil)
    }

    @Test("keep other tags, except those with network addresses")
    func tags() {
        let plain = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\""
        #expect(local.local(plain) == plain && local.local("#EXT-X-NEW:1") == "#EXT-X-NEW:1")
        #expect(local.local("#EXT-X-NEW:https://h/") == nil)
        let beacon = "#EXT-X-DATERANGE:ID=\"a\",X-BEACON=\"https://h/b\",X-B=\"1\""
        #expect(local.local(beacon) == "#EXT-X-DATERANGE:ID=\"a\",X-B=\"1\"")
        #expect(local.local("#EXT-X-DATERANGE:ID=\"https://h/\",X-B=\"1\"") == nil)
        #expect(local.local("#EXT-X-DATERANGE:CLASS=\"a://b\",ID=\"1\"") == nil)
    }

    @Test("are found in date ranges, each place once")
    func found() throws {
        let ranges = try [
            "X-ASSET-URI=\"a\"", "X-ASSET-LIST=\"a\"", "X-ASSET-URI=\"https://h/v/a\"", "ID=\"x\"",
        ].map {
            try AttributeList(parsing: $0)
        }
        let places = InterstitialPlace.all(in: ranges, base: URIReference("https://h/v/p.m3u8"))
        #expect(
            places == [
                InterstitialPlace(address: "https://h/v/a", isList: false),
                InterstitialPlace(address: "https://h/v/a", isList: true),
            ])
        #expect(InterstitialPlace.isName("X-ASSET-URI") && !InterstitialPlace.isName("URI"))
    }
}

@Suite("A text with names in braces")
struct TextTemplateTests {
    @Test("has values put in for the names that it knows, and other braces as they are")
    func filled() {
        let values = ["a": "x/\"y", "b": ""]
        #expect(TextTemplate("{a}-{b}-{c}{a").filled(values, .none) == "x/\"y--{c}{a")
        #expect(TextTemplate("{{a}}").filled(values, .url) == "{x%2F%22y}")
        #expect(TextTemplate("[\"{a}\"]").filled(values, .json) == "[\"x/\\\"y\"]")
        #expect(TextTemplate("").filled(values, .none) == "")
    }

    @Test("is an address that no value can lead elsewhere when its host has no braces")
    func host() {
        for text in ["https://h/{a}", "HTTP://h?{a}", "http://h#{a}", "https://h"] {
            #expect(TextTemplate.hasFixedHost(text))
        }
        for text in ["https://{a}/", "https://h{a}/x", "ftp://h/", "h/{a}", "https:///x", "https:h", ""] {
            #expect(!TextTemplate.hasFixedHost(text))
        }
    }
}
