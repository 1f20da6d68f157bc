import Testing

@testable import StoreModel

@Suite("The figures of an asset's renditions")
struct AssetFigureTests {
    private func expected(_ rows: [(inout RenditionRecord) -> Void]) -> Int64? {
        rows.map { AssetRendition(Rows.rendition($0)) }.expectedBytes
    }

    @Test("is their size together, unless that of the media is not known")
    func sizes() {
        #expect(expected([]) == nil)
        #expect(expected([{ $0.expectedBytes = 100 }, { $0.kind = .subtitles }]) == 100)
        #expect(
            expected([
                { $0.expectedBytes = 100 },
                {
                    $0.kind = .audio; $0.expectedBytes = 20
                },
            ]) == 120)
        #expect(expected([{ $0.expectedBytes = 100 }, { _ in }]) == nil)
        #expect(expected([{ $0.expectedBytes = 100 }, { $0.kind = .video }]) == nil)
        #expect(expected([{ $0.expectedBytes = 100 }, { $0.failure = "x" }]) == 100)
        #expect(
            expected([
                { $0.expectedBytes = 100 },
                {
                    $0.hasPlaylist = false; $0.expectedBytes = 5
                },
            ]) == 100)
    }

    @Test("is the share that is stored by time and bit rate, and no more than all")
    func progress() {
        let half = AssetRendition(
            Rows.rendition {
                $0.storedSegments = 5; $0.bandwidth = 1000
            })
        let none = AssetRendition(Rows.rendition { $0.bandwidth = 3000 })
        #expect([half].progress == 0.5 && [half, none].progress == 0.125)
        #expect([AssetRendition]().progress == 0)
        let failed = AssetRendition(Rows.rendition { $0.failure = "x" })
        let unlisted = AssetRendition(Rows.rendition { $0.hasPlaylist = false })
        let empty = AssetRendition(Rows.rendition { $0.segments = 0 })
        #expect([half, failed, unlisted, empty].progress == 0.5)
        let lacking = AssetRendition(
            Rows.rendition {
                $0.storedSegments = 10; $0.initializations = 10
            })
        #expect(lacking.isComplete == false && [lacking].progress == 0.5)
    }
}

@Suite("A rendition's tags")
struct RenditionListingTests {
    @Test("say whether subtitles are for everybody, and whether players get them made")
    func subtitles() {
        let forced = Rows.rendition {
            $0.kind = .subtitles; $0.listings = ["FORCED=YES"]; $0.container = .vtt
        }
        #expect(forced.isForced && !forced.isGenerated(isEncrypted: false))
        #expect(!Rows.rendition { $0.listings = ["FORCED=YES"] }.isForced)
        #expect(
            !Rows.rendition {
                $0.kind = .subtitles; $0.listings = []
            }.isForced)
        #expect(forced.isGenerated(isEncrypted: true))
        var other = forced
        other.container = .m4s
        #expect(other.isGenerated(isEncrypted: false))
        other.hasPlaylist = false
        #expect(!other.isGenerated(isEncrypted: true))
        var added = forced
        added.sourceFile = "source.srt"
        #expect(added.isGenerated(isEncrypted: false))
        added.kind = .audio
        #expect(!added.isGenerated(isEncrypted: true))
    }
}

@Suite("A content key's row")
struct KeyRecordTests {
    @Test("tells who has given the key: the origin, a provider, or the user by name or identifier")
    func sources() {
        let fetched = KeyRecord(id: "k1", url: "u")
        #expect(fetched.isFetched && !fetched.isGivenByName && !fetched.isOfIdentifier)
        let named = KeyRecord(id: "k1", url: "u", identifier: Array("k1".utf8))
        #expect(!named.isFetched && named.isGivenByName && !named.isOfIdentifier)
        let identified = KeyRecord(id: "k1", url: "u", identifier: [1])
        #expect(!identified.isFetched && !identified.isGivenByName && identified.isOfIdentifier)
        #expect(KeyRecord(id: "k", url: "u", format: KeyRecord.identity).isFetched)
        #expect(!KeyRecord(id: "k", url: "u", format: "com.x").isFetched)
        #expect(KeyRecord(id: "k", url: "u", format: "com.x", system: "com.x").isFetched)
    }
}

@Suite("The license that users see")
struct LicenseStatusTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func status(_ terms: LicenseTerms, isKeyMissing: Bool = false, trusted: Int64, wall: Int64? = nil)
        -> LicenseStatus
    {
        LicenseStatus(
            License(terms, at: start), keysMissing: isKeyMissing,
            at: Moment(wall: start.adding(seconds: wall ?? trusted), trusted: start.adding(seconds: trusted)))
    }

    @Test("is valid until its end, and missing without a key")
    func states() {
        let rental = LicenseTerms(rental: 60)
        #expect(status(rental, trusted: 59).state == .valid && status(rental, trusted: 60).state == .expired)
        #expect(status(rental, trusted: 0).expiry == .at(start.adding(seconds: 60)))
        #expect(status(rental, isKeyMissing: true, trusted: 0).state == .missing)
        #expect(status(rental, isKeyMissing: true, trusted: 100).expiry == .unknown)
        #expect(status(LicenseTerms(), trusted: 100).expiry == .never)
        #expect(LicenseStatus.none.state == .none && LicenseStatus.none.expiry == .never)
    }

    @Test("has a clock that is behind when it has expired and would hold by that clock")
    func clock() {
        let rental = LicenseTerms(rental: 60)
        #expect(status(rental, trusted: 60, wall: 59).isClockBehind)
        #expect(!status(rental, trusted: 60, wall: 60).isClockBehind)
        #expect(!status(rental, trusted: 10, wall: 9).isClockBehind)
    }
}

