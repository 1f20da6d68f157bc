import HLSPlaylist
import ModelTestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The version of a resource")
struct ValidatorTests {
    private let one = Validator(etag: "\"1\"", lastModified: "Mon", total: 5)

    @Test("is the same by its entity tag, else by its date, and never with another length")
    func sameness() {
        #expect(one.isSameVersion(as: Validator(etag: "\"1\"", lastModified: "Tue", total: 5)))
        #expect(one.isSameVersion(as: Validator(etag: "\"1\"")))
        #expect(!one.isSameVersion(as: Validator(etag: "\"2\"", lastModified: "Mon", total: 5)))
        #expect(!one.isSameVersion(as: Validator(etag: "\"1\"", total: 6)))
        #expect(Validator(total: 5).isSameVersion(as: Validator(total: 5)))
        #expect(Validator(lastModified: "Mon").isSameVersion(as: Validator(lastModified: "Mon", total: 1)))
        #expect(!Validator(lastModified: "Mon").isSameVersion(as: Validator(lastModified: "Tue")))
    }

    @Test("has a name for If-Range when its tag is strong, or when it has a date and no tag")
    func ifRange() {
        #expect(one.ifRange == "\"1\"" && Validator(lastModified: "Mon").ifRange == "Mon")
        #expect(Validator(etag: "W/\"1\"", lastModified: "Mon").ifRange == nil)
        #expect(Validator(total: 5).ifRange == nil)
        #expect(one.isNamed && Validator(lastModified: "Mon").isNamed && Validator(etag: "\"1\"").isNamed)
        #expect(!Validator(total: 5).isNamed)
    }
}

@Suite("A change of how an origin is asked")
struct AccessEditTests {
    @Test("takes the place of header fields of the same name, and an empty value takes them back")
    func headers() {
        var access = OriginAccess()
        access.headers = [["A", "1"], ["a", "2"], ["B", "3"], []]
        var edit = AccessEdit()
        #expect(edit.isEmpty)
        edit.headers = [["a", "9"], ["C", "4"], ["B", ""], ["broken"]]
        #expect(!edit.isEmpty)
        access.apply(edit)
        #expect(access.headers == [["a", "9"], ["C", "4"]])
    }

    @Test("takes the place of header fields of the same name for the same hosts")
    func hostHeaders() {
        var (access, edit) = (OriginAccess(), AccessEdit())
        access.hostHeaders = [
            HostHeader(hosts: "A.x", name: "K", value: "1"), HostHeader(hosts: "b.x", name: "K", value: "2"),
            HostHeader(hosts: "a.x", name: "L", value: "3"),
        ]
        edit.hostHeaders = [HostHeader(hosts: "a.x", name: "k", value: "9")]
        access.apply(edit)
        #expect(access.hostHeaders?.map(\.value) == ["2", "3", "9"])
        edit.hostHeaders = access.hostHeaders!.map { HostHeader(hosts: $0.hosts, name: $0.name, value: "") }
        access.apply(edit)
        #expect(access.hostHeaders == nil)
    }

    @Test("keeps the values that it does not name, and removes those that it names empty")
    func fields() {
        var (access, edit) = (OriginAccess(), AccessEdit())
        (access.cookies, access.userAgent, access.proxy) = ("c", "u", "p")
        (edit.cookies, edit.userAgent, edit.certificateAuthority) = ("", "v", "ca")
        access.apply(edit)
        #expect(access.cookies == nil && access.userAgent == "v" && access.proxy == "p")
        #expect(access.certificateAuthority == "ca")
    }
}

@Suite("A part of a stream that is missing")
struct LostStreamTests {
    @Test(
        "has a name that people know",
        arguments: [
            (
                LostStream(kind: "subtitles", language: "de", title: "Deutsch", reason: "r"),
                "subtitles de (Deutsch)"
            ),
            (LostStream(kind: "audio", language: "de", title: "de", reason: "r"), "audio de"),
            (
                LostStream(kind: "variant", resolution: "1920x1080", bandwidth: 4_999_500, reason: "r"),
                "variant 1920x1080 (5000 kbit/s)"
            ), (LostStream(kind: "variant", bandwidth: 4_999_499, reason: "r"), "variant 4999 kbit/s"),
            (LostStream(kind: "interstitial", reason: "r"), "interstitial"),
        ])
    func label(_ stream: LostStream, _ wanted: String) {
        #expect(stream.label == wanted && stream.sentence == "\(wanted): r")
    }

