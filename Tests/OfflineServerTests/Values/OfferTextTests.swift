import AssetStore
import Testing

@testable import APIDocuments
@testable import OfflineServerCommands

@Suite("The offer of a stream as text")
struct OfferTextTests {
    private typealias Listing = StreamOffer.Listing

    private func variant(_ attributes: [(name: String, value: String)], uri: String? = nil) -> Listing {
        Listing(tag: "EXT-X-STREAM-INF", attributes: attributes, uri: uri)
    }

    private func media(_ attributes: [(name: String, value: String)]) -> Listing {
        Listing(tag: "EXT-X-MEDIA", attributes: attributes, uri: nil)
    }

    /// The cells of the first row below the header of a stream's only table.
    private func row(_ offer: StreamOffer) -> [String] {
        guard let line = OfferReport(offer).text(isVerbose: false).last else { return [] }
        let cells = line.split(separator: "  ").map { $0.drop { $0 == " " } }
        return cells.filter { !$0.isEmpty }.map(String.init)
    }

    @Test("of one media playlist says so, unless the stream can't be downloaded")
    func single() {
        var offer = StreamOffer(url: "http://h/a.m3u8")
        #expect(
            OfferReport(offer).text(isVerbose: false) == [
                "http://h/a.m3u8", "can be downloaded", "one media playlist, without variants",
            ])
        offer.reasons = [(name: "empty", sentence: "it has no segments")]
        #expect(
            OfferReport(offer).text(isVerbose: false) == [
                "http://h/a.m3u8", "can't be downloaded: it has no segments",
            ])
        offer = StreamOffer(url: "http://h/a.m3u8", variants: [variant([("BANDWIDTH", "800000")])])
        let lines = OfferReport(offer).text(isVerbose: false)
        #expect(!lines.contains("one media playlist, without variants"))
        #expect(lines == ["http://h/a.m3u8", "can be downloaded", "", "PEAK", "800 kbit/s"])
    }

    @Test("has a size only if the stream is not live, and its size is one that a disk could have")
    func size() {
        let variants = [variant([("BANDWIDTH", "1000000")])]
        let ended = StreamOffer(url: "u", isLive: false, duration: 80, variants: variants)
        #expect(row(ended) == ["1 Mbit/s", "~8 MB"])
        let live = StreamOffer(url: "u", isLive: true, duration: 80, variants: variants)
        #expect(row(live) == ["1 Mbit/s"])
        let unknown = StreamOffer(url: "u", duration: 80, variants: variants)
        #expect(row(unknown) == ["1 Mbit/s"])
        let average = [variant([("BANDWIDTH", "1000000"), ("AVERAGE-BANDWIDTH", "500000")])]
        let exact = StreamOffer(url: "u", isLive: false, duration: 80, variants: average)
        #expect(row(exact) == ["1 Mbit/s", "500 kbit/s", "~5 MB"])
        let endless = StreamOffer(url: "u", isLive: false, duration: 1e16, variants: variants)
        #expect(row(endless) == ["1 Mbit/s"])
        let largest = StreamOffer(url: "u", isLive: false, duration: 1e10, variants: variants)
        #expect(row(largest) == ["1 Mbit/s"], "it is 10¹⁵ bytes")
    }

    @Test(
        "has frame rates without needless zeros, and leaves out impossible ones",
        arguments: [
            ("25.000", "25"), ("29.97", "29.97"), ("999999", "999999"), ("1000000", nil), ("inf", nil),
            ("x", nil),
        ] as [(String, String?)])
    func frames(_ rate: String, _ shown: String?) {
        let offer = StreamOffer(
            url: "u", variants: [variant([("FRAME-RATE", rate), ("BANDWIDTH", "800000")])])
        #expect(row(offer) == [shown, "800 kbit/s"].compactMap(\.self))
    }

    @Test("has the variants by falling peak rate, those without one last")
    func order() {
        let variants = ["1", "3", "2"].map { variant([("BANDWIDTH", "\($0)000000"), ("CODECS", $0)]) }
        let nameless = variant([("CODECS", "none")])
        let offer = StreamOffer(url: "u", variants: [nameless] + variants)
        let lines = OfferReport(offer).text(isVerbose: false).suffix(4)
        #expect(lines.map { $0.split(separator: " ").last ?? "" } == ["3", "2", "1", "none"])
    }

    @Test("has notes on renditions: what they are for, and that they are part of a variant")
    func notes() {
        let inside = media([("TYPE", "AUDIO"), ("CHANNELS", "1"), ("DEFAULT", "YES"), ("FORCED", "NO")])
        let offer = StreamOffer(url: "u", renditions: [inside])
        #expect(row(offer) == ["audio", "default, 1 channel, in the variant"])
        let outside = media([
            ("TYPE", "SUBTITLES"), ("URI", "a.m3u8"), ("DEFAULT", "NO"), ("FORCED", "YES"),
            ("CHARACTERISTICS", "public.easy-to-read,public.unknown"),
        ])
        #expect(
            row(StreamOffer(url: "u", renditions: [outside])) == ["subtitles", "forced, easy to read"])
        let pictures = Listing(
            tag: "EXT-X-I-FRAME-STREAM-INF", attributes: [("BANDWIDTH", "80000")], uri: nil)
        #expect(row(StreamOffer(url: "u", renditions: [pictures])) == ["trick play", "80 kbit/s"])
    }

    @Test("has the tags as they are below the tables, if they are wanted and there are any")
    func tags() {
        let report = OfferReport(
            StreamOffer(
                url: "u", variants: [variant([("BANDWIDTH", "800000")], uri: "a.m3u8")],
                renditions: [media([("TYPE", "AUDIO"), ("NAME", "x")])]))
        let tags = ["  STREAM-INF: BANDWIDTH=800000 a.m3u8", "  MEDIA: TYPE=AUDIO NAME=x"]
        #expect(report.text(isVerbose: true) == report.text(isVerbose: false) + [""] + tags)
        #expect(report.renditions(isVerbose: true) == [tags[1]])
        #expect(report.renditions(isVerbose: false) == ["TYPE   NAME  NOTES", "audio  x     in the variant"])
        let bare = OfferReport(StreamOffer(url: "u"))
        #expect(bare.text(isVerbose: true) == bare.text(isVerbose: false))
    }
}
