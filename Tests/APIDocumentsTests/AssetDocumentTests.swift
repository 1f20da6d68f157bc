import StoreModel
import Testing

@testable import APIDocuments

@Suite("The asset object")
struct AssetDocumentTests {
    private func download(_ change: (inout Asset) -> Void = { _ in }) -> Asset {
        Samples.asset {
            $0.state = .downloading
            $0.renditions = [
                Samples.rendition("video", .variant) {
                    ($0.storedBytes, $0.expectedBytes) = (400, 1000)
                }
            ]
            change(&$0)
        }
    }

    private func remaining(_ asset: Asset, speed: Double?, inFlight: Int64 = 0) -> Double? {
        AssetDocument(asset: asset, speed: speed, inFlight: inFlight).eta
    }

    @Test("tells the seconds until it is complete at this speed")
    func eta() {
        #expect(remaining(download(), speed: 50) == 12)
        // Bytes that have arrived and are not stored yet need not be waited for.
        #expect(remaining(download(), speed: 50, inFlight: 100) == 10)
        #expect(remaining(download(), speed: 50, inFlight: 700) == 0)
    }

    @Test("tells no end of a download that stands still, of an unknown size, or of a recording")
    func noEnd() {
        #expect(remaining(download(), speed: nil) == nil)
        #expect(remaining(download(), speed: 0) == nil)
        #expect(remaining(download { $0.state = .paused }, speed: 50) == nil)
        #expect(remaining(download { $0.renditions[0].expectedBytes = nil }, speed: 50) == nil)
        #expect(remaining(download { $0.recording = Recording() }, speed: 50) == nil)
        let ended = Recording(endedAt: Samples.now, end: .ended)
        #expect(remaining(download { $0.recording = ended }, speed: 50) == 12)
    }

    @Test("lists each language of the subtitles that are served on their own once")
    func languages() {
        func track(_ name: String, _ language: String?) -> AssetRendition {
            Samples.rendition(name, .subtitles) { $0.language = language }
        }
        func members(_ renditions: [AssetRendition]) -> [String?] {
            let json = AssetDocument(asset: Samples.asset { $0.renditions = renditions }).json
            return ["subtitle_languages", "uses_sideband_subtitles"].map { json[$0]?.text }
        }
        var failed = track("subtitles-fr", "fr")
        failed.failure = "the origin answered 404"
        var carried = track("subtitles-it", "it")
        carried.hasPlaylist = false
        let audio = Samples.rendition("audio-es", .audio) { $0.language = "es" }
        #expect(members([audio, failed, carried]) == ["[]", "false"])
        let all = [
            audio, track("subtitles-en", "en"), failed, track("subtitles-de", "de"), carried,
            track("subtitles-de-2", "DE"), track("subtitles", nil),
        ]
        #expect(members(all) == [#"["en","de"]"#, "true"])
        #expect(members([track("subtitles", nil)]) == ["[]", "true"])
    }

    @Test("has the state in words with its reason")
    func states() {
        func state(_ asset: Asset) -> String { AssetDocument(asset: asset).state }
        #expect(state(Samples.asset()) == "complete")
        let gap = Samples.problem(.gap) { $0.duration = 28 }
        #expect(state(Samples.ill([gap])) == "complete, 28 s missing")
        var waiting = Samples.asset { ($0.state, $0.reason) = (.queued, "origin") }
        #expect(state(waiting) == "queued (origin)")
        waiting.waitsUntil = Samples.now
        #expect(state(waiting) == "queued (origin until \(Samples.now.localText))")
    }

    @Test("has its problems, each with its sentence")
    func problems() {
        let asset = Samples.ill([Samples.problem(.segmentMissing, advice: .repair)], level: .damaged)
        let json = AssetDocument(asset: asset).json
        #expect(json["health"]?.string == "damaged")
        let problem = json["problems"]?.items.first
        let names = ["kind", "rendition", "start", "duration", "count", "detail", "advice"]
        let detail = "1 segment of audio de (4 s from 0:12 on) is gone"
        #expect(
            names.map { problem?[$0]?.text } == [
                #""segment-missing""#, #""audio-de""#, "12", "4", "1", "\"\(detail)\"", #""repair""#,
            ])
    }
}