@Suite("The shape of config.json")
struct SettingsShapeTests {
    private func isRight(_ text: String) -> Bool { SettingsShape.fault(in: Array(text.utf8)) == nil }

    @Test("takes sizes, classes and numbers within their limits, and null for no value")
    func values() {
        for text in [
            "{}", #"{"storage": {"quota": 0, "evict": "all"}}"#,
            #"{"storage": {"evict": "expired,watched"}}"#,
            #"{"storage": null, "hooks": null, "schedule": null, "limit_rate": 0}"#,
            #"{"max_downloads": 1, "transfers": 64}"#,
            #"{"link_resolver": null}"#,
        ] { #expect(isRight(text), "\(text)") }
        for text in [
            #"{"storage": {"evict": "some"}}"#, #"{"storage": {"quota": -1}}"#, #"{"max_downloads": 0}"#,
            #"{"transfers": 65}"#, #"{"limit_rate": -1}"#, #"{"hooks": [{"command": []}]}"#,
            #"{"schedule": 5}"#,
            #"{"hooks": {}}"#, #"{"metered_ok": 1}"#, #"{"link_resolver": {}}"#, "[]", "",
        ] { #expect(!isRight(text), "\(text)") }
    }

    @Test("takes a key provider with a name for files, one way to its keys and one rule or more")
    func providers() {
        func provider(_ members: String) -> String { #"{"key_providers": [{\#(members)}]}"# }
        let right = #""name": "a-1_.b", "hosts": ["h"]"#
        for text in [
            #""url": "https://k/{content_id}""#, #""command": ["c"]"#, #""key": {"file": "f"}"#,
            #""url": "https://k/", "headers": {"X": {"env": "V"}}"#, #""url": "https://k/", "formats": null"#,
        ] { #expect(isRight(provider("\(right), \(text)")), "\(text)") }
        for text in [
            "", #""url": "https://k/", "command": ["c"]"#, #""url": "https://{host}/""#, #""key": "00""#,
            #""key": {"file": "f", "env": "e"}"#, #""url": "https://k/", "headers": {"a b": "x"}"#,
            #""url": "https://k/", "headers": {"X": {}}"#, #""url": "https://k/", "formats": []"#,
        ] { #expect(!isRight(provider("\(right), \(text)")), "\(text)") }
        for name in ["", ".a", "a b", "é", "a/b"] {
            #expect(!isRight(provider(#""name": "\#(name)", "hosts": ["h"], "command": ["c"]"#)))
        }
        #expect(!isRight(provider(#""name": "a", "command": ["c"]"#)))
        #expect(!isRight(provider(#""hosts": ["h"], "command": ["c"]"#)))
    }
}

@Suite("A selection")
struct SelectionTests {
    @Test("is automatic as long as nothing is wished")
    func automatic() {
        var selection = Selection()
        #expect(selection.isAutomatic)
        selection.maximumBitrate = 1
        #expect(!selection.isAutomatic)
    }

    private func selection(_ change: (inout Selection) -> Void) -> Selection {
        var selection = Selection()
        change(&selection)
        return selection
    }

    @Test("names variants when it has all of them, or a limit of their bit rate or height")
    func variants() {
        #expect(!Selection().namesVariants)
        #expect(selection { $0.allVariants = true }.namesVariants)
        #expect(selection { $0.maximumBitrate = 1 }.namesVariants)
        #expect(selection { $0.minimumBitrate = 1 }.namesVariants)
        #expect(selection { $0.maximumHeight = 1 }.namesVariants)
        let other = selection {
            ($0.audio, $0.subtitles, $0.trickPlay) = (.all, .none, true)
        }
        #expect(!other.namesVariants)
    }

    @Test("has each later addition once, in order")
    func additions() {
        let german = selection { $0.audio = .matching(["de"]) }
        let french = selection { $0.audio = .matching(["fr"]) }
        let one = Selection().adding(german)
        #expect(one.additions == [german] && one.audio == .automatic)
        #expect(one.adding(german) == one)
        #expect(one.adding(french).adding(german).additions == [german, french])
    }

    @Test("of everything has all variants, all renditions and the I-frames")
    func everything() {
        let everything = Selection.everything
        #expect(everything.allVariants && everything.trickPlay && !everything.isAutomatic)
        #expect(everything.audio == .all && everything.subtitles == .all)
    }

    @Test("the bit rate of a variant is the declared one, else that of its bytes once all are stored")
    func bandwidth() {
        func rate(_ change: (inout RenditionRecord) -> Void) -> Int? {
            AssetRendition(
                Rows.rendition {
                    ($0.duration, $0.segments, $0.storedSegments, $0.storedBytes) = (8, 2, 2, 3000)
                    change(&$0)
                }
            ).bandwidth
        }
        #expect(rate { $0.bandwidth = 900 } == 900)
        #expect(rate { _ in } == 3000)
        #expect(rate { $0.storedBytes = 0 } == nil)
        #expect(rate { $0.storedSegments = 1 } == nil)
        #expect(rate { $0.duration = 0 } == nil)
        #expect(rate { $0.kind = .audio } == nil)
    }
}
