#if DEBUG || FUZZING
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel
    internal import Locking
    internal import MediaContainers

    extension FuzzTarget {
        static let mediaLooks = [
            FuzzTarget("media-look", tokens: mediaTokens) { bytes throws(Finding) in
                let look = MediaLook(expecting: expectation(of: bytes))
                let source = CountedBytes(bytes)
                let verdict = look.judge(source)
                try Finding.expect(
                    source.total <= 64 * (bytes.count + 1024), "a look reads \(source.total) bytes")
                try Finding.expect(look.judge(ArrayBytes(bytes)) == verdict, "a verdict stands")
                let span = TransportOutline.read(ArrayBytes(bytes))?.span ?? 0
                try Finding.expect(
                    (0..<47_722).contains(span), "a span is below half of what time stamps count")
            },
            FuzzTarget("movie-outline", tokens: mediaTokens + outlineTokens) { bytes throws(Finding) in
                // The bytes are the initialization section and the segment behind it.
                let outline = MovieOutline.read(ArrayBytes(bytes))
                let start = outline.map { MediaExpectation.Start.movie($0) } ?? .nothing
                let look = MediaLook(expecting: MediaExpectation(.segment, start: start))
                let source = CountedBytes(bytes)
                let verdict = look.judge(source)
                try Finding.expect(
                    source.total <= 128 * (bytes.count + 1024), "a look reads \(source.total) bytes")
                try Finding.expect(look.judge(ArrayBytes(bytes)) == verdict, "a verdict stands")
            },
            FuzzTarget("disguise", tokens: mediaTokens + ["<!DOCTYPE html>", "GIF89a", "\u{89}PNG"]) {
                bytes throws(Finding) in
                let expectation = expectation(of: bytes)
                guard let found = Disguise.find(in: ArrayBytes(bytes), expecting: expectation) else { return }
                try Finding.expect(
                    found.length > 0 && found.length < bytes.count, "a disguise is a part of the bytes")
                let rest = ArrayBytes(Array(bytes[found.length...]))
                guard case .media = MediaLook(expecting: expectation).judge(rest) else {
                    throw Finding(description: "what is behind a disguise is media")
                }
            },
            FuzzTarget("decompressor", tokens: ["\u{1F}", "\u{8}\0\0\0\0\0\0\u{3}", "x", "\0\0", "\u{1}"]) {
                bytes throws(Finding) in
                for coding in Decompressor.Coding.allCases {
                    let whole = decoded([bytes], coding)
                    let pieces = stride(from: 0, to: bytes.count, by: 37).map {
                        Array(bytes[$0..<min($0 + 37, bytes.count)])
                    }
                    let inPieces = decoded(pieces, coding)
                    try Finding.expect(
                        whole.isEnded == inPieces.isEnded,
                        "\(coding) ends where it ends, read in pieces or not")
                    try Finding.expect(
                        !whole.isEnded || whole.bytes == inPieces.bytes, "\(coding) gives the same in pieces")
                }
            },
            FuzzTarget("clear-bytes", tokens: ["\u{10}", "0123456789abcdef"]) { bytes throws(Finding) in
                guard let cipher, bytes.count >= 16,
                    let clear = try? ClearBytes(StoredBytes(bytes: bytes), cipher),
                    let whole = try? clear.read(at: 0, count: bytes.count)
                else { return }
                try Finding.expect(
                    whole.count == clear.count && clear.count <= bytes.count, "it is as long as it says")
                let place = Int(bytes[0]) % (clear.count + 1)
                let part = try? clear.read(at: place, count: Int(bytes[1]))
                try Finding.expect(
                    part == Array(whole.dropFirst(place).prefix(Int(bytes[1]))),
                    "a part is a part of the whole")
            },
        ]

        private static let roles: [MediaExpectation.Role] = [
            .segment, .initialization, .subtitles, .picture,
        ]

        /// An expectation for bytes of this length, so that one execution makes one check.
        private static func expectation(of bytes: [UInt8]) -> MediaExpectation {
            MediaExpectation(roles[bytes.count % 4], mayEndInBox: bytes.count / 4 % 4 == 1)
        }

        private static let mediaTokens = [
            "G@\0\u{10}", "GA\0\u{10}\0\0\u{1}\u{60}", "\0\0\u{1}", "ID3\u{4}\0\0\0\0\0\n", "TAG", "\u{B}w",
            "WEBVTT",
            "ftyp", "styp", "sidx", "emsg", "moov", "trak", "moof", "traf", "tfhd", "trun", "mdat",
            "\0\0\0\u{8}", "\0\0\0\u{10}", "\0\0\0\u{1}", "\0\0\0\0", "\u{7F}\u{7F}\u{7F}\u{7F}",
        ]

        private static let outlineTokens = [
            "mvex", "trex", "tkhd", "mdia", "minf", "stbl", "stsd", "hdlr", "soun", "avc1", "avcC", "hvc1",
            "hvcC",
            "Opus", "fLaC", "ac-3", "mp4a", "encv", "sinf",
        ]

        private static let cipher = (try? ContentCipher([UInt8](0..<16))).map {
            WholeSegmentCipher(cipher: $0, iv: [UInt8](repeating: 7, count: 16))
        }

        private static let longest = 1 << 20

        /// The output of pieces that are decoded one after the other, up to a limit.
        private static func decoded(
            _ pieces: [[UInt8]], _ coding: Decompressor.Coding
        ) -> (bytes: [UInt8], isEnded: Bool) {
            guard let decoder = Decompressor(coding) else { return ([], false) }
            var bytes: [UInt8] = []
            for piece in pieces where !decoder.isEnded {
                let isSound = try? decoder.decode(piece) { part throws(StoreError) in
                    bytes += part
                    guard bytes.count <= longest else { throw StoreError(.stopped(.closing)) }
                }
                guard isSound == true else { return ([], false) }
            }
            return (bytes, decoder.isEnded)
        }
    }

    /// Bytes in memory, with the number of bytes that were read.
    private final class CountedBytes: MediaBytes {
        private let bytes: ArrayBytes
        private let read = Lock(0)

        init(_ bytes: [UInt8]) { self.bytes = ArrayBytes(bytes) }

        var count: Int { bytes.count }
        var total: Int { read.withLock { $0 } }

        func read(at offset: Int, count: Int) -> [UInt8] {
            let part = bytes.read(at: offset, count: count)
            read.withLock { $0 += part.count }
            return part
        }
    }

    /// Bytes in memory in place of a file.
    private struct StoredBytes: MediaBytes {
        let bytes: [UInt8]

        var count: Int { bytes.count }

        func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
            guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
    }
#else
    extension FuzzTarget {
        static let mediaLooks: [FuzzTarget] = []
    }
#endif
