import TestSupport
import Testing

@testable import MediaContainers

@Suite("The outline of a movie, at its borders")
struct LookMovieTests {
    /// The kinds of samples of a video track with one sample entry.
    private func codings(_ type: String, _ setup: [UInt8]) -> [SampleCoding] {
        let entry = SampleMedia.box(type, [UInt8](repeating: 0, count: 78) + setup)
        let section = SampleMedia.movie([(1, "vide", entry)])
        return MovieOutline.read(ArrayBytes(section))?.tracks.first?.codings ?? []
    }

    @Test("does not know samples whose entry does not tell how long their lengths are")
    func lengths() {
        let (avc, hevc): ([UInt8], [UInt8]) = ([1, 0x42, 0, 0x1E], [UInt8](repeating: 0, count: 21))
        #expect(codings("avc1", []) == [.other])
        #expect(codings("avc1", SampleMedia.box("avcC", avc)) == [.other])
        #expect(codings("avc1", SampleMedia.box("avcC", avc + [0xFD])) == [.avc(lengthSize: 2)])
        #expect(codings("avc1", SampleMedia.box("hvcC", hevc + [0xFF])) == [.other])
        #expect(codings("hvc1", []) == [.other])
        #expect(codings("hvc1", SampleMedia.box("hvcC", hevc)) == [.other])
        #expect(codings("hvc1", SampleMedia.box("hvcC", hevc + [0xFF])) == [.hevc(lengthSize: 4)])
    }

    @Test("lets all samples pass whose entry does not tell how long their lengths are")
    func unchecked() throws {
        let entry = SampleMedia.box("avc1", [UInt8](repeating: 0, count: 78))
        let outline = try #require(
            MovieOutline.read(ArrayBytes(SampleMedia.movie([(1, "vide", entry)]))))
        let look = MediaLook(expecting: MediaExpectation(.segment, start: .movie(outline)))
        let noise = [UInt8](repeating: 0x99, count: 300)
        #expect(look.judge(ArrayBytes(SampleMedia.fragment([noise]))) == .media(.mp4))
    }

    @Test("knows samples by the number of their description, which counts from 1, else by the usual one")
    func descriptions() {
        let track = MovieOutline.Track(id: 1, codings: [.flac, .opus], usualDescription: 2)
        let numbers: [Int?] = [nil, 1, 2, 0, 3]
        let expected: [SampleCoding] = [.opus, .flac, .opus, .other, .other]
        #expect(numbers.map { track.coding($0) } == expected)
    }

    @Test("has the number of a track behind times of 32 or 64 bits, and is none without it")
    func trackNumbers() {
        func track(_ flags: Int, _ numbers: [Int]) -> [UInt8] {
            SampleMedia.box("trak", SampleMedia.fullBox("tkhd", flags: flags, numbers))
        }
        let whole = track(0x0000_0003, [0, 0, 7])
        #expect(MovieOutline(movie: whole)?.tracks.map(\.id) == [7])
        #expect(MovieOutline(movie: track(0x0100_0003, [0, 0, 0, 0, 8]))?.tracks.map(\.id) == [8])
        #expect(MovieOutline(movie: track(0x0000_0003, [0, 0]) + whole) == nil)
        #expect(MovieOutline(movie: track(0x0100_0003, [0, 0, 0, 0]) + whole) == nil)
        #expect(MovieOutline(movie: []) == nil)
    }

    @Test("is read from a movie of 16 MiB, and from no larger one", arguments: [0, 1])
    func largest(_ more: Int) {
        let size = 8 + BoxLook.largestHeader + more
        let track = SampleMedia.box("trak", SampleMedia.fullBox("tkhd", flags: 3, [0, 0, 7]))
        let head = ProtectedMovie.number(size, 4) + Array("moov".utf8) + track
        let numbers = MovieOutline.read(EndlessBytes(head, count: size))?.tracks.map(\.id)
        #expect(numbers == (more == 0 ? [7] : nil))
    }
}

@Suite("A look at boxes, at its borders")
struct LookBoxTests {
    @Test("looks into headers of 16 MiB, and takes larger ones on trust", arguments: [0, 1])
    func largestHeaders(_ more: Int) {
        func judged(_ type: String, _ role: MediaExpectation.Role) -> MediaVerdict {
            let size = 8 + BoxLook.largestHeader + more
            let head = ProtectedMovie.number(size, 4) + Array(type.utf8)
            return MediaLook(expecting: MediaExpectation(role)).judge(EndlessBytes(head, count: size))
        }
        let (movie, fragment): (MediaVerdict, MediaVerdict) =
            more == 0
            ? (.undecodable(.noMovie), .undecodable(.malformedBox("moof"))) : (.media(.mp4), .media(.mp4))
        #expect(judged("moov", .initialization) == movie)
        #expect(judged("moof", .segment) == fragment)
    }

    @Test(
        "passes over less than 16 bytes behind media that are no box", arguments: [(15, true), (16, false)])
    func padding(_ count: Int, isTaken: Bool) {
        // No box has 7 bytes.
        let padding: [UInt8] = [0, 0, 0, 7] + [UInt8](repeating: 0, count: count - 4)
        let verdict = look(SampleMedia.fragment(samples: [5]) + padding)
        #expect(verdict == (isTaken ? .media(.mp4) : .undecodable(.boxCut(""))))
    }

    @Test("misses no initialization section of boxes without a fragment")
    func noFragment() {
        let alone = MediaLook(expecting: MediaExpectation(.segment, start: .nothing))
        let boxes = SampleMedia.box("styp", []) + SampleMedia.box("free", [1, 2, 3])
        #expect(alone.judge(ArrayBytes(boxes)) == .media(.mp4))
        let fragment = boxes + SampleMedia.fragment(samples: [5])
        #expect(alone.judge(ArrayBytes(fragment)) == .undecodable(.noInitialization))
    }

    @Test("takes an initialization section for that of the segment, unless it is called old")
    func present() throws {
        let section = SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())])
        let outline = try #require(MovieOutline.read(ArrayBytes(section)))
        let start = MediaExpectation.Start.movie(outline)
        #expect(start == .movie(outline, isOld: false))
        let stream = ArrayBytes(SampleMedia.transportStream(9))
        let verdict = MediaLook(expecting: MediaExpectation(.segment, start: start)).judge(stream)
        #expect(verdict == .undecodable(.otherContainer(.transportStream)))
    }
}
