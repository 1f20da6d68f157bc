import MediaContainers
import TestSupport
import Testing

@Suite("A look at a transport stream")
struct TransportLookTests {
    @Test("takes tables alone for an initialization section, and for no segment")
    func tables() {
        #expect(look(SampleMedia.tables, .initialization) == .media(.transportStream))
        #expect(look(SampleMedia.tables) == .undecodable(.noPacketStart))
    }

    @Test("misses streams that the map lists where others alone begin")
    func unlisted() {
        let begin: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
        let other = SampleMedia.packet(300, begins: true, begin)
        #expect(look(SampleMedia.tables + other) == .undecodable(.noPacketStart))
        #expect(look(other + SampleMedia.tables) == .media(.transportStream))
        let listed = SampleMedia.packet(256, begins: true, begin)
        #expect(look(SampleMedia.tables + other + listed) == .media(.transportStream))
    }

    @Test("reports a missing packet in which a unit begins")
    func nothingBegins() {
        #expect(look(SampleMedia.continuations(20)) == .undecodable(.noPacketStart))
        #expect(look(SampleMedia.tables + SampleMedia.continuations(20)) == .undecodable(.noPacketStart))
        let late = SampleMedia.continuations(20) + SampleMedia.transportStream(1)
        #expect(look(late) == .media(.transportStream))
    }

    @Test("accepts scrambled packets, since their content can't be seen")
    func scrambled() {
        let bytes = SampleMedia.tables + SampleMedia.continuations(20, scrambled: true)
        #expect(look(bytes) == .media(.transportStream))
    }

    @Test("finds packets that begin with an adaptation field, or have nothing else")
    func adaptation() {
        var filled = [UInt8](repeating: 0xFF, count: 188)
        filled.replaceSubrange(0..<6, with: [0x47, 0x01, 0, 0x20, 183, 0])
        var started = [UInt8](repeating: 0xFF, count: 188)
        started.replaceSubrange(0..<6, with: [0x47, 0x41, 0, 0x31, 100, 0x50])
        started.replaceSubrange(105..<109, with: [0, 0, 1, 0xE0])
        #expect(look(filled + started) == .media(.transportStream))
        #expect(look(SampleMedia.tables + filled + started) == .media(.transportStream))
    }

    @Test("is not misled by an adaptation field that is longer than its packet")
    func longAdaptation() {
        var bytes = SampleMedia.transportStream(10)
        for packet in 0..<9 { bytes.replaceSubrange(packet * 188 + 3..<packet * 188 + 5, with: [0x30, 255]) }
        #expect(look(bytes) == .media(.transportStream))
    }

    @Test("recognizes a single packet")
    func single() {
        #expect(look(SampleMedia.transportStream(1)) == .media(.transportStream))
        #expect(look(Array(SampleMedia.transportStream(1).prefix(187))) == .unrecognized)
    }

    @Test("takes a cut anywhere in the last packet as it is", arguments: [1, 4, 100, 187])
    func cut(_ missing: Int) {
        #expect(look(SampleMedia.transportStream(20).dropLast(missing)) == .media(.transportStream))
    }

    @Test("accepts a stream that begins inside a packet", arguments: [1, 4, 100, 187])
    func goesOn(_ missing: Int) {
        let bytes = Array(SampleMedia.transportStream(20).dropFirst(missing))
        #expect(look(bytes) == .media(.transportStream))
        #expect(look(bytes.dropLast(50)) == .media(.transportStream))
    }

    @Test(
        "skips a few broken packets, and reports where more of them begin",
        arguments: [188, 192, 204])
    func outOfStep(_ stride: Int) {
        let plain = SampleMedia.transportStream(100)
        let whole =
            stride == 188
            ? plain : stride == 192 ? SampleMedia.withTimes(plain) : SampleMedia.withChecksums(plain)
        let first = 40 * stride + (stride == 192 ? 4 : 0)
        for (count, isTaken) in [(1, true), (4, true), (6, false), (30, false)] {
            var bytes = whole
            bytes.replaceSubrange(first..<first + count * stride, with: Self.noise(count * stride))
            let defect = MediaVerdict.undecodable(.syncLost(at: first))
            #expect(look(bytes) == (isTaken ? .media(.transportStream) : defect))
        }
    }

    @Test("finds the same in a large stream as in a small one", arguments: 0..<10)
    func large(_ tenth: Int) {
        let whole = SampleMedia.transportStream(3000)
        #expect(look(whole) == .media(.transportStream))
        let first = (tenth * 280 + 10) * 188
        func damaged(_ packets: Int) -> [UInt8] {
            var bytes = whole
            bytes.replaceSubrange(first..<first + packets * 188, with: Self.noise(packets * 188))
            return bytes
        }
        #expect(look(damaged(120)) == .media(.transportStream))
        #expect(look(damaged(160)) == .undecodable(.syncLost(at: first)))
        let shifted = Array(whole.prefix(first)) + Self.noise(29) + whole.dropFirst(first)
        #expect(look(shifted) == .media(.transportStream))
    }

    @Test("skips a broken second packet, and a broken third one", arguments: [1, 2], [4, 50])
    func brokenEarly(_ packet: Int, _ count: Int) {
        var bytes = SampleMedia.transportStream(count)
        bytes[packet * 188] = 0
        #expect(look(bytes) == .media(.transportStream))
    }

    @Test("finds losses that are spread over a large stream")
    func spread() {
        var bytes = SampleMedia.transportStream(3000)
        for packet in 0..<300 { bytes[packet * 1880 + 188] = 0 }
        #expect(look(bytes) == .undecodable(.syncLost(at: 188)))
    }

    @Test("counts all losses behind the first one that it has found")
    func twoLosses() {
        var bytes = SampleMedia.transportStream(3000)
        // The first is found by samples of the rest; the second would lie between such samples.
        for (first, count) in [(710, 100), (1000, 60)] {
            bytes.replaceSubrange(first * 188..<(first + count) * 188, with: Self.noise(count * 188))
        }
        #expect(look(bytes) == .undecodable(.syncLost(at: 710 * 188)))
    }

    @Test("finds the step again behind bytes that were lost or added")
    func newStep() {
        let (first, second) = (SampleMedia.transportStream(60), SampleMedia.transportStream(60, seed: 2))
        #expect(look(first.dropLast(37) + second) == .media(.transportStream))
        #expect(look(first + Self.noise(250) + second) == .media(.transportStream))
        let far = first + Self.noise(188 * 20) + second
        #expect(look(far) == .undecodable(.syncLost(at: first.count)))
    }

    @Test("reports the missing end of media that are cut")
    func onlyHead() {
        let bytes = SampleMedia.transportStream(10) + [UInt8](repeating: 0, count: 188 * 30)
        #expect(look(bytes) == .undecodable(.syncLost(at: 1880)))
    }

    /// Bytes without the one that packets begin with.
    private static func noise(_ count: Int) -> [UInt8] {
        OriginResource.pattern(count, seed: 99).map { $0 == 0x47 ? 0x48 : $0 }
    }
}

extension ArraySlice<UInt8> {
    fileprivate static func + (left: ArraySlice, right: [UInt8]) -> [UInt8] { Array(left) + right }
}

private func look(_ bytes: ArraySlice<UInt8>) -> MediaVerdict { look(Array(bytes)) }
