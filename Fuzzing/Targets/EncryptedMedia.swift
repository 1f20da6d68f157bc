#if DEBUG || FUZZING
    @testable internal import AssetStore
    @testable internal import Downloads
    @testable internal import Licensing
    @testable internal import MediaDecryption
    @testable internal import StoreCatalog
    @testable internal import StoreFiles
    @testable internal import StoreModel

    extension FuzzTarget {
        static let encryptedMedia = [
            FuzzTarget("fragment", tokens: fragmentTokens) { bytes throws(Finding) in
                let half = bytes.count / 2
                let (section, segment) = (Array(bytes[..<half]), Array(bytes[half...]))
                let clear = TrackEncryption.clear(initialization: section)
                try Finding.expect(clear.count == section.count, "a section in the clear is as long")
                guard let cipher else { return }
                let tracks = (try? TrackEncryption.tracks(ofInitialization: section)) ?? [:]
                try check(FragmentReader(tracks: tracks) { _ in cipher }, segment, isSameLength: false)
                let any = TrackEncryption(entries: [constant])
                try check(FragmentReader(tracks: [1: any]) { _ in cipher }, bytes, isSameLength: false)
            },
            FuzzTarget("sample-aes", tokens: streamTokens) { bytes throws(Finding) in
                guard let cipher else { return }
                let aes = SampleAES(cipher: cipher, iv: [UInt8](repeating: 7, count: 16))
                try check(StreamReader(TransportStreamDecryption(aes)), bytes, isSameLength: true)
                for kind in [SampleAES.Audio.adts, .ac3, .eac3] {
                    try check(StreamReader(PackedAudioDecryption(aes, kind)), bytes, isSameLength: true)
                }
            },
            FuzzTarget("whole-segment", tokens: ["\u{1}", "\u{10}", "0123456789abcdef"]) {
                bytes throws(Finding) in
                guard let cipher else { return }
                for isLengthKnown in [false, true] {
                    let source = MemorySource(bytes, isLengthKnown: isLengthKnown)
                    let reader = try? WholeSegmentReader(
                        cipher, iv: [UInt8](repeating: 7, count: 16), of: source)
                    if let reader { try check(reader, source, isSameLength: false) }
                }
            },
            FuzzTarget("container", tokens: ["G", "ID3", "ftyp", "moof", "WEBVTT", "\u{B}w", "\u{FEFF}"]) {
                bytes throws(Finding) in
                let format = ContainerFormat(sniffing: bytes)
                let longer = ContainerFormat(sniffing: bytes + [UInt8](repeating: 0x47, count: 400))
                try Finding.expect(
                    format == nil || format == .ts || bytes.count < 200 || longer == format,
                    "what is recognized stays so with more bytes")
            },
        ]

        private static let fragmentTokens = [
            "moov", "trak", "tkhd", "mdia", "minf", "stbl", "stsd", "encv", "enca", "sinf", "schm", "schi",
            "tenc", "cenc", "cbcs", "cbc1", "cens", "frma", "mvex", "trex", "moof", "traf", "tfhd", "trun",
            "senc",
            "saiz", "saio", "sbgp", "sgpd", "seig", "mdat", "pssh", "uuid", "\0\0\0\u{8}", "\0\0\0\u{10}",
            "\0\0\0\u{1}", "\0\0\0\0",
        ]
        private static let streamTokens = [
            "G@\u{11}\u{10}", "GP\u{11}\u{10}", "\0\0\u{1}", "ID3\u{4}\0\0\0\0\0\n", "\u{B}w", "\0\u{2}",
        ]

        private static let cipher = try? ContentCipher([UInt8](0..<16))
        private static let constant = SampleEncryption(
            scheme: .cbcs, cryptBlocks: 1, skipBlocks: 9, ivSize: 8, keyID: [UInt8](0..<16),
            constantIV: [UInt8](repeating: 7, count: 16))

        private static func check(
            _ reader: some ClearReader, _ bytes: [UInt8], isSameLength: Bool
        ) throws(Finding) {
            try check(reader, MemorySource(bytes, isLengthKnown: true), isSameLength: isSameLength)
        }

        /// Reads to the end: each step returns bytes, and never more than there are.
        private static func check(
            _ reader: some ClearReader, _ source: MemorySource, isSameLength: Bool
        ) throws(Finding) {
            var reader = reader
            var count = 0
            while let step = try? reader.read(at: count, count: 300, from: source) {
                switch step {
                case .bytes(let part):
                    try Finding.expect(!part.isEmpty, "a part is not empty")
                    count += part.count
                    try Finding.expect(count <= source.bytes.count, "no more comes out than went in")
                case .end:
                    let isWhole = count == source.bytes.count
                    return try Finding.expect(isWhole || !isSameLength, "everything comes out")
                case .wait(let place):
                    throw Finding(description: "nothing more comes, but it waits for \(place)")
                case .failed: return
                }
            }
        }
    }

    /// Encrypted bytes in memory.
    private struct MemorySource: EncryptedSource {
        let bytes: [UInt8]
        let count: Int?

        init(_ bytes: [UInt8], isLengthKnown: Bool) {
            self.bytes = bytes
            count = isLengthKnown ? bytes.count : nil
        }

        func read(at offset: Int, count: Int) -> ArrivingFile.Step {
            guard offset < bytes.count else { return .end }
            return .bytes(Array(bytes[offset..<offset + min(count, bytes.count - offset)]))
        }

        func whenGrown(beyond offset: Int, wake: @escaping @Sendable () -> Void) { wake() }
    }
#else
    extension FuzzTarget {
        static let encryptedMedia: [FuzzTarget] = []
    }
#endif
