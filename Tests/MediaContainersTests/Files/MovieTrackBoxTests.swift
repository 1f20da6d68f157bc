import TestSupport
import Testing

@testable import MediaContainers

@Suite("The boxes of a track") struct MovieTrackBoxTests {
    private static let usualHeader: [UInt8] = [0, 0, 0, 3] + zeros(8) + [0, 0, 0, 7]
    private static let usualClock: [UInt8] = zeros(12) + [0, 0, 3, 0xE8] + zeros(4) + [0x10, 0xB5]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func track(
        header: [UInt8] = Self.usualHeader, clock: [UInt8] = Self.usualClock, edits: [UInt8]? = nil,
        table: [UInt8] = []
    ) -> [UInt8] {
        let media =
            SampleMedia.box("mdhd", clock) + SampleMedia.box("minf", SampleMedia.box("stbl", table))
        let list = edits.map { SampleMedia.box("edts", SampleMedia.box("elst", $0)) } ?? []
        return SampleMedia.box(
            "trak", SampleMedia.box("tkhd", header) + list + SampleMedia.box("mdia", media))
    }

    private func read(_ tracks: [UInt8]) throws -> MovieTrack {
        try #require(try MovieTrack.all(in: SampleMedia.box("moov", tracks)).first)
    }

    private static let broken = SampleError.malformed(offset: 8, reason: "trak")

    @Test("have the number behind the times of the track, in both versions")
    func number() throws {
        let long: [UInt8] = [1, 0, 0, 3] + Self.zeros(16) + [0, 0, 0, 9]
        for (whole, number) in [(Self.usualHeader, 7), (long, 9)] {
            #expect(try read(track(header: whole)).number == number)
            #expect(try read(track(header: whole + [1, 2, 3])).number == number)
            for count in whole.indices {
                #expect(throws: Self.broken, "\(count) bytes") {
                    try read(track(header: Array(whole.prefix(count))))
                }
            }
        }
    }

    @Test("have the timescale before the duration, in both versions; a language only where it is whole")
    func clock() throws {
        let long: [UInt8] =
            [1, 0, 0, 0] + Self.zeros(16) + [0, 1, 0x5F, 0x90] + Self.zeros(8) + [0x10, 0xB5]
        for (whole, timescale) in [(Self.usualClock, 1000), (long, 90_000)] as [([UInt8], UInt32)] {
            let found = try read(track(clock: whole))
            #expect(found.timescale == timescale && found.language == "deu")
            for count in whole.indices {
                let clock = Array(whole.prefix(count))
                if count >= whole.count - 2 {
                    let cut = try read(track(clock: clock))
                    #expect(cut.timescale == timescale && cut.language == nil, "\(count) bytes")
                } else {
                    #expect(throws: Self.broken, "\(count) bytes") { try read(track(clock: clock)) }
                }
            }
        }
    }

    @Test("have a timescale above 0")
    func timescale() throws {
        func clock(_ scale: [UInt8]) -> [UInt8] { Self.zeros(12) + scale + Self.zeros(6) }
        #expect(try read(track(clock: clock([0, 0, 0, 1]))).timescale == 1)
        #expect(try read(track(clock: clock([255, 255, 255, 255]))).timescale == .max)
        #expect(throws: Self.broken) { try read(track(clock: clock([0, 0, 0, 0]))) }
    }

    @Test("are malformed at the track that can't be read")
    func place() {
        let good = track()
        #expect(throws: SampleError.malformed(offset: 8 + good.count, reason: "trak")) {
            try read(good + track(header: []))
        }
        #expect(throws: Self.broken) { try read(SampleMedia.box("trak", [])) }
    }

    /// A box of the sample groups `roll`.
    private func box(_ version: UInt8, _ fields: [UInt8], type: String = "roll") -> [UInt8] {
        SampleMedia.box("sgpd", [version, 0, 0, 0] + Array(type.utf8) + fields)
    }

    @Test("have the distance of the first group, in all versions of its box")
    func groups() throws {
        let length: [UInt8] = [0, 0, 0, 2]
        let forms = [
            box(0, [0, 0, 0, 1, 0xFF, 0xFE]), box(1, length + [0, 0, 0, 1, 0xFF, 0xFE]),
            box(1, length + [0, 0, 0, 2, 0xFF, 0xFE, 0xFF, 0xFF]),
            box(1, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0xFF, 0xFE]),
            box(2, length + [0, 0, 0, 1, 0, 0, 0, 1, 0xFF, 0xFE]),
            box(2, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0xFF, 0xFE]),
        ]
        for form in forms { #expect(try read(track(table: form)).rollDistance == -2) }
        #expect(try read(track(table: box(0, [0, 0, 0, 1, 0x80, 0]))).rollDistance == -32_768)
        #expect(try read(track(table: box(0, [0, 0, 0, 1, 0, 3]))).rollDistance == 0)
        #expect(try read(track()).rollDistance == 0)
    }

    @Test("have no distance in boxes of other groups, of none, or that end early")
    func noGroups() throws {
        let good = box(1, [0, 0, 0, 2, 0, 0, 0, 1, 0xFF, 0xFF])
        // Bytes behind no groups are none.
        let empty = box(1, [0, 0, 0, 2, 0, 0, 0, 0, 0xFF, 0xFE])
        let other = box(1, [0, 0, 0, 2, 0, 0, 0, 1, 0xFF, 0xFE], type: "rap ")
        let cut = box(1, [0, 0, 0, 2, 0, 0, 0, 1, 0xFF])
        for table in [empty, other, cut, box(1, []), SampleMedia.box("sgpd", [0])] {
            #expect(try read(track(table: table)).rollDistance == 0)
            #expect(try read(track(table: table + good)).rollDistance == -1)
        }
    }

    @Test("begin at the first edit that is not empty, delayed by those before it")
    func edits() throws {
        let empty: [UInt8] = [0, 0, 1, 0x2C, 255, 255, 255, 255, 0, 1, 0, 0]
        let real: [UInt8] = [0, 0, 9, 9, 0, 0, 0, 5, 0, 1, 0, 0]
        let two = try read(track(edits: [0, 0, 0, 0, 0, 0, 0, 2] + empty + real))
        #expect(two.presentationStart == 5 && two.delay == 300)
        let three = try read(track(edits: [0, 0, 0, 0, 0, 0, 0, 3] + empty + empty + real))
        #expect(three.presentationStart == 5 && three.delay == 600)
        let one = try read(track(edits: [0, 0, 0, 0, 0, 0, 0, 1] + real + empty))
        #expect(one.presentationStart == 5 && one.delay == 0)
        let long: [UInt8] = Self.zeros(6) + [1, 0x2C] + [UInt8](repeating: 255, count: 8) + [0, 1, 0, 0]
        let wide = try read(
            track(edits: [1, 0, 0, 0, 0, 0, 0, 2] + long + Self.zeros(15) + [5, 0, 1, 0, 0]))
        #expect(wide.presentationStart == 5 && wide.delay == 300)
        // The movie has 600 ticks per second, the track 1000.
        let clock = SampleMedia.box("mvhd", Self.zeros(12) + [0, 0, 2, 0x58] + Self.zeros(4))
        let scaled = try read(clock + track(edits: [0, 0, 0, 0, 0, 0, 0, 2] + empty + real))
        #expect(scaled.presentationStart == 5 && scaled.delay == 500)
        let head: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        let unusable: [[UInt8]] = [[], head + empty, head + Array(real.dropLast())]
        for edits in unusable {
            let none = try read(track(edits: edits))
            #expect(none.presentationStart == 0 && none.delay == 0)
        }
    }
}
