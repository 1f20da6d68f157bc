import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A file of an asset that has lost segments", .timeLimit(.minutes(1)))
struct LostSegmentTests {
    private static let stream = MadeRendition.even([.picture(width: 160), .sound(rate: 48_000)], count: 3)

    private func refused(_ film: FilmFixture, skipsGaps: Bool) -> String? {
        refusal {
            _ = try film.store.file(of: film.token, AssetFileChoice(.mp4, skipsGaps: skipsGaps))
        }
    }

    private func enter(_ state: AssetState, of film: FilmFixture) throws {
        try film.store.catalog.write(.asset(film.token)) { session in
            try session.execute("UPDATE asset SET state = ?", [state.rawValue])
        }
    }

    @Test("is refused as incomplete, and on request has the other segments")
    func skipped() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            try film.lose(0)
            let text = try #require(refused(film, skipsGaps: false))
            #expect(text.hasPrefix(#"incomplete(rendition: "video""#) && text.hasSuffix("repairable)"))
            let manifest = try #require(refusal { _ = try film.manifest })
            #expect(manifest == text)
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4, skipsGaps: true))
            #expect(file.duration == 8)
            #expect(try UInt64(film.bytes(file).count) == file.length)
        }
    }

    @Test(
        "is refused also on request while the segments arrive, but not when their download has stopped",
        arguments: [
            (.downloading, false), (.paused, true), (.failed, true), (.complete, true),
        ] as [(AssetState, Bool)])
    func arriving(_ state: AssetState, isMade: Bool) async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            try film.lose(2)
            try enter(state, of: film)
            let text = refused(film, skipsGaps: true)
            #expect((text == nil) == isMade)
            let words = text.map {
                $0.hasPrefix(#"incomplete(rendition: "video""#) && $0.hasSuffix("arriving)")
            }
            #expect(words ?? isMade)
        }
    }

    @Test("is refused if no segment can be used, since all are gone or their initialization section is")
    func nothing() async throws {
        for kind in [UnitKind.segment, .initialization] {
            try await FilmFixture.run(made: [Self.stream]) { film async throws in
                let numbers = kind == .segment ? [0, 1, 2] : [0]
                for number in numbers { try film.lose(number, kind: kind) }
                let text = try #require(refused(film, skipsGaps: true))
                #expect(text.hasPrefix(#"nothingStored(rendition: "video""#))
                #expect(text.hasSuffix("repairable)"))
            }
        }
    }

    @Test("is refused at a segment that the origin never had, and on request has the others")
    func unlisted() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let id = try #require(try film.row()).id
            try film.store.catalog.units.markAbsent(
                [(rendition: id, kind: .segment, number: 1)], as: .gap)
            try film.store.catalog.write(.asset(film.token)) { session in
                try session.execute("UPDATE rendition SET segments = segments - 1")
            }
            #expect(try film.row()?.isComplete == true)
            #expect(refused(film, skipsGaps: false) == #"gap(rendition: "video", at: 4.0)"#)
            #expect(try film.indexed()?.gaps == [1])
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4, skipsGaps: true))
            let bytes = try film.bytes(file)
            for (index, isThere) in [true, false, true].enumerated() {
                let pictures = Self.stream.segments[index].samples(seed: index + 1)[0].bytes
                let place = bytes.firstRange(of: pictures.prefix(94))
                #expect((place != nil) == isThere, "\(index)")
            }
        }
    }

    @Test("has no track for a language whose segments are all lost")
    func lostLanguage() async throws {
        let renditions = [
            MadeRendition.even([.picture(width: 160)], name: "v"), .even([.sound(rate: 48_000)], name: "s"),
        ]
        let master = [
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"s.m3u8\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO=\"a\"", "v.m3u8",
        ]
        try await FilmFixture.run(made: renditions, master: master) { film async throws in
            let rows = try film.store.catalog.renditions.all(of: [film.token])[film.token] ?? []
            let sound = try #require(rows.first { $0.kind == .audio })
            try film.store.catalog.units.markAbsent(
                (0..<2).map {
                    AbsentRow(rendition: sound.id, kind: .segment, number: $0, finding: .gone)
                })
            let choice = AssetFileChoice(.mp4, audio: ["de"], skipsGaps: true)
            let file = try film.store.file(of: film.token, choice)
            let bytes = try film.bytes(file)
            #expect(file.duration == 8 && UInt64(bytes.count) == file.length)
            #expect(try MovieTrack.all(in: bytes).map(\.kind) == [.video])
        }
    }
}

