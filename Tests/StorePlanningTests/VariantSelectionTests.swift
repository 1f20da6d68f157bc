import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Which variants of a stream are taken.
struct VariantSelectionTests {
    private static let ladder = Playlists.master(
        Playlists.variant("720", 3_000_000, "RESOLUTION=1280x720"),
        Playlists.variant("360", 800_000, "RESOLUTION=640x360"),
        Playlists.variant("2160", 16_000_000, "RESOLUTION=3840x2160"),
        Playlists.variant("1080", 6_000_000, "RESOLUTION=1920x1080"),
        Playlists.variant("sound", 64_000, "CODECS=\"mp4a.40.2\""))

    private func chosen(_ change: (inout Selection) -> Void = { _ in }) throws -> [String?] {
        try Playlists.chosen(Self.ladder, change).map(\.uri)
    }

    @Test("the default is the highest variant up to 1080p")
    func byDefault() throws {
        #expect(try chosen() == ["1080"])
    }

    @Test(
        "--max-bitrate takes the largest that is not above it",
        arguments: [
            (6_000_000, "1080"), (5_999_999, "720"), (20_000_000, "2160"), (800_000, "360"),
        ])
    func maximumBitrate(_ limit: Int, _ expected: String) throws {
        #expect(try chosen { $0.maximumBitrate = limit } == [expected])
    }

    @Test("--max-bitrate below everything takes the lowest variant with a picture")
    func maximumBitrateTooLow() throws {
        #expect(try chosen { $0.maximumBitrate = 1 } == ["360"])
    }

    @Test(
        "--min-bitrate takes the smallest that is not below it",
        arguments: [
            (800_000, "360"), (800_001, "720"), (6_000_001, "2160"),
        ])
    func minimumBitrate(_ limit: Int, _ expected: String) throws {
        #expect(try chosen { $0.minimumBitrate = limit } == [expected])
    }

    @Test("--min-bitrate above everything takes the highest")
    func minimumBitrateTooHigh() throws {
        #expect(try chosen { $0.minimumBitrate = 1 << 40 } == ["2160"])
    }

    @Test(
        "--max-height takes the highest that is not taller",
        arguments: [
            (2160, "2160"), (1080, "1080"), (1079, "720"), (360, "360"),
        ])
    func maximumHeight(_ height: Int, _ expected: String) throws {
        #expect(try chosen { $0.maximumHeight = height } == [expected])
    }

    @Test("--max-height below everything takes the lowest")
    func maximumHeightTooLow() throws {
        #expect(try chosen { $0.maximumHeight = 100 } == ["360"])
    }

    @Test("--max-height and --max-bitrate hold together")
    func heightAndBitrate() throws {
        let both = try chosen {
            $0.maximumHeight = 720
            $0.maximumBitrate = 7_000_000
        }
        #expect(both == ["720"])
    }

    @Test("--all-variants takes them all, also those without a picture, in the order of the playlist")
    func allVariants() throws {
        #expect(try chosen { $0.allVariants = true } == ["720", "360", "2160", "1080", "sound"])
    }

    @Test("when every variant is taller than 1080p, the lowest is taken by default")
    func onlyTall() throws {
        let text = Playlists.master(
            Playlists.variant("8k", 40_000_000, "RESOLUTION=7680x4320"),
            Playlists.variant("4k", 16_000_000, "RESOLUTION=3840x2160"))
        #expect(try Playlists.chosen(text).map(\.uri) == ["4k"])
    }

    @Test(
        "a variant that does not tell its height counts for a bit rate, and for a height only if no other does",
        arguments: ["CODECS=\"avc1.4d401f,mp4a.40.2\"", ""])
    func unknownHeight(_ attributes: String) throws {
        let text = Playlists.master(
            Playlists.variant("720", 3_000_000, "RESOLUTION=1280x720"),
            Playlists.variant("unknown", 5_000_000, attributes),
            Playlists.variant("sound", 64_000, "CODECS=\"mp4a.40.2\""))
        #expect(try Playlists.chosen(text) { $0.maximumBitrate = 5_000_000 }.map(\.uri) == ["unknown"])
        #expect(try Playlists.chosen(text) { $0.minimumBitrate = 4_000_000 }.map(\.uri) == ["unknown"])
        #expect(try Playlists.chosen(text) { $0.maximumBitrate = 1 }.map(\.uri) == ["720"])
        #expect(try Playlists.chosen(text).map(\.uri) == ["720"])
        let others = text.replacing("RESOLUTION=1280x720", with: "FRAME-RATE=25")
        #expect(try Playlists.chosen(others).map(\.uri) == ["unknown"])
        #expect(try Playlists.chosen(others) { $0.maximumBitrate = 1 }.map(\.uri) == ["720"])
    }

    @Test("a stream of sound alone gives its best variant")
    func soundOnly() throws {
        let text = Playlists.master(
            Playlists.variant("low", 64_000, "CODECS=\"mp4a.40.5\""),
            Playlists.variant("high", 192_000, "CODECS=\"mp4a.40.2\""))
        #expect(try Playlists.chosen(text).map(\.uri) == ["high"])
    }

