/// Decrypts the samples of a fragmented MP4 segment where they lie (ISO/IEC 23001-7).
struct FragmentDecryption {
    private(set) var bytes: [UInt8]
    private let tracks: [Int: TrackEncryption]
    private let cipher: (_ keyID: [UInt8]) throws(StoreError) -> ContentCipher

    /// - Parameters:
    ///   - tracks: of the segment's initialization section.
    ///   - cipher: the one for a key's identifier.
    init(
        _ bytes: [UInt8], tracks: [Int: TrackEncryption],
        cipher: @escaping (_ keyID: [UInt8]) throws(StoreError) -> ContentCipher
    ) {
        (self.bytes, self.tracks, self.cipher) = (bytes, tracks, cipher)
    }

    /// The segment in the clear; of the same length.
    mutating func run() throws(StoreError) -> [UInt8] {
        for fragment in MP4Box.list(bytes, in: 0..<bytes.count) where fragment.type == "moof" {
            for box in MP4Box.list(bytes, in: fragment.content) {
                if box.type == "traf" { try decrypt(TrackFragment(bytes, box, in: fragment), box) }
                if box.type == "pssh" { box.rename(to: "free", in: &bytes) }
            }
        }
        return bytes
    }

    private mutating func decrypt(_ fragment: TrackFragment, _ box: MP4Box) throws(StoreError) {
        guard let track = tracks[fragment.track] else { return }
        guard let samples = fragment.samples(track, in: bytes) else {
            throw StoreError(.integrity(.undecryptable))
        }
        let cipher = try cipher(track.keyID)
        for sample in samples { try decrypt(sample, track, cipher) }
        for box in MP4Box.list(bytes, in: box.content)
        where ["senc", "saiz", "saio"].contains(box.type) {
            box.rename(to: "free", in: &bytes)
        }
    }

    private mutating func decrypt(
        _ sample: EncryptedSample, _ track: TrackEncryption, _ cipher: ContentCipher
    ) throws(StoreError) {
        guard sample.protected.allSatisfy({ $0.upperBound <= bytes.count }) else {
            throw StoreError(.integrity(.undecryptable))
        }
        switch track.scheme {
        case .cbcs:
            for part in sample.protected {
                try cipher.pattern(
                    &bytes, part, crypt: max(1, track.cryptBlocks), skip: track.skipBlocks, iv: sample.iv)
            }
        case .cenc:
            var joined: [UInt8] = []
            for part in sample.protected { joined += bytes[part] }
            let clear = try cipher.stream(joined, iv: sample.iv)
            var position = 0
            for part in sample.protected {
                bytes.replaceSubrange(part, with: clear[position..<position + part.count])
                position += part.count
            }
        }
    }
}

/// A sample with what of it is encrypted.
struct EncryptedSample {
    var iv: [UInt8]
    var protected: [Range<Int>]
}

/// What a `traf` says of its samples (ISO/IEC 14496-12, section 8.8.6 and following).
struct TrackFragment {
    let track: Int
    private let boxes: [MP4Box]
    private let base: Int
    private let sampleSize: Int?

    init(_ bytes: [UInt8], _ box: MP4Box, in fragment: MP4Box) {
        boxes = MP4Box.list(bytes, in: box.content)
        base = fragment.start
        guard let header = boxes.first(where: { $0.type == "tfhd" }) else {
            (track, sampleSize) = (0, nil)
            return
        }
        var cursor = ByteCursor(bytes, header.content)
        let flags = cursor.number(4) & 0xFFFFFF
        track = cursor.number(4)
        cursor.skip(flags & 0x1 == 0 ? 0 : 8)
        cursor.skip(flags & 0x2 == 0 ? 0 : 4)
        cursor.skip(flags & 0x8 == 0 ? 0 : 4)
        sampleSize = flags & 0x10 == 0 ? nil : cursor.number(4)
    }

    /// The samples in order; `nil` when what is said of them makes no sense.
    func samples(_ track: TrackEncryption, in bytes: [UInt8]) -> [EncryptedSample]? {
        var places: [Range<Int>] = []
        for run in boxes where run.type == "trun" {
            guard let own = self.places(run, track, in: bytes, after: places.last?.upperBound) else {
                return nil
            }
            places += own
        }
        guard let box = boxes.first(where: { $0.type == "senc" }) else {
            guard !track.constantIV.isEmpty else { return nil }
            return places.map { EncryptedSample(iv: track.constantIV, protected: [$0]) }
        }
        return Self.samples(places, box, track, in: bytes)
    }

    private func places(
        _ run: MP4Box, _ track: TrackEncryption, in bytes: [UInt8], after end: Int?
    ) -> [Range<Int>]? {
        var cursor = ByteCursor(bytes, run.content)
        let flags = cursor.number(4) & 0xFFFFFF
        let count = cursor.number(4)
        let offset = flags & 0x1 == 0 ? nil : Int(Int32(truncatingIfNeeded: cursor.number(4)))
        cursor.skip(flags & 0x4 == 0 ? 0 : 4)
        var start = offset.map { base + $0 } ?? end ?? base
        guard start >= 0, count <= bytes.count else { return nil }
        var places: [Range<Int>] = []
        places.reserveCapacity(count)
        for _ in 0..<count {
            cursor.skip(flags & 0x100 == 0 ? 0 : 4)
            let size = flags & 0x200 == 0 ? sampleSize ?? track.defaultSampleSize : cursor.number(4)
            cursor.skip((flags & 0x400 == 0 ? 0 : 4) + (flags & 0x800 == 0 ? 0 : 4))
            guard cursor.isValid, size >= 0, start + size <= bytes.count else { return nil }
            places.append(start..<start + size)
            start += size
        }
        return places
    }

    private static func samples(
        _ places: [Range<Int>], _ box: MP4Box, _ track: TrackEncryption, in bytes: [UInt8]
    ) -> [EncryptedSample]? {
        var cursor = ByteCursor(bytes, box.content)
        let hasSubsamples = cursor.number(4) & 0x2 != 0
        guard cursor.number(4) == places.count else { return nil }
        var samples: [EncryptedSample] = []
        samples.reserveCapacity(places.count)
        for place in places {
            let iv = track.ivSize == 0 ? track.constantIV : cursor.take(track.ivSize)
            var parts = [place]
            if hasSubsamples {
                parts = []
                var start = place.lowerBound
                for _ in 0..<cursor.number(2) {
                    start += cursor.number(2)
                    let size = cursor.number(4)
                    guard start + size <= place.upperBound else { return nil }
                    if size > 0 { parts.append(start..<start + size) }
                    start += size
                }
            }
            guard cursor.isValid else { return nil }
            samples.append(EncryptedSample(iv: iv, protected: parts))
        }
        return samples
    }
}
