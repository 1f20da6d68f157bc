import MediaContainers
import TestSupport
import Testing

@Suite("A look at packed audio, at its borders")
struct LookSoundTests {
    private func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in frame } }

    @Test("knows frames of ADTS that have nothing behind their header, and no shorter ones")
    func shortest() {
        #expect(look(SampleMedia.adts([7, 7, 7, 7])) == .media(.adts))
        #expect(look(repeated([0xFF, 0xF1, 0x50, 0x80, 0, 0xDF], 10)) == .unrecognized)
    }

    @Test("knows the thirteen rates of ADTS", arguments: 0..<16)
    func rates(_ index: Int) {
        let head: [UInt8] = [0xFF, 0xF1, 0x40 | UInt8(index << 2), 0x80, 0x02, 0x1F, 0xFC]
        let frame = head + [UInt8](repeating: 0x55, count: 9)
        #expect(look(repeated(frame, 6)) == (index < 13 ? .media(.adts) : .unrecognized))
    }

    @Test("passes over a tag that ends with the bytes, and over none that is longer")
    func lastTag() {
        let bytes = SampleMedia.adts([400, 400, 400]) + SampleMedia.id3(3000)
        #expect(look(bytes) == .media(.adts))
        #expect(look(Array(bytes.dropLast())) == .undecodable(.framesLost))
    }

    @Test("lets a third of the bytes of short audio be no frame", arguments: [(304, true), (305, false)])
    func lost(_ count: Int, isTaken: Bool) {
        // Of the last three bytes none can begin a frame.
        let bytes = SampleMedia.adts([200, 200, 200]) + [UInt8](repeating: 0x55, count: count)
        #expect(look(bytes) == (isTaken ? .media(.adts) : .undecodable(.framesLost)))
    }
}

@Suite("Bytes that are no media of HLS, by their first ones")
struct LookForeignTests {
    @Test(
        "are zlib with its method, a window, no dictionary and the right check",
        arguments: [
            ([0x78, 0x01], true), ([0x78, 0x5E], true), ([0x78, 0x9C], true), ([0x78, 0xDA], true),
            ([0x08, 0x1D], true),
            // A dictionary, a wrong check, a window of 64 KiB, and another method.
            ([0x78, 0x20], false), ([0x78, 0x9D], false), ([0x88, 0x1C], false), ([0x79, 0x18], false),
        ] as [([UInt8], Bool)])
    func zlib(_ start: [UInt8], isTaken: Bool) {
        #expect(ForeignFormat(head: start + [0, 1, 2, 3]) == (isTaken ? .zlib : nil))
    }

    @Test("are zlib with two bytes, unless media go on behind them")
    func zlibByChance() {
        #expect(ForeignFormat(head: [0x78, 0x9C]) == .zlib)
        #expect(look([0x78, 0x9C] + [UInt8](repeating: 0x55, count: 400)) == .foreign(.zlib))
        let cut = [0x78, 0x9C, 1, 2, 3] + SampleMedia.transportStream(20)
        #expect(look(cut) == .media(.transportStream))
    }

    @Test(
        "are a unit of H.264 or H.265 behind two or three zeros",
        arguments: [
            ([0, 0, 1, 0x67], true), ([0, 0, 0, 1, 0x40], true), ([0, 0, 1, 1], true),
            ([0, 0, 1, 0x7F], true), ([0, 0, 1, 0x80], false), ([0, 0, 1, 0], false), ([0, 0, 1], false),
            ([0, 1, 0x67], false), ([0, 0, 0, 0, 1, 0x67], false), ([0, 0, 2, 0x67], false),
        ] as [([UInt8], Bool)])
    func units(_ head: [UInt8], isTaken: Bool) {
        #expect(ForeignFormat(head: head) == (isTaken ? .annexB : nil))
    }

    @Test("are LOAS with one frame up to the end, or with the whole header of a second one")
    func loas() {
        let content = [UInt8](repeating: 0x80, count: 256)
        let cases: [([UInt8], Bool)] = [
            ([0x56, 0xE0, 0], true), ([0x56, 0xC0, 0], false), ([0x57, 0xE0, 0], false),
            ([0x56, 0xE1, 0] + content, true), ([0x56, 0xE1, 0] + Array(content.dropLast()), false),
            ([0x56, 0xE0, 1, 9, 0x56, 0xE0], false), ([0x56, 0xE0, 1, 9, 0x56, 0xE0, 0xFF], true),
        ]
        for (head, isTaken) in cases {
            #expect(ForeignFormat(head: head) == (isTaken ? .loas : nil))
        }
    }
}
