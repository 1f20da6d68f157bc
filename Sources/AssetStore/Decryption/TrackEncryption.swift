/// How the samples of a track are encrypted (ISO/IEC 23001-7, `schm` and `tenc`).
struct TrackEncryption: Equatable {
    enum Scheme: String {
        /// AES-CTR over all protected bytes of a sample.
        case cenc
        /// AES-CTR over a pattern of blocks.
        case cens
        /// AES-CBC over all whole blocks of a sample, in one chain.
        case cbc1
        /// AES-CBC over a pattern of blocks, beginning anew in each subsample.
        case cbcs

        /// Whether a block is decrypted with the help of the one before it.
        var isChained: Bool { self == .cbc1 || self == .cbcs }
    }

    /// How its samples are encrypted that no group says otherwise of.
    var sample: SampleEncryption
    /// Bytes of a sample, where neither fragment nor run says so.
    var defaultSampleSize = 0
    /// The groups of samples that the movie describes.
    var groups: [SampleEncryption] = []

    /// The identifiers of its keys, as far as the movie tells.
    var keyIDs: [[UInt8]] { ([sample] + groups).filter(\.isProtected).map(\.keyID) }

    /// The encrypted tracks of an initialization section, by their number.
    static func tracks(ofInitialization bytes: [UInt8]) -> [Int: TrackEncryption] {
        guard let movie = MP4Box.find(["moov"], bytes, in: 0..<bytes.count) else { return [:] }
        let boxes = MP4Box.list(bytes, in: movie.content)
        var sizes: [Int: Int] = [:]
        for extends in boxes where extends.type == "mvex" {
            for box in MP4Box.list(bytes, in: extends.content) where box.type == "trex" {
                let start = box.content.lowerBound
                sizes[Int(bytes.number(at: start + 4, 4))] = Int(bytes.number(at: start + 16, 4))
            }
        }
        var tracks: [Int: TrackEncryption] = [:]
        for box in boxes where box.type == "trak" {
            guard let header = MP4Box.find(["tkhd"], bytes, in: box.content),
                var encryption = entry(bytes, of: box).flatMap({ read(bytes, $0.protection) })
            else { continue }
            let isLong = bytes.number(at: header.content.lowerBound, 1) == 1
            let number = Int(bytes.number(at: header.content.lowerBound + (isLong ? 20 : 12), 4))
            encryption.defaultSampleSize = sizes[number] ?? 0
            if let table = MP4Box.find(["mdia", "minf", "stbl"], bytes, in: box.content) {
                encryption.groups = SampleGroups.descriptions(
                    bytes, MP4Box.list(bytes, in: table.content), scheme: encryption.sample.scheme)
            }
            tracks[number] = encryption
        }
        return tracks
    }

    /// The section as it would be had nothing been encrypted; of the same length.
    static func clear(initialization bytes: [UInt8]) -> [UInt8] {
        var clear = bytes
        guard let movie = MP4Box.find(["moov"], bytes, in: 0..<bytes.count) else { return bytes }
        let inMovie = MP4Box.list(bytes, in: movie.content)
        for box in MP4Box.list(bytes, in: 0..<bytes.count) + inMovie where box.type == "pssh" {
            box.rename(to: "free", in: &clear)
        }
        for box in inMovie where box.type == "trak" {
            guard let entry = entry(bytes, of: box),
                let format = MP4Box.find(["frma"], bytes, in: entry.protection.content),
                format.content.count == 4
            else { continue }
            clear.replaceSubrange(entry.box.start + 4..<entry.box.start + 8, with: bytes[format.content])
            entry.protection.rename(to: "free", in: &clear)
        }
        return clear
    }

    /// The encrypted sample entry of a track, with its `sinf`.
    private static func entry(_ bytes: [UInt8], of track: MP4Box) -> (box: MP4Box, protection: MP4Box)? {
        let path = ["mdia", "minf", "stbl", "stsd"]
        guard let list = MP4Box.find(path, bytes, in: track.content), list.content.count > 8 else {
            return nil
        }
        let entries = MP4Box.list(bytes, in: list.content.lowerBound + 8..<list.content.upperBound)
        for entry in entries {
            // Bytes of a sample entry before its boxes (ISO/IEC 14496-12, sections 12.1.3 and 12.2.3).
            let fixed = ["encv": 78, "enca": 28][entry.type]
            guard let fixed, entry.content.count > fixed else { continue }
            let boxes = entry.content.lowerBound + fixed..<entry.content.upperBound
            if let protection = MP4Box.find(["sinf"], bytes, in: boxes) { return (entry, protection) }
        }
        return nil
    }

    private static func read(_ bytes: [UInt8], _ protection: MP4Box) -> TrackEncryption? {
        guard let kind = MP4Box.find(["schm"], bytes, in: protection.content), kind.content.count >= 8,
            let box = MP4Box.find(["schi", "tenc"], bytes, in: protection.content)
        else { return nil }
        let name = bytes[kind.content.lowerBound + 4..<kind.content.lowerBound + 8]
        guard let scheme = Scheme(rawValue: String(decoding: name, as: UTF8.self)) else { return nil }
        var cursor = ByteCursor(bytes, box.content)
        let version = cursor.number(1)
        cursor.skip(4)
        let pattern = cursor.number(1)
        let isProtected = cursor.number(1)
        let ivSize = cursor.number(1)
        let keyID = cursor.take(16)
        let constantSize = isProtected == 1 && ivSize == 0 ? cursor.number(1) : 0
        let constant = cursor.take(constantSize)
        guard cursor.isValid, ivSize == 0 || ivSize == 8 || ivSize == 16 else { return nil }
        return TrackEncryption(
            sample: SampleEncryption(
                scheme: scheme, isProtected: isProtected == 1, cryptBlocks: version == 0 ? 0 : pattern >> 4,
                skipBlocks: version == 0 ? 0 : pattern & 15, ivSize: ivSize, keyID: keyID,
                constantIV: constant))
    }
}