    @Test("is missed when it is sound or subtitles, and found when a rendition is all that it was")
    func found() {
        let lost = LostStream(
            kind: "audio", language: "de", title: "D", resolution: nil, bandwidth: 5, reason: "r")
        #expect(lost.isMissed && LostStream(kind: "subtitles", reason: "r").isMissed)
        #expect(!LostStream(kind: "variant", reason: "r").isMissed && lost.name == "audio de")
        #expect(LostStream(kind: "audio", title: "T", reason: "r").name == "audio T")
        let row = Rows.rendition { ($0.kind, $0.language, $0.title, $0.bandwidth) = (.audio, "de", "D", 5) }
        #expect(lost.isFound(in: [row]) && [lost].lacking(beside: [row]).isEmpty)
        for change in [
            { $0.kind = .subtitles }, { $0.language = "en" }, { $0.title = nil }, { $0.resolution = "1x1" },
            { $0.bandwidth = 6 },
        ] as [(inout RenditionRecord) -> Void] {
            var other = row
            change(&other)
            #expect(!lost.isFound(in: [other]) && [lost].lacking(beside: [other]) == [lost])
        }
    }

    @Test("is found as a subtitle file by its language, among the tracks that were made of files")
    func subtitleFile() {
        let lost = LostStream(kind: LostStream.subtitleFileKind, language: "de", reason: "r")
        func row(_ language: String, _ file: String?) -> RenditionRecord {
            Rows.rendition { ($0.kind, $0.language, $0.sourceFile) = (.subtitles, language, file) }
        }
        #expect(lost.isFound(in: [row("en", "a.srt"), row("de", "b.srt")]))
        #expect(!lost.isFound(in: [row("de", nil)]) && !lost.isFound(in: [row("en", "a.srt")]))
        #expect(!lost.isFound(in: [row("en", "a.srt"), row("de", nil)], hasPoster: true))
    }

    @Test("is found as a poster when the asset has a poster, which is found as nothing else")
    func poster() {
        let poster = LostStream(kind: LostStream.posterKind, reason: "r")
        #expect(!poster.isFound(in: []) && poster.isFound(in: [], hasPoster: true))
        #expect([poster].lacking(beside: []) == [poster])
        #expect([poster].lacking(beside: [], hasPoster: true).isEmpty)
        #expect(!LostStream(kind: "audio", reason: "r").isFound(in: [], hasPoster: true))
    }
}

/// Rows of renditions for tests.
enum Rows {
    static func rendition(_ change: (inout RenditionRecord) -> Void = { _ in }) -> RenditionRecord {
        var row = RenditionRecord(
            name: "v", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 40, segments: 10)
        change(&row)
        return row
    }
}

@Suite("The size of a rendition when it is complete")
struct ExpectedSizeTests {
    private func size(_ change: (inout RenditionRecord) -> Void) -> (bytes: Int64, basis: ExpectedSize.Basis)?
    {
        ExpectedSize(Rows.rendition(change)).map { ($0.bytes, $0.basis) }
    }

