import AssetStore
import Testing

@testable import Downloads
@testable import OfflineServerCommands

@Suite("The selected renditions in a line")
struct RenditionWordTests {
    @Test("are variants by picture and rate, then each kind with its tracks, each label once")
    func summary() {
        let variant = AssetRendition.made("video-720p", kind: .variant) {
            ($0.resolution, $0.bandwidth) = ("1280x720", 4_900_000)
        }
        let renditions: [AssetRendition] = [
            variant, .made("audio-en", kind: .audio) { $0.language = "en" },
            .made("audio-en-2", kind: .audio) { $0.language = "en" },
            .made("audio-de", kind: .audio) { $0.language = "de" },
            .made("subtitles-en", kind: .subtitles) { ($0.language, $0.isForced) = ("en", true) },
            .made("subtitles-x", kind: .subtitles) { $0.title = "Signs" },
            .made("iframe-720p", kind: .iframe) { $0.resolution = "1280x720" },
        ]
        #expect(
            RenditionSummary.text(renditions)
                == "1280x720 4.9 Mbit/s; audio en, de; subtitles en (forced), Signs; trick play 1280x720")
    }

    @Test("are one media playlist if the variant has neither a picture nor a rate")
    func single() {
        #expect(RenditionSummary.text([.made("video", kind: .variant)]) == "one media playlist")
        #expect(RenditionSummary.text([]).isEmpty)
    }
}

@Suite("The codecs of audio in words")
struct SoundCodecTests {
    private let audio = AssetRendition.made("audio-en", kind: .audio) { $0.group = "a" }

    private func variant(_ codecs: String?, group: String) -> AssetRendition {
        .made("video", kind: .variant) { ($0.codecs, $0.group) = (codecs, group) }
    }

    @Test("are those for sound of a variant that plays with its group")
    func group() {
        let all = [variant("avc1.4d401e,ac-3", group: "b"), variant("avc1.4d401e, mp4a.40.2", group: "a")]
        #expect(SoundCodecs.text(audio, among: all) == "mp4a.40.2")
        #expect(SoundCodecs.text(audio, among: [variant("ec-3,mp4a.40.5", group: "a")]) == "ec-3,mp4a.40.5")
    }

    @Test("are those of the next variant if the first one lists none for sound")
    func next() {
        let all = [variant(nil, group: "a"), variant("hvc1.2", group: "a"), variant("Opus", group: "a")]
        #expect(SoundCodecs.text(audio, among: all) == "Opus")
        #expect(SoundCodecs.text(audio, among: Array(all.prefix(2))) == nil)
    }

    @Test("are unknown for other kinds, without a group, and where only audio has the group")
    func unknown() {
        var (subtitles, alone) = (audio, audio)
        (subtitles.kind, alone.group) = (.subtitles, nil)
        let all = [variant("mp4a.40.2", group: "a")]
        #expect(SoundCodecs.text(subtitles, among: all) == nil)
        #expect(SoundCodecs.text(alone, among: all) == nil)
        var other = audio
        other.codecs = "mp4a.40.2"
        #expect(SoundCodecs.text(audio, among: [other]) == nil)
    }

    @Test("have a list without blanks, and a first part in small letters")
    func names() {
        #expect(SoundCodecs.list("avc1.4d401e, mp4a.40.2,  ec-3") == ["avc1.4d401e", "mp4a.40.2", "ec-3"])
        #expect(SoundCodecs.list(nil).isEmpty)
        #expect(SoundCodecs.name("MP4A.40.2") == "mp4a" && SoundCodecs.name("opus") == "opus")
    }
}

@Suite("An estimated size in words")
struct SizeWordTests {
    @Test("has a range only if its borders look different, and names its source")
    func size() {
        let range = SizeEstimate(low: 10_000_000, likely: 12_000_000, high: 14_000_000, method: .sampled)
        #expect(SizeSummary.text(range) == "12 MB, between 10 MB and 14 MB (by sizes of some segments)")
        let known = SizeEstimate(
            low: 12_000_000, likely: 12_000_000, high: 12_000_001, method: .byteRanges)
        #expect(SizeSummary.text(known) == "12 MB (by byte ranges)")
    }
}
