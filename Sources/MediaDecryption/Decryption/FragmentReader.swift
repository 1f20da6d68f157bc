/// Decrypts the samples of a fragmented MP4 segment while it is read (ISO/IEC 23001-7). Every byte keeps its offset,
/// so that indexes stay valid.
package struct FragmentReader: ClearReader {
    package typealias CipherSource = @Sendable (_ keyID: [UInt8]) throws(StoreError) -> ContentCipher

    private let tracks: [Int: TrackEncryption]
    private let cipher: CipherSource
    private var ciphers: [[UInt8]: ContentCipher] = [:]
    /// The end of the boxes that were looked at.
    private var end = 0
    /// The last `moof`, in the clear.
    private var fragment = MovieFragmentBytes(bytes: [], start: 0)
    /// The encrypted byte ranges, from the last `moof` on, in order.
    private var parts: [ProtectedPart] = []
    /// The largest size of a `moof` in bytes.
    private static let largestFragment = 16 << 20
    /// The largest number of tracks in a `moof`. It limits the memory, because each track may have very many samples.
    private static let largestTrackCount = 64

    /// - Parameters:
    ///   - tracks: the tracks of the segment's initialization section.
    ///   - cipher: returns the cipher for a key ID.
    package init(tracks: [Int: TrackEncryption], cipher: @escaping CipherSource) {
        (self.tracks, self.cipher) = (tracks, cipher)
    }

    /// Gets the keys that the tracks name before the first sample is read. A missing key is no error if the track has
    /// another key, since no sample may need it.
    ///
    /// - Throws: the error if none of a track's keys is available.
    package mutating func prepare() throws(StoreError) {
        for keys in tracks.values.map({ Set($0.keyIDs) }) {
            var failure: StoreError?
            for key in keys where ciphers[key] == nil {
                do throws(StoreError) { ciphers[key] = try cipher(key) } catch { failure = error }
            }
            if let failure, !keys.contains(where: { ciphers[$0] != nil }) { throw failure }
        }
    }

    package mutating func read(
        at offset: Int, count: Int, from source: any EncryptedSource
    ) throws(StoreError) -> ClearStep {
        if offset < fragment.start {
            (end, fragment, parts) = (0, MovieFragmentBytes(bytes: [], start: 0), [])
        }
        while offset >= end {
            if let step = try look(source) { return step }
        }
        let place = offset - fragment.start
        if place >= 0, place < fragment.bytes.count { return .bytes(fragment.bytes[place...]) }
        return try media(offset..<min(end, offset + count), source)
    }

    /// Reads the next box. It returns a step when the bytes of the box are not there yet.
    private mutating func look(_ source: any EncryptedSource) throws(StoreError) -> ClearStep? {
        let head = try source.gather(at: end, count: 16)
        guard head.bytes.count >= 8 else {
            guard head.state == .end, !head.bytes.isEmpty else {
                return ClearStep(head.state, upTo: end + head.bytes.count)
            }
            // Trailing bytes that are no box are passed on unchanged.
            end += head.bytes.count
            return nil
        }
        var size = Int(head.bytes.number(at: 0, 4))
        if size == 1 { size = Int(clamping: head.bytes.number(at: 8, 8)) }
        if size == 0 { size = Int.max - end }
        guard size >= 8, size <= Int.max - end else { throw StoreError(.integrity(.undecryptable)) }
        guard head.bytes[4..<8].elementsEqual("moof".utf8) else {
            end += size
            return nil
        }
        guard size <= Self.largestFragment else { throw StoreError(.integrity(.undecryptable)) }
        let box = try source.gather(at: end, count: size)
        guard box.bytes.count == size else { return ClearStep(box.state, upTo: end + box.bytes.count) }
        try begin(MovieFragmentBytes(bytes: box.bytes, start: end))
        end += size
        return nil
    }

    private mutating func begin(_ fragment: MovieFragmentBytes) throws(StoreError) {
        var clear = fragment
        var found = parts.filter { $0.range.upperBound > fragment.start }
        guard let movie = MP4Box.list(fragment.bytes, in: 0..<fragment.bytes.count).first else { return }
        let boxes = MP4Box.list(fragment.bytes, in: movie.content)
        guard boxes.count(where: { $0.type == "traf" }) <= Self.largestTrackCount else {
            throw StoreError(.integrity(.undecryptable))
        }
        var data = FragmentData(fragment)
        for box in boxes {
            if box.type == "pssh" { box.rename(to: "free", in: &clear.bytes) }
            guard box.type == "traf" else { continue }
            let own = TrackFragment(fragment, box, after: &data)
            data.end = own.end(defaultSize: tracks[own.track]?.defaultSampleSize ?? 0)
            guard let track = tracks[own.track] else { continue }
            found += try own.parts(track)
            let list = MP4Box.list(fragment.bytes, in: box.content)
            for box in list where ["senc", "saiz", "saio"].contains(box.type) {
                box.rename(to: "free", in: &clear.bytes)
            }
        }
        for key in Set(found.map(\.sample.keyID)) where ciphers[key] == nil { ciphers[key] = try cipher(key) }
        parts = found.sorted { $0.range.lowerBound < $1.range.lowerBound }
        self.fragment = clear
    }

    /// The decrypted bytes of a range that has no `moof`.
    private func media(_ wanted: Range<Int>, _ source: any EncryptedSource) throws(StoreError) -> ClearStep {
        let first = firstPart(endingAfter: wanted.lowerBound)
        var (start, base) = (wanted.lowerBound, wanted.lowerBound)
        if parts.indices.contains(first), parts[first].range.lowerBound < start {
            start = parts[first].start(before: start)
            base = start
        }
        if parts.indices.contains(first),
            let vector = parts[first].vector(at: max(start, parts[first].range.lowerBound))
        {
            base = min(base, vector)
        }
        let length = max(wanted.count, Self.least) + wanted.lowerBound - base
        let gathered = try source.gather(at: base, count: min(length, end - base))
        let there = base + gathered.bytes.count
        let isLast = gathered.state == .end || there == end
        let (clear, reached) = try decrypt(
            gathered.bytes, base, start: start, parts: parts[first...], isLast: isLast)
        guard reached > wanted.lowerBound else { return ClearStep(gathered.state, upTo: there) }
        return .bytes(clear[wanted.lowerBound - base..<reached - base])
    }

    /// The least number of bytes that are read at once, so that they hold a whole encryption pattern.
    private static let least = 1024

    /// - Returns: the bytes, and the position in the segment up to which they are in the clear.
    private func decrypt(
        _ bytes: [UInt8], _ base: Int, start: Int, parts: ArraySlice<ProtectedPart>, isLast: Bool
    ) throws(StoreError) -> ([UInt8], Int) {
        let there = base + bytes.count
        var clear = bytes
        for part in parts {
            guard part.range.lowerBound < there else { break }
            let lower = max(start, part.range.lowerBound)
            let upper = isLast ? min(there, part.range.upperBound) : part.end(before: there)
            guard let cipher = ciphers[part.sample.keyID] else { throw StoreError(.key(.missing)) }
            if upper > lower {
                try part.decrypt(lower..<upper, of: bytes, from: base, into: &clear, cipher: cipher)
            }
            guard upper == part.range.upperBound || isLast else { return (clear, upper) }
        }
        return (clear, there)
    }

    private func firstPart(endingAfter place: Int) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].range.upperBound > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
