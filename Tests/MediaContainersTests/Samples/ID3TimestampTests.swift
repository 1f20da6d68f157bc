import MediaContainers
import Testing

@Suite("The time stamp of packed audio") struct ID3TimestampTests {
    private static let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]

    private func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    }

    private func tag(_ frames: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [4, 0, flags, 0, 0, 0, UInt8(frames.count)] + frames
    }

    private func stamp(_ last: UInt8) -> [UInt8] {
        frame("PRIV", Self.owner + [0, 0, 0, 0, 0, 0, 0, last])
    }

    @Test("is in any frame of a tag, and in none of those that other programs have made")
    func frames() {
        let title = frame("TIT2", [3, 65])
        for frames in [
            [], title, frame("PRIV", Array("other".utf8) + [0, 1, 2, 3]), frame("GEOB", Self.owner + [1]),
            frame("PRIV", Self.owner + [0, 0, 0, 0, 0, 0, 5]),
            frame("PRIV", Self.owner + [0, 0, 0, 0, 0, 0, 0, 0, 5]),
        ] {
            let read = ID3Timestamp.read(tag(frames))
            #expect(read.end == frames.count + 10 && read.stamp == nil)
        }
        for frames in [stamp(5), title + stamp(5), stamp(5) + title, stamp(5) + stamp(6)] {
            #expect(ID3Timestamp.read(tag(frames) + [0xFF]).stamp == 5)
        }
    }

    @Test("is that of the first tag that has one, and the sound begins behind all tags")
    func tags() {
        let bytes = tag([]) + tag(stamp(5)) + tag(stamp(6)) + [0xFF, 0xF1]
        let read = ID3Timestamp.read(bytes)
        #expect(read.stamp == 5 && read.end == bytes.count - 2)
        #expect(ID3Timestamp.read([0xFF, 0xF1]).end == 0)
    }

    @Test("is in a tag that is whole; a footer behind it is no sound")
    func borders() {
        let whole = tag(stamp(5))
        #expect(ID3Timestamp.read(whole).stamp == 5 && ID3Timestamp.read(whole).end == whole.count)
        #expect(ID3Timestamp.read(whole.dropLast() + []).end == 0)
        let footed = tag(stamp(5), flags: 0x10)
        for (more, end) in [(10, 10), (12, 10), (9, 9), (0, 0)] {
            let bytes = footed + [UInt8](repeating: 0x33, count: more)
            #expect(ID3Timestamp.read(bytes).end == footed.count + end)
        }
    }
}