@Suite("The progress of an index", .timeLimit(.minutes(1)))
struct IndexProgressTests {
    private static let headers = [[UInt8]](repeating: MadePackets.stereo, count: 3)

    /// How many segments are read before the run waits or ends. It asks before each whether it is stopped.
    private func read(_ film: FilmFixture, without number: Int) throws -> Int {
        let folder = film.store.paths.rendition(film.token, "video")
        let place = try #require(IndexedPlace(folder.appending("0.ts")))
        try film.lose(number)
        var run = try #require(try IndexRun(place, film.store))
        var count = 0
        let isOver = try run.advance(with: []) {
            count += 1
            return false
        }
        #expect(!isOver)
        let before = count
        let id = try #require(try film.row()).id
        let unit = try #require(try film.store.catalog.units.unit(of: id, .segment, number))
        let back = StoredUnit(
            rendition: id, kind: .segment, number: number, size: unit.size ?? 0, sha256: unit.sha256 ?? [])
        try film.store.catalog.units.markStored([back])
        let isDone = try run.advance(with: [number]) {
            count += 1
            return false
        }
        #expect(isDone && count == 3)
        #expect(try film.indexedSegments(of: "video") == 3)
        return before
    }

    @Test("of fragments ends before a segment that is missing", arguments: [0, 1, 2])
    func fragments(_ missing: Int) async throws {
        let stream = MadeRendition.even([.picture(width: 160)], count: 3)
        try await FilmFixture.run(made: [stream]) { film async throws in
            #expect(try read(film, without: missing) == missing)
        }
    }

    @Test(
        "of a transport stream ends before a segment whose next one is missing",
        arguments: [(0, 0), (1, 0), (2, 1)])
    func packets(_ missing: Int, count: Int) async throws {
        try await FilmFixture.run(segments: MadePackets.sound(Self.headers), "ts") { film async throws in
            #expect(try read(film, without: missing) == count)
        }
    }

    @Test(
        "of a transport stream does not wait for the segment behind a discontinuity",
        arguments: [(0, 0), (1, 0), (2, 2)])
    func discontinuity(_ missing: Int, count: Int) async throws {
        let tags = [2: "#EXT-X-DISCONTINUITY\n"]
        try await FilmFixture.run(
            segments: MadePackets.sound(Self.headers), "ts", tags: tags
        ) { film async throws in
            #expect(try read(film, without: missing) == count)
        }
    }

    @Test("of packed audio does not wait for the next segment", arguments: [0, 1, 2])
    func packed(_ missing: Int) async throws {
        let segments = (1...3).map { MadePackets.frames(seed: $0) }
        try await FilmFixture.run(segments: segments, "ac3") { film async throws in
            #expect(try read(film, without: missing) == missing)
        }
    }

    @Test("is at an end for a stream that can't be read, and goes on for the next one")
    func unreadable() async throws {
        try await StoreFixture.run { fixture async throws in
            // These packets have no tables.
            fixture.origin.serveStream("/bad", count: 2)
            let stream = MadeRendition.even([.picture(width: 160)], name: "a")
            for file in stream.files { fixture.origin.serve("/\(file.name)", bytes: file.bytes) }
            let indexer = AssetIndexer(fixture.store)
            let first = try await fixture.download("/bad/index.m3u8").token
            let second = try await fixture.download("/a.m3u8").token
            await indexer.finish()
            let counts = try [first, second].map {
                try FilmFixture(store: fixture.store, token: $0, source: "").indexedSegments(of: "video")
            }
            #expect(counts == [0, 2])
        }
    }
}
