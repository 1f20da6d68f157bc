/// How the samples of a track are encrypted (ISO/IEC 23001-7, `schm` and `tenc`).
package struct TrackEncryption: Equatable {
    package enum Scheme: String {
        /// AES-CTR over all protected bytes of a sample.
        case cenc
        /// AES-CTR over a pattern of blocks.
        case cens
        /// AES-CBC over all whole blocks of a sample, in one chain.
        case cbc1
        /// AES-CBC over a pattern of blocks, beginning anew in each subsample.
        case cbcs

        /// Whether the decryption of a block needs the block before.
        var isChained: Bool { self == .cbc1 || self == .cbcs }
    }

    /// The encryption of the samples of each sample entry, unless a sample group has another one.
    package var entries: [SampleEncryption]
    /// The sample entry for fragments that name none, counted from 1.
    var defaultEntry = 1
    /// The size of a sample in bytes, if neither the fragment nor the run gives it.
    var defaultSampleSize = 0
    /// The groups of samples that the movie describes.
    package var groups: [SampleEncryption] = []

    package init(
        entries: [SampleEncryption], defaultEntry: Int = 1, defaultSampleSize: Int = 0,
        groups: [SampleEncryption] = []
    ) {
        self.entries = entries
        self.defaultEntry = defaultEntry
        self.defaultSampleSize = defaultSampleSize
        self.groups = groups
    }

    /// The scheme of its first encrypted sample entry.
    package var scheme: Scheme { (entries.first(where: \.isProtected) ?? entries.first ?? .none).scheme }

    /// The identifiers of its keys, as far as the movie tells.
    package var keyIDs: [[UInt8]] { (entries + groups).filter(\.isProtected).map(\.keyID) }

    /// How the samples of an entry are encrypted, counted from 1; `nil` when there is no such entry.
    package func sample(ofEntry number: Int?) -> SampleEncryption? {
        let index = (number ?? defaultEntry) - 1
        return entries.indices.contains(index) ? entries[index] : nil
    }

    /// The encrypted tracks of an initialization section, by their number.
    ///
    /// - Throws: `scheme` for a track with an unknown encryption, `undecryptable` for an invalid description.
    package static func tracks(ofInitialization bytes: [UInt8]) throws(StoreError) -> [Int: TrackEncryption] {
        guard let movie = MP4Box.find(["moov"], bytes, in: 0..<bytes.count) else { return [:] }
        let boxes = MP4Box.list(bytes, in: movie.content)
        var tracks: [Int: TrackEncryption] = [:]
        for box in boxes where box.type == "trak" {
            guard var encryption = try track(box, bytes) else { continue }
            guard let header = MP4Box.find(["tkhd"], bytes, in: box.content) else {
                throw StoreError(.integrity(.undecryptable))
            }
            let isLong = bytes.number(at: header.content.lowerBound, 1) == 1
            let number = Int(bytes.number(at: header.content.lowerBound + (isLong ? 20 : 12), 4))
            encryption.takeDefaults(of: number, boxes, bytes)
            tracks[number] = encryption
        }
        return tracks
    }

    /// - Returns: `nil` for a track without encryption.
    private static func track(_ box: MP4Box, _ bytes: [UInt8]) throws(StoreError) -> TrackEncryption? {
        let entries = SampleEntry.list(bytes, of: box)
        guard entries.contains(where: \.isEncrypted) else { return nil }
        let samples = try entries.map { entry throws(StoreError) in try entry.encryption(bytes) }
        var track = TrackEncryption(entries: samples)
        if let table = MP4Box.find(["mdia", "minf", "stbl"], bytes, in: box.content) {
            track.groups = SampleGroups.descriptions(
                bytes, MP4Box.list(bytes, in: table.content), scheme: track.scheme)
        }
        return track
    }

    /// Takes the defaults that the movie has for a track's fragments (`trex`).
    private mutating func takeDefaults(of number: Int, _ movie: [MP4Box], _ bytes: [UInt8]) {
        for extends in movie where extends.type == "mvex" {
            for box in MP4Box.list(bytes, in: extends.content) where box.type == "trex" {
                let start = box.content.lowerBound
                guard Int(bytes.number(at: start + 4, 4)) == number else { continue }
                defaultEntry = Int(bytes.number(at: start + 8, 4))
                defaultSampleSize = Int(bytes.number(at: start + 16, 4))
            }
        }
    }

    /// The section without its descriptions of encryption, with the same length.
    package static func clear(initialization bytes: [UInt8]) -> [UInt8] {
        var clear = bytes
        guard let movie = MP4Box.find(["moov"], bytes, in: 0..<bytes.count) else { return bytes }
        let inMovie = MP4Box.list(bytes, in: movie.content)
        for box in MP4Box.list(bytes, in: 0..<bytes.count) + inMovie where box.type == "pssh" {
            box.rename(to: "free", in: &clear)
        }
        for track in inMovie where track.type == "trak" {
            for entry in SampleEntry.list(bytes, of: track) {
                guard let format = entry.format(bytes) else { continue }
                clear.replaceSubrange(entry.box.start + 4..<entry.box.start + 8, with: format)
                for box in entry.protections { box.rename(to: "free", in: &clear) }
            }
        }
        return clear
    }
}