    @Test("is exact when all of it is stored, or when the playlist tells it")
    func exact() throws {
        let stored = try #require(
            size { ($0.storedSegments, $0.storedBytes, $0.expectedBytes) = (10, 77, 99) })
        #expect(stored == (77, .exact))
        #expect(
            try #require(size { ($0.storedSegments, $0.storedBytes, $0.expectedBytes) = (9, 77, 99) }) == (
                99, .exact
            ))
        #expect(try #require(size { $0.expectedBytes = .max }).bytes < .max)
    }

    @Test("is measured by three stored segments, or by all of fewer; fewer say as much as a claim")
    func measured() throws {
        #expect(try #require(size { ($0.storedSegments, $0.storedBytes) = (3, 30) }) == (100, .measured))
        #expect(try #require(size { ($0.storedSegments, $0.storedBytes) = (2, 30) }) == (150, .declared))
        let few = size {
            ($0.segments, $0.storedSegments, $0.storedBytes, $0.initializations) = (2, 2, 30, 1)
        }
        #expect(try #require(few) == (30, .measured))
    }

    @Test("blends the origin's sizes of some segments with the stored sizes, by the stored share")
    func blended() throws {
        #expect(try #require(size { $0.likelyBytes = 1000 }) == (1000, .measured))
        let half = size { ($0.likelyBytes, $0.storedSegments, $0.storedBytes) = (1000, 5, 1000) }
        #expect(try #require(half) == (1750, .measured))
        #expect(size { ($0.likelyBytes, $0.segments, $0.initializations) = (1000, 0, 1) } == nil)
    }

    @Test("comes from the playlist's bit rate, and is unknown without one")
    func declared() throws {
        #expect(try #require(size { $0.bandwidth = 8000 }) == (40_000, .declared))
        #expect(size { _ in } == nil)
    }

    @Test(
        "counts for room by its certainty: exact sizes fully, measured ones mostly, declared ones not at all"
    )
    func need() {
        #expect(
            ExpectedSize.knownNeed(
                Rows.rendition {
                    $0.expectedBytes = 100; $0.storedBytes = 30
                }) == 70)
        #expect(
            ExpectedSize.knownNeed(
                Rows.rendition {
                    $0.expectedBytes = 100; $0.storedBytes = 130
                }) == 0)
        #expect(ExpectedSize.knownNeed(Rows.rendition { $0.likelyBytes = 100 }) == 95)
        #expect(ExpectedSize.knownNeed(Rows.rendition { $0.likelyBytes = 100 }, share: 0.5) == 50)
        #expect(ExpectedSize.knownNeed(Rows.rendition { $0.bandwidth = 8000 }) == 0)
        #expect(ExpectedSize.knownNeed(Rows.rendition()) == 0)
    }
}

@Suite("Room that is short")
struct RoomShortageTests {
    private func shortage(
        _ needed: UInt64, quota: UInt64? = nil, stored: UInt64 = 0, taken: UInt64 = 0,
        space: (free: UInt64, total: UInt64)? = nil
    ) -> RoomShortage? {
        RoomShortage(needed: needed, .init(quota: quota, stored: stored, taken: taken, space: space))
    }

    @Test("does not exist when everything fits under the quota to the last byte, beside running downloads")
    func quota() {
        #expect(shortage(10) == nil && shortage(10, quota: 100, stored: 60, taken: 30) == nil)
        let found = shortage(11, quota: 100, stored: 60, taken: 30)
        #expect(found?.limit == .quota && found?.free == 10 && found?.size == 100 && found?.needed == 11)
        #expect(shortage(0, quota: 100, stored: 100) == nil)
        let over = shortage(0, quota: 100, stored: 101)
        #expect(over?.limit == .quota && over?.free == 0)
    }

    @Test("is that of the file system if that has less, or that of the reserve if only the reserve is free")
    func fileSystem() {
        let total: UInt64 = 1 << 40
        let cushion = StoragePolicy.cushion(of: total)
        #expect(shortage(10, space: (cushion + 10, total)) == nil)
        let reserve = shortage(11, space: (cushion + 10, total))
        #expect(reserve?.limit == .reserve && reserve?.free == 10 && reserve?.size == cushion)
        let full = shortage(11, space: (10, total))
        #expect(full?.limit == .fileSystem && full?.size == 10 && full?.free == 0)
        #expect(shortage(10, taken: cushion, space: (cushion + 10, total))?.limit == .reserve)
        #expect(shortage(11, taken: cushion, space: (cushion + 10, total))?.limit == .fileSystem)
    }

    @Test("is that of the quota, which a user can raise, where both limits leave as little")
    func equalLimits() {
        let total: UInt64 = 1 << 40
        let space = (free: StoragePolicy.cushion(of: total) + 10, total: total)
        #expect(shortage(11, quota: 10, space: space)?.limit == .quota)
        #expect(shortage(11, quota: 11, space: space)?.limit == .reserve)
    }

    @Test("names the tighter limit and the lacking bytes in a sentence")
    func sentence() throws {
        let found = try #require(shortage(2_500_000, quota: 1500, stored: 1000, space: (1 << 39, 1 << 40)))
        #expect(found.limit == .quota)
        #expect(found.sentence == "it needs 2.5 MB more, and 500 B are left of the quota of 1.5 kB")
        let silent = try #require(shortage(0, quota: 1, stored: 2))
        #expect(silent.sentence == "0 B are left of the quota of 1 B")
    }