@Suite("An asset that was just entered, one of many")
struct AssetEntryTests {
    @Test("is its token and its address, and the asset that has the same source, if there is one")
    func members() {
        let (token, older) = (Samples.token(1), Samples.token())
        let address = "http://127.0.0.1:8090/assets/\(token)/master.m3u8"
        let facts = #""token":"\#(token)","playlist_url":"\#(address)""#
        #expect(AssetEntry(token: token).json.text == "{\(facts)}")
        let again = AssetEntry(token: token, existing: older).json
        #expect(again.text == #"{\#(facts),"existing":"\#(older)"}"#)
        let elsewhere = AssetEntry(token: token, server: "https://h.test").playlistURL
        #expect(elsewhere == "https://h.test/assets/\(token)/master.m3u8")
    }
}

@Suite("The figures of running assets")
struct ActivityDocumentTests {
    @Test("stand in the order of the assets' age")
    func order() {
        let tokens = (0..<Int64(20)).map { Samples.token($0) }
        let figures = Dictionary(uniqueKeysWithValues: tokens.map { ($0, LiveFigures(inFlight: 7)) })
        let assets = ActivityDocument(figures).json["assets"]?.items ?? []
        #expect(assets.compactMap { $0["token"]?.string } == tokens.map(\.description))
        #expect(
            assets.first?.text
                == #"{"token":"\#(tokens[0])","speed":null,"in_flight":7,"activity":null}"#)
    }
}

@Suite("The use of the storage")
struct StorageDocumentTests {
    private func document(_ change: (inout StorageUse) -> Void) -> JSONValue {
        var use = StorageUse(
            assets: [], kinds: [:], catalogBytes: 10, removedBytes: 5, policy: StoragePolicy(), orphans: [])
        change(&use)
        return StorageDocument(use).json
    }

    @Test("is told by the kind of renditions, in the order of their names")
    func kinds() {
        let all = RenditionKind.allCases
        let kinds = document {
            $0.kinds = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, Int64($0)) })
        }["kinds"]
        #expect(kinds?.members.map { $0.0 } == all.map(\.rawValue).sorted())
        #expect(kinds?["audio"]?.text == "1" && kinds?["variant"]?.text == "0")
    }

    @Test("is told by asset, of which some may be left out, with the sum of all")
    func shares() {
        let token = Samples.token()
        let json = document {
            $0.kinds = [.variant: 400, .audio: 20]
            $0.assets = [
                StorageUse.Share(token: token, name: "Film", bytes: 300, isPinned: true),
                StorageUse.Share(
                    token: token, name: "Clip", bytes: 20, isPinned: false, evictionClass: .watched),
            ]
        }
        #expect(json["bytes"]?.text == "420")
        #expect(json["catalog_bytes"]?.text == "10" && json["removed_bytes"]?.text == "5")
        let first = #"{"token":"\#(token)","name":"Film","bytes":300,"pinned":true,"last_played_at":null"#
        let shares = json["assets"]?.items.map(\.text) ?? []
        #expect(shares.first == #"\#(first),"evictable":null}"#)
        #expect(shares.last?.hasSuffix(#""evictable":"watched"}"#) == true)
    }

    @Test("has the limits, and the classes that may be evicted in their order")
    func limits() {
        let json = document {
            $0.policy.quota = 5000
            $0.policy.evict = [.watched, .expired]
            $0.cushion = 100
        }
        let limits = json["limits"]?.text
        #expect(limits == #"{"quota":5000,"keep_free":100,"evict":["expired","watched"]}"#)
        let orphans = document {
            $0.orphans = [Orphan(path: "x", bytes: 7, kind: .foreign)]
        }["orphans"]
        #expect(orphans?.text == #"[{"path":"x","bytes":7,"kind":"foreign","token":null}]"#)
    }
}
