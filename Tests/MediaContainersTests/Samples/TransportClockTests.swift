import MediaContainers
import TestSupport
import Testing

@Suite("The clock of a transport stream that is moved", .enabled(if: FFmpeg.runs, "ffmpeg is missing"))
struct TransportClockTests {
    private static let (hour, period) = (Int64(3600 * 90_000), Int64(1) << 33)

    private static func times(_ bytes: [UInt8], near time: Int64? = nil) throws -> [[Int64]] {
        var reader = TransportSamples(near: time)
        return try reader.read(bytes).map { track in
            track.samples.map { Ticks.of($0.decodeTime, track.timescale) }
        }
    }

    private enum Ticks {
        /// A time in ticks of 90 kHz, to the millisecond.
        static func of(_ time: Int64, _ timescale: UInt32) -> Int64 { time * 1000 / Int64(timescale) }
    }

    @Test(
        "has all times later, changes no other byte, and comes back",
        arguments: [hour, -5000, period - 90_000] as [Int64])
    func moved(_ shift: Int64) throws {
        let bytes = try FFmpeg.stream(StreamShape.plain)
        var moved = bytes
        TransportClock(shift: shift).move(&moved)
        #expect(moved != bytes && moved.count == bytes.count)
        let expected = try Self.times(bytes, near: shift).map { $0.map { $0 + shift / 90 } }
        let found = try Self.times(moved, near: shift)
        for (one, other) in zip(found, expected) {
            #expect(zip(one, other).allSatisfy { abs($0 - $1) % 95_443_717 <= 1 })
        }
        TransportClock(shift: -shift).move(&moved)
        #expect(moved == bytes)
    }

    @Test("has its clock references moved, too")
    func references() throws {
        let bytes = try FFmpeg.stream(StreamShape.plain)
        var moved = bytes
        TransportClock(shift: 90_000).move(&moved)
        func references(_ bytes: [UInt8]) -> [UInt64] {
            stride(from: 0, to: bytes.count, by: 188).compactMap { place in
                guard bytes[place + 3] & 0x20 != 0, bytes[place + 4] >= 7, bytes[place + 5] & 0x10 != 0 else {
                    return nil
                }
                let base = bytes[place + 6..<place + 10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return base << 1 | UInt64(bytes[place + 10] >> 7)
            }
        }
        #expect(references(bytes).count > 5)
        #expect(references(moved) == references(bytes).map { $0 + 90_000 })
    }

    @Test("leaves bytes that are not a transport stream unchanged")
    func other() {
        var bytes = [UInt8](repeating: 1, count: 1000)
        TransportClock(shift: 1).move(&bytes)
        #expect(bytes == [UInt8](repeating: 1, count: 1000))
    }
}
