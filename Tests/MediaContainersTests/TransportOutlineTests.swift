import MediaContainers
import TestSupport
import Testing

@Suite("The outline of a transport stream")
struct TransportOutlineTests {
    private func outline(_ bytes: [UInt8]) -> TransportOutline? {
        TransportOutline.read(ArrayBytes(bytes))
    }

    @Test(
        "has the codec of its pictures and the time from the first stamp to the last",
        arguments: [0x1B, 0x24])
    func pictures(_ type: UInt8) {
        let program = SampleMedia.program(type, seconds: 6)
        for bytes in [program, SampleMedia.withTimes(program), SampleMedia.withChecksums(program)] {
            #expect(outline(bytes) == TransportOutline(pictures: [type], span: 6))
        }
    }

    @Test("gives encrypted streams the types of their clear form")
    func encrypted() {
        #expect(outline(SampleMedia.program(0xDB, seconds: 1))?.pictures == [0x1B])
    }

    @Test("has no pictures where there is sound alone")
    func sound() {
        #expect(outline(SampleMedia.program(0x0F, seconds: 2)) == TransportOutline(pictures: [], span: 2))
    }

    @Test("has no pictures if its tables name some and no packet has them")
    func lost() {
        let sound = SampleMedia.tables(0x1B) + SampleMedia.program(0x0F, seconds: 2).dropFirst(2 * 188)
        #expect(outline(sound)?.pictures == [0x1B], "both are on the same stream")
        let moved = stride(from: 0, to: sound.count, by: 188).flatMap { start in
            var packet = Array(sound[start..<start + 188])
            if start >= 2 * 188 { packet[2] = 1 }
            return packet
        }
        #expect(outline(moved)?.pictures == [])
    }

    @Test("counts on where time stamps begin anew")
    func wrapping() {
        let last = Double(1 << 33) / 90_000 - 1
        #expect(outline(SampleMedia.program(0x1B, seconds: 4, from: last))?.span == 4)
    }

    @Test("is long where much lies between the beginning and the end")
    func large() {
        #expect(outline(SampleMedia.program(0x1B, seconds: 8, packets: 5001))?.span == 8)
    }

    /// Bytes that count those which are read.
    private final class CountedBytes: MediaBytes {
        private let bytes: [UInt8]
        private(set) var bytesRead = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var count: Int { bytes.count }

        func read(at offset: Int, count: Int) -> [UInt8] {
            let found = Array(bytes.dropFirst(offset).prefix(count))
            bytesRead += found.count
            return found
        }
    }

    @Test("is made of the beginning and the end of a long stream: the middle is not read")
    func middle() {
        let source = CountedBytes(SampleMedia.program(0x1B, seconds: 8, packets: 5001))
        #expect(TransportOutline.read(source)?.span == 8)
        #expect(source.bytesRead < source.count / 2)
    }

    @Test("has a plausible time, or none, with damaged tables and stamps")
    func damaged() {
        let program = SampleMedia.program(0x1B, seconds: 4, packets: 3)
        for place in program.indices {
            for value in [0, 0x10, 0x7F, 0xFF] as [UInt8] {
                var bytes = program
                bytes[place] = value
                let span = outline(bytes)?.span ?? 0
                #expect(span >= 0 && span < Double(1 << 32) / 90_000)
                #expect(outline(Array(bytes.prefix(place)))?.span ?? 0 >= 0)
            }
        }
    }

    @Test("has no time without stamps, and does not exist without tables")
    func nothing() {
        let silent = SampleMedia.tables + SampleMedia.transportStream(9)
        #expect(outline(silent) == TransportOutline(pictures: [0x1B], span: nil))
        #expect(outline(SampleMedia.transportStream(9)) == nil)
        #expect(outline(SampleMedia.fragment(samples: [300])) == nil && outline([]) == nil)
    }
}
