import MediaContainers
import TestSupport
import Testing

@Suite("A look at MP4")
struct BoxLookTests {
    private static func moof(_ tracks: [[UInt8]]) -> [UInt8] { SampleMedia.movieFragment(tracks) }
    private static let data = SampleMedia.box("mdat", OriginResource.pattern(1000))

    @Test(
        "skips the boxes that may come before a fragment",
        arguments: ["styp", "sidx", "ssix", "emsg", "prft", "free", "skip", "uuid", "pssh", "meta"])
    func before(_ type: String) {
        let bytes = SampleMedia.box(type, OriginResource.pattern(40)) + SampleMedia.fragment(samples: [9, 9])
        #expect(look(bytes) == .media(.mp4))
    }

    @Test("knows a segment that brings its own initialization section, and a whole movie")
    func selfInitializing() {
        let start = SampleMedia.initialization()
        #expect(look(start + SampleMedia.fragment(samples: [30])) == .media(.mp4))
        #expect(look(start + Self.data) == .media(.mp4))
        #expect(look(Self.data + start) == .media(.mp4))
    }

    @Test("misses the movie, or its tracks, in an initialization section")
    func noMovie() {
        let brand = SampleMedia.box("ftyp", OriginResource.pattern(16))
        let empty = SampleMedia.box("moov", SampleMedia.box("mvhd", OriginResource.pattern(100)))
        #expect(look(brand, .initialization) == .undecodable(.noMovie))
        #expect(look(brand + empty, .initialization) == .undecodable(.noMovie))
        #expect(look(SampleMedia.fragment(samples: [5]), .initialization) == .undecodable(.noMovie))
    }

    @Test("says in which box the bytes end", arguments: [1, 8, 500, 999])
    func cut(_ missing: Int) {
        let bytes = SampleMedia.fragment(samples: [600, 400]).dropLast(missing)
        #expect(look(Array(bytes)) == .undecodable(.boxCut("mdat")))
        let fragment = Self.moof([SampleMedia.track(1, offset: 0, runs: [[1]])])
        #expect(look(fragment.dropLast(1)) == .undecodable(.boxCut("moof")))
        #expect(look(fragment + [0, 0, 0]) == .undecodable(.boxCut("")))
    }

    @Test("lets the byte range of an I-frame end inside a box")
    func picture() {
        let bytes = SampleMedia.fragment(samples: [600, 400])
        for length in [bytes.count - 400, bytes.count - 1, 60] {
            #expect(look(Array(bytes.prefix(length)), mayEndInBox: true) == .media(.mp4))
        }
        #expect(look(bytes, mayEndInBox: true) == .media(.mp4))
    }

    @Test("passes over padding behind whole boxes")
    func padding() {
        #expect(look(SampleMedia.fragment(samples: [5]) + [0, 0, 0]) == .media(.mp4))
    }

    @Test("lets the last box reach to the end, and knows sizes of 64 bits")
    func sizes() {
        let fragment = SampleMedia.movieFragment()
        #expect(look(fragment + [0, 0, 0, 0] + Array("mdat".utf8) + [1, 2, 3]) == .media(.mp4))
        let large: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + SampleMedia.number64(20) + [1, 2, 3, 4]
        #expect(look(fragment + large) == .media(.mp4))
        #expect(look(fragment + large.dropLast(1)) == .undecodable(.boxCut("mdat")))
    }

    @Test("is not misled by sizes that can't be", arguments: [1, 7, -1, Int.max])
    func hostileSizes(_ size: Int) {
        let short = ProtectedSize.box(size)
        #expect(
            look(SampleMedia.movieFragment() + short)
                == .undecodable(.boxCut("")))
    }

    @Test("misses the media data of samples")
    func noMediaData() {
        let fragment = Self.moof([SampleMedia.track(1, offset: 100, runs: [[10, 10]])])
        #expect(look(fragment) == .undecodable(.noMediaData))
        #expect(look(SampleMedia.fragment(samples: [5]) + fragment) == .undecodable(.noMediaData))
    }

    @Test("finds samples beyond the end of the media data", arguments: [1, 100])
    func samplesBeyond(_ missing: Int) {
        let bytes = SampleMedia.fragment(samples: [600, 400], missing: missing)
        #expect(look(bytes) == .undecodable(.samplesBeyondData))
        #expect(look(SampleMedia.fragment(samples: [600]) + bytes) == .undecodable(.samplesBeyondData))
    }

    @Test("adds up the runs of several tracks")
    func severalTracks() {
        func fragment(_ last: Int) -> [UInt8] {
            let length = Self.moof([
                SampleMedia.track(1, offset: 0, runs: [[1, 2], [3]]),
                SampleMedia.track(2, offset: 0, runs: [[last]]),
            ]).count
            return Self.moof([
                SampleMedia.track(1, offset: length + 8, runs: [[100, 200], [300]]),
                SampleMedia.track(2, offset: length + 8 + 600, runs: [[last]]),
            ])
        }
        #expect(look(fragment(400) + Self.data) == .media(.mp4))
        #expect(look(fragment(401) + Self.data) == .undecodable(.samplesBeyondData))
    }
}