    @Test("of redundant variants, which differ in nothing but the URI, the first is taken")
    func redundant() throws {
        let text = Playlists.master(
            Playlists.variant("http://a/v", 1_000_000, "RESOLUTION=640x360"),
            Playlists.variant("http://b/v", 1_000_000, "RESOLUTION=640x360"))
        #expect(try Playlists.chosen(text).map(\.uri) == ["http://a/v"])
        #expect(try Playlists.chosen(text) { $0.allVariants = true }.map(\.uri) == ["http://a/v"])
    }

    @Test("a playlist that is listed with several audio groups is one stream with all its listings")
    func sameURI() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "aac", "en", "aac", "DEFAULT=YES"),
            Playlists.rendition("AUDIO", "ac3", "en", "ac3", "DEFAULT=YES"),
            Playlists.variant("v", 1_000_000, "RESOLUTION=640x360,AUDIO=\"aac\""),
            Playlists.variant("v", 1_400_000, "RESOLUTION=640x360,AUDIO=\"ac3\""))
        let all = try Playlists.chosen(text) { $0.allVariants = true }
        #expect(all.map(\.uri) == ["v", "aac", "ac3"])
        #expect(all.first?.listings.map { $0["AUDIO"] } == ["aac", "ac3"])
        #expect(all.map(\.required) == [true, true, true])
    }

    @Test(
        "of a playlist listed with two audio groups, a bit rate rule takes the listing that it fits, with its group"
    )
    func listingsByBitrate() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "aac", "en", "aac", "DEFAULT=YES"),
            Playlists.rendition("AUDIO", "ac3", "en", "ac3", "DEFAULT=YES"),
            Playlists.variant("v", 1_000_000, "RESOLUTION=640x360,AUDIO=\"aac\""),
            Playlists.variant("w", 3_000_000, "RESOLUTION=1280x720,AUDIO=\"aac\""),
            Playlists.variant("v", 1_400_000, "RESOLUTION=640x360,AUDIO=\"ac3\""))
        for change in [{ $0.minimumBitrate = 1_200_000 }, { $0.maximumBitrate = 1_500_000 }]
            as [(inout Selection) -> Void]
        {
            let chosen = try Playlists.chosen(text, change)
            #expect(chosen.map(\.uri) == ["v", "ac3"])
            #expect(chosen.first?.listings.map { $0["BANDWIDTH"] } == ["1400000"])
        }
        #expect(try Playlists.chosen(text) { $0.maximumBitrate = 1_100_000 }.map(\.uri) == ["v", "aac"])
        #expect(try Playlists.chosen(text) { $0.maximumHeight = 360 }.map(\.uri) == ["v", "aac"])
        let alike = text.replacing("1400000", with: "1000000")
        #expect(try Playlists.chosen(alike) { $0.maximumBitrate = 1_500_000 }.map(\.uri) == ["v", "aac"])
    }

    @Test("for an asset the variants that were chosen before are kept if the stream still has them")
    func chosenOnce() throws {
        let low = Playlists.variant("low", 300_000, "RESOLUTION=320x180")
        let high = Playlists.variant("high", 900_000, "RESOLUTION=640x360")
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true,
            listings: ["BANDWIDTH=300000,RESOLUTION=320x180"], hasPlaylist: true, container: .ts,
            duration: 8, segments: 2)
        let master = try Playlists.parsedMaster(Playlists.master(low, high))
        #expect(try StreamSelector.select(from: master, Selection(), for: [row]).map(\.uri) == ["low"])
        var later = row
        later.required = false
        var selection = Selection()
        var addition = Selection()
        addition.maximumHeight = 360
        selection.additions = [addition]
        let both = try StreamSelector.select(from: master, selection, for: [later])
        #expect(both.map(\.uri) == ["high", "low"] && both.map(\.required) == [true, false])
        addition.allVariants = true
        selection.additions = [addition]
        let all = try StreamSelector.select(from: master, selection, for: [row])
        #expect(all.map(\.uri) == ["low", "high"] && all.map(\.required) == [true, false])
        let other = try Playlists.parsedMaster(Playlists.master(high))
        #expect(try StreamSelector.select(from: other, Selection(), for: [row]).map(\.uri) == ["high"])
    }

    @Test("variants of other pathways are left out")
    func pathways() throws {
        let text = Playlists.master(
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"B\"",
            Playlists.variant("a", 1_000_000, "PATHWAY-ID=\"A\""),
            Playlists.variant("b", 900_000, "PATHWAY-ID=\"B\""))
        #expect(try Playlists.chosen(text) { $0.allVariants = true }.map(\.uri) == ["b"])
    }

    @Test("without content steering the pathway of the first variant is taken")
    func firstPathway() throws {
        let text = Playlists.master(
            Playlists.variant("a", 900_000, "PATHWAY-ID=\"A\""),
            Playlists.variant("b", 1_000_000, "PATHWAY-ID=\"B\""))
        #expect(try Playlists.chosen(text) { $0.allVariants = true }.map(\.uri) == ["a"])
    }

    @Test("a multivariant playlist with renditions but no variant is refused as empty")
    func empty() async throws {
        let text = Playlists.master(Playlists.rendition("AUDIO", "a", "en", "a"))
        #expect(await failure { _ = try Playlists.chosen(text) }?.text == "ineligible(.empty)")
    }
}