    @Test(
        "has its bytes in powers of ten, with a tenth below a hundred",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1049, "1 kB"), (1050, "1.1 kB"), (99_900, "99.9 kB"),
            (99_960, "100 kB"), (123_456, "123 kB"), (999_499, "999 kB"), (999_500, "1 MB"),
            (12_345_678, "12.3 MB"),
            (7_000_000_000, "7 GB"), (2_500_000_000_000_000, "2500 TB"),
        ])
    func bytes(_ count: UInt64, _ text: String) {
        #expect(ByteCount.text(count) == text)
    }
}

@Suite("The reason of a state")
struct StateReasonTests {
    @Test("is read by the name that it is written with")
    func names() {
        let all: [StateReason] =
            [.slot, .link, .user, .preloaded, .evicted] + WaitReason.allCases.map { .waits($0) }
        for reason in all { #expect(StateReason(rawValue: reason.rawValue) == reason) }
        #expect(StateReason(rawValue: "later-version") == nil)
        #expect(StateReason(rawValue: ErrorClass.parse.rawValue) == .failed(.parse))
    }
}

@Suite("The activity of an asset")
struct AssetActivityTests {
    @Test("is trouble when it retries, waits or stalls, and else none")
    func trouble() {
        for doing in AssetActivity.Doing.allCases {
            let activity = AssetActivity(doing: doing, since: Timestamp(milliseconds: 0))
            #expect(activity.isTroubled == (doing == .retrying || doing == .waiting))
            let stalled = AssetActivity(
                doing: doing, since: Timestamp(milliseconds: 0), stalledSince: Timestamp(milliseconds: 1))
            #expect(stalled.isTroubled)
            #expect(activity.attempt == 1 && activity.of == 1)
        }
    }
}

@Suite("A subtitle file that is to be added")
struct SubtitleSourceTests {
    @Test("is a file or URL and a language behind the last colon")
    func argument() {
        #expect(SubtitleSource(argument: "a.vtt:de") == SubtitleSource(source: "a.vtt", language: "de"))
        #expect(SubtitleSource(argument: "http://h:1/a:en-US")?.source == "http://h:1/a")
        for text in ["a.vtt", ":de", "a.vtt:", "a.vtt:d e", ""] {
            #expect(SubtitleSource(argument: text) == nil)
        }
    }

    @Test("is remote by its scheme, and is named without its secrets")
    func remote() {
        let file = SubtitleSource(source: "/a?b", language: "de")
        #expect(!file.isRemote && file.redacted == "/a?b")
        for scheme in ["http", "https"] {
            let remote = SubtitleSource(source: "\(scheme)://u:p@h/a?b", language: "de")
            #expect(remote.isRemote && !remote.redacted.contains("b") && !remote.redacted.contains("u:p"))
        }
    }
}

@Suite("A tag of assets")
struct AssetTagTests {
    @Test("has 1 to 64 characters, no comma, no control character and no space at its ends")
    func shape() {
        for text in ["a", "two words", String(repeating: "x", count: 64), "é"] {
            #expect(AssetTag.isTag(text))
        }
        for text in ["", " a", "a ", "a,b", "a\nb", "a\u{7F}", String(repeating: "x", count: 65)] {
            #expect(!AssetTag.isTag(text))
        }
        #expect(AssetTag.unique(["b", "a", "b", "c", "a"]) == ["b", "a", "c"])
    }
}

@Suite("The first bytes of a segment")
struct MediaHeadTests {
    @Test("may hide media when they are a picture's, or unknown, or a tag before TS or MP4")
    func hiding() {
        let transport = [UInt8](repeating: 0, count: 188 * 3).enumerated().map {
            UInt8($0.offset % 188 == 0 ? 0x47 : 0)
        }
        #expect(!MediaHead.mayHideMedia(transport))
        #expect(MediaHead.mayHideMedia([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8)))
        #expect(MediaHead.mayHideMedia([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(MediaHead.mayHideMedia(Array("<html>".utf8)))
        #expect(!MediaHead.mayHideMedia(Array("WEBVTT\n".utf8)))
    }
}