/// Track fragments that say where their samples lie in other ways.
@Suite("A look at a track fragment")
struct TrackFragmentTests {
    private static let data = SampleMedia.box("mdat", OriginResource.pattern(1000))

    /// A fragment of one track with these boxes; its data begin `offset` bytes behind the fragment's beginning.
    private func fragment(_ boxes: (_ offset: Int) -> [UInt8]) -> [UInt8] {
        let length = SampleMedia.movieFragment(SampleMedia.box("traf", boxes(0))).count
        return SampleMedia.movieFragment(SampleMedia.box("traf", boxes(length + 8)))
    }

    @Test("takes the size that the track says for samples without one", arguments: [(10, true), (11, false)])
    func usualSize(_ count: Int, isTaken: Bool) {
        let bytes = fragment { offset in
            SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 100])
                + SampleMedia.fullBox("trun", flags: 0x1, [count, offset])
        }
        #expect(look(bytes + Self.data) == (isTaken ? .media(.mp4) : .undecodable(.samplesBeyondData)))
    }

    @Test("finds sizes among the other fields of samples")
    func otherFields() {
        let bytes = fragment { offset in
            SampleMedia.fullBox("tfhd", flags: 0x2003A, [1, 1, 9, 9, 9])
                + SampleMedia.fullBox(
                    "trun", flags: 0xF05, [2, offset, 0, 40, 500, 0, 0, 40, 501, 0, 0])
        }
        #expect(look(bytes + Self.data) == .undecodable(.samplesBeyondData))
    }

    @Test("asks nothing of sizes that only the initialization section tells")
    func unknownSizes() {
        let bytes = fragment { offset in
            SampleMedia.fullBox("tfhd", flags: 0x20000, [1])
                + SampleMedia.fullBox("trun", flags: 0x1, [5000, offset])
        }
        #expect(look(bytes + Self.data) == .media(.mp4))
    }

    @Test("asks nothing of places in a file that the fragment may be a part of")
    func ownBase() {
        let bytes = fragment { offset in
            SampleMedia.fullBox("tfhd", flags: 0x1, [1, 5, 0])
                + SampleMedia.fullBox("trun", flags: 0x201, [1, offset, 900_000])
        }
        #expect(look(bytes + Self.data) == .media(.mp4))
    }

    @Test("begins a track without a base where the track before ended")
    func goesOn() {
        func bytes(_ size: Int) -> [UInt8] {
            let second = SampleMedia.box(
                "traf",
                SampleMedia.fullBox("tfhd", flags: 0, [2])
                    + SampleMedia.fullBox("trun", flags: 0x200, [1, size]))
            let length = SampleMedia.movieFragment(SampleMedia.track(1, offset: 0, runs: [[1]]), second).count
            return SampleMedia.movieFragment(SampleMedia.track(1, offset: length + 8, runs: [[600]]), second)
                + Self.data
        }
        #expect(look(bytes(400)) == .media(.mp4))
        #expect(look(bytes(401)) == .undecodable(.samplesBeyondData))
    }

    @Test("names the box that is malformed")
    func malformed() {
        func judged(_ content: [UInt8]) -> MediaVerdict {
            look(SampleMedia.movieFragment(SampleMedia.box("traf", content)) + Self.data)
        }
        let header = SampleMedia.fullBox("tfhd", flags: 0x20000, [1])
        #expect(judged(SampleMedia.box("tfhd", [0, 0, 0, 0])) == .undecodable(.malformedBox("tfhd")))
        #expect(
            judged(SampleMedia.fullBox("tfhd", flags: 0x3B, [1, 2])) == .undecodable(.malformedBox("tfhd")))
        #expect(judged(header + SampleMedia.box("trun", [0, 0])) == .undecodable(.malformedBox("trun")))
        let many = SampleMedia.fullBox("trun", flags: 0x201, [3, 0, 5, 5])
        #expect(judged(header + many) == .undecodable(.malformedBox("trun")))
        #expect(judged(header + [0, 0, 0, 50]) == .undecodable(.malformedBox("traf")))
        #expect(
            look(SampleMedia.box("moof", [0, 0, 0, 99, 1, 2, 3, 4])) == .undecodable(.malformedBox("moof")))
    }

    @Test("counts no samples that there can't be", arguments: [0, 0x200, 0x10])
    func hugeCounts(_ flags: Int) {
        let bytes = fragment { _ in
            SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 0xFFFF_FFFF])
                + SampleMedia.fullBox("trun", flags: flags, [0xFFFF_FFFF, 1, 1, 1])
        }
        #expect(look(bytes + Self.data) == .undecodable(.malformedBox("trun")))
    }
}

/// Boxes whose size is no size.
private enum ProtectedSize {
    /// A box of media data that claims to have so many bytes; beyond 15 with a size of 64 bits.
    static func box(_ size: Int) -> [UInt8] {
        let content = OriginResource.pattern(30)
        guard size > 15 || size < 0 else {
            return [0, 0, 0, UInt8(size)] + Array("mdat".utf8)
                + (size == 1 ? SampleMedia.number64(15) : content)
        }
        return [0, 0, 0, 1] + Array("mdat".utf8) + SampleMedia.number64(size) + content
    }
}

private func look(_ bytes: ArraySlice<UInt8>) -> MediaVerdict { look(Array(bytes)) }
