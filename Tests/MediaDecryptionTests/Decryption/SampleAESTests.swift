import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("SAMPLE-AES of pictures")
struct EncryptedSliceTests {
    private static let iv = [UInt8](16..<32)

    private func cipher() throws -> ContentCipher { try ContentCipher([UInt8](0..<16)) }

    /// A slice as the format has it: after 32 bytes one block in ten is encrypted, while more than a block is left.
    private func encrypted(_ slice: [UInt8]) throws -> [UInt8] {
        var (bytes, start, places) = (slice, 32, [Range<Int>]())
        while slice.count - start > 16 {
            places.append(start..<start + 16)
            start += 160
        }
        let hidden = try cipher().chained(places.flatMap { slice[$0] }, iv: Self.iv)
        for (number, place) in places.enumerated() {
            bytes.replaceSubrange(place, with: hidden[number * 16..<number * 16 + 16])
        }
        return bytes
    }

    /// A unit with the bytes that keep start codes out of it.
    private func escaped(_ unit: [UInt8]) -> [UInt8] {
        var (bytes, zeros) = ([UInt8](), 0)
        for byte in unit {
            if zeros == 2, byte <= 3 {
                bytes.append(3)
                zeros = 0
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    private func slice(_ type: UInt8, _ count: Int) -> [UInt8] {
        [type] + OriginResource.pattern(count - 1, seed: UInt64(count)).map { $0 | 1 }
    }

    private func clear(_ bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        try SampleAES(cipher: try cipher(), iv: Self.iv).video(&bytes)
        return bytes
    }

    @Test(
        "hides one block in ten of each slice of more than 48 bytes, never the last one",
        arguments: [33, 47, 48, 49, 64, 65, 192, 207, 208, 209, 224, 225, 400])
    func slices(count: Int) throws {
        let delimiter: [UInt8] = [0, 0, 0, 1, 9, 0xF0]
        let message = [0, 0, 1] + slice(6, 100)
        for type: UInt8 in [0x65, 0x41] {
            let slice = slice(type, count)
            let hidden = escaped(try encrypted(slice))
            let filled = slice + [UInt8](repeating: 0, count: hidden.count - slice.count)
            let before = delimiter + [0, 0, 1]
            #expect(try clear(before + hidden + message) == before + filled + message)
            #expect(
                try clear(before + hidden + [0, 0] + before + hidden) == before + filled + [0, 0] + before
                    + filled)
        }
    }

    @Test("loses the bytes that kept start codes out of it, and has zeros behind it for them")
    func escapes() throws {
        var slice = slice(0x65, 100)
        slice.replaceSubrange(5..<8, with: [0, 0, 1])
        slice.replaceSubrange(60..<64, with: [0, 0, 0, 3])
        let hidden = escaped(try encrypted(slice))
        try #require(hidden.count >= slice.count + 2)
        let filled = slice + [UInt8](repeating: 0, count: hidden.count - slice.count)
        #expect(try clear([0, 0, 1] + hidden) == [0, 0, 1] + filled)
        // With them it has 49 bytes, and without them 48.
        var short = self.slice(0x65, 48)
        short.replaceSubrange(5..<8, with: [0, 0, 1])
        #expect(try clear([0, 0, 1] + escaped(short)) == [0, 0, 1] + escaped(short))
    }

    @Test(
        "leaves a stream without slices as it is",
        arguments: [[], [0, 0, 1], [0, 0, 1, 0, 0], [1], [0, 1], [0, 0, 1, 0x65], [0, 0, 1, 9, 0, 0, 1]]
            as [[UInt8]])
    func none(bytes: [UInt8]) throws {
        #expect(try clear(bytes) == bytes)
    }
}

@Suite("SAMPLE-AES of sound")
struct EncryptedFrameTests {
    private static let iv = [UInt8](16..<32)

    private func aes() throws -> SampleAES {
        SampleAES(cipher: try ContentCipher([UInt8](0..<16)), iv: Self.iv)
    }

    /// A frame in the clear, and as the format has it: whole blocks behind the header and 16 bytes are encrypted.
    private func frame(_ header: [UInt8], _ size: Int) throws -> (clear: [UInt8], hidden: [UInt8]) {
        let clear = header + OriginResource.pattern(size - header.count, seed: UInt64(size))
        let head = header[1] >= 0xF0 ? header.count : 0
        let first = min(size, head + 16)
        let blocks = (size - first) / 16 * 16
        let chained = try aes().cipher.chained(Array(clear[first..<first + blocks]), iv: Self.iv)
        return (clear, clear[..<first] + chained + clear[(first + blocks)...])
    }

    private func adts(_ size: Int, hasChecksum: Bool = false) throws -> (clear: [UInt8], hidden: [UInt8]) {
        let head: [UInt8] = [
            0xFF, hasChecksum ? 0xF0 : 0xF1, 0x4C, 0x80 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF),
            UInt8(size & 7) << 5 | 0x1F, 0xFC,
        ]
        return try frame(head + (hasChecksum ? [5, 6] : []), size)
    }

    private func expect(
        _ frames: [(clear: [UInt8], hidden: [UInt8])], _ kind: SampleAES.Audio,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var bytes = frames.flatMap(\.hidden)
        try aes().audio(&bytes, 0..<bytes.count, kind: kind)
        #expect(bytes == frames.flatMap(\.clear), sourceLocation: sourceLocation)
    }

    @Test("hides whole blocks of AAC behind the header, with its checksum, and 16 bytes")
    func aac() throws {
        try expect([7, 22, 23, 24, 38, 39, 40, 54, 55, 56, 700].map { try adts($0) }, .adts)
        try expect([9, 24, 25, 26, 40, 41, 42, 57, 700].map { try adts($0, hasChecksum: true) }, .adts)
    }

    @Test("hides whole blocks of Dolby Digital behind 16 bytes of a frame")
    func dolby() throws {
        let plain = try frame([0x0B, 0x77, 0, 0, 0x00], 128)
        let other = try frame([0x0B, 0x77, 0, 0, 0x40], 138)
        try expect([plain, other, plain], .ac3)
        let sizes = [32, 34, 128, 302]
        let enhanced = try sizes.map { size in
            let code = (size - 2) / 2
            return try frame([0x0B, 0x77, UInt8(code >> 8), UInt8(code & 0xFF)], size)
        }
        try expect(enhanced, .eac3)
    }

    @Test("leaves what is no frame as it is, and what follows it")
    func others() throws {
        let frame = try adts(60)
        for kind in [SampleAES.Audio.ac3, .eac3] {
            var bytes = frame.hidden
            try aes().audio(&bytes, 0..<bytes.count, kind: kind)
            #expect(bytes == frame.hidden)
        }
        var bytes = frame.hidden + [1] + frame.hidden
        try aes().audio(&bytes, 0..<bytes.count, kind: .adts)
        #expect(bytes == frame.clear + [1] + frame.hidden)
    }

    @Test("gives a frame out with its last byte, and not before")
    func arriving() throws {
        let frame = try adts(60)
        var reader = PackedAudioDecryption(try aes(), .adts)
        #expect(try reader.append(frame.hidden.dropLast()) == [])
        #expect(try reader.append([frame.hidden[59]]) == frame.clear)
        #expect(try reader.append(frame.hidden + frame.hidden) == frame.clear + frame.clear)
        // What was cut off is decrypted as far as it goes.
        #expect(try reader.append(Array(frame.hidden.prefix(40))) == [])
        #expect(try reader.end() == frame.clear.prefix(39) + [frame.hidden[39]])
    }

    @Test("gives tags and frames of ten bytes, the shortest ones, out with their last byte")
    func shortest() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
        let frame = try adts(10)
        for bytes in [tag, frame.hidden] {
            var reader = PackedAudioDecryption(try aes(), .adts)
            #expect(try reader.append(bytes.dropLast()) == [])
            #expect(try reader.append(Array(bytes.suffix(1))) == bytes)
        }
    }

    @Test(
        "passes tags before and between frames, of any length", arguments: [0, 1, 127, 128, 300],
        [1, 13, 400])
    func tags(length: Int, step: Int) throws {
        let tag =
            Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(length >> 7), UInt8(length & 0x7F)]
            + [UInt8](repeating: 0xFF, count: length)
        let frame = try adts(60)
        let hidden = tag + frame.hidden + tag + frame.hidden + frame.hidden
        var (reader, clear) = (PackedAudioDecryption(try aes(), .adts), [UInt8]())
        for start in stride(from: 0, to: hidden.count, by: step) {
            clear += try reader.append(Array(hidden[start..<min(start + step, hidden.count)]))
        }
        clear += try reader.end()
        #expect(clear == tag + frame.clear + tag + frame.clear + frame.clear)
    }
}

extension PackedAudioDecryption {
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        try append(Array(bytes))
    }
}
