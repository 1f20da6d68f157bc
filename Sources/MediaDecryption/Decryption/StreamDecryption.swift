/// Decrypts from the first byte to the last: bytes go in, and come out in the clear some time later.
package protocol StreamDecryption: Sendable {
    /// Takes more bytes; returns the decrypted ones.
    mutating func append(_ bytes: [UInt8]) throws(StoreError) -> [UInt8]
    /// Ends the stream; returns the rest.
    mutating func end() throws(StoreError) -> [UInt8]
}

/// Reads media that can be decrypted from their beginning only. A reader that begins in the middle waits for the
/// bytes before.
package struct StreamReader<Decryption: StreamDecryption>: ClearReader {
    private let fresh: Decryption
    private var decryption: Decryption
    /// Encrypted bytes that were taken.
    private var taken = 0
    private var isEnded = false
    /// Clear bytes that were not read yet, and where they begin.
    private var ready: [UInt8] = []
    private var start = 0
    private static var pieceSize: Int { 64 << 10 }

    package init(_ decryption: Decryption) { (fresh, self.decryption) = (decryption, decryption) }

    package mutating func read(
        at offset: Int, count: Int, from source: any EncryptedSource
    ) throws(StoreError) -> ClearStep {
        if offset < start { self = StreamReader(fresh) }
        while true {
            if offset < start + ready.count {
                ready.removeFirst(offset - start)
                start = offset
                return .bytes(ready.prefix(count))
            }
            guard !isEnded else { return .end }
            let gathered = try source.gather(at: taken, count: Self.pieceSize)
            start += ready.count
            taken += gathered.bytes.count
            ready = try decryption.append(gathered.bytes)
            switch gathered.state {
            case .enough: break
            case .end:
                ready += try decryption.end()
                isEnded = true
            case .wait, .failed:
                if ready.isEmpty { return ClearStep(gathered.state, upTo: taken) }
            }
        }
    }
}

/// Decrypts SAMPLE-AES in packed audio, frame by frame.
package struct PackedAudioDecryption: StreamDecryption {
    private let aes: SampleAES
    private let kind: SampleAES.Audio
    /// The bytes that were given and have not come out yet.
    private var bytes: [UInt8] = []
    /// Bytes that are no part of a frame, before the next one.
    private var passing = 0

    package init(_ aes: SampleAES, _ kind: SampleAES.Audio) { (self.aes, self.kind) = (aes, kind) }

    package mutating func append(_ more: [UInt8]) throws(StoreError) -> [UInt8] {
        bytes += more
        return try take(isLast: false)
    }

    package mutating func end() throws(StoreError) -> [UInt8] { try take(isLast: true) }

    private mutating func take(isLast: Bool) throws(StoreError) -> [UInt8] {
        let first = min(passing, bytes.count)
        let next =
            try passing > bytes.count
            ? passing : aes.audio(&bytes, first..<bytes.count, kind: kind, isLast: isLast)
        let done = min(next, bytes.count)
        passing = next - done
        let ready = Array(bytes[..<done])
        bytes.removeFirst(done)
        return ready
    }
}

/// Bytes that are in the clear already, in one piece.
package struct ReadyBytes: ClearReader {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package func read(at offset: Int, count: Int, from source: any EncryptedSource) -> ClearStep {
        offset < bytes.count ? .bytes(bytes[offset..<min(bytes.count, offset + count)]) : .end
    }
}
