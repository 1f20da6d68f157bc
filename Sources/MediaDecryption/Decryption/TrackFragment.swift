/// The facts of a `traf` about its samples (ISO/IEC 14496-12, section 8.8.6 and following).
package struct TrackFragment {
    package let track: Int
    private let boxes: [MP4Box]
    private let sampleSize: Int?
    /// The sample entry of its samples, counted from 1, where it names one.
    private let entry: Int?
    private let fragment: MovieFragmentBytes
    /// The base of its data offsets, in bytes of the segment; `nil` when only a track before it could tell.
    private let base: Int?

    /// - Parameter data: the position of the data of the tracks before; is updated with that of this one.
    package init(_ fragment: MovieFragmentBytes, _ box: MP4Box, after data: inout FragmentData) {
        self.fragment = fragment
        boxes = MP4Box.list(fragment.bytes, in: box.content)
        guard let header = boxes.first(where: { $0.type == "tfhd" }) else {
            (track, sampleSize, entry, base) = (0, nil, nil, data.end)
            return
        }
        var cursor = ByteCursor(fragment.bytes, header.content)
        let flags = cursor.number(4) & 0xFFFFFF
        track = cursor.number(4)
        if flags & 0x1 != 0 {
            base = data.place(ofOffset: cursor.number(8), in: fragment)
        } else {
            base = flags & 0x20000 != 0 ? fragment.start : data.end
        }
        entry = flags & 0x2 == 0 ? nil : cursor.number(4)
        cursor.skip(flags & 0x8 == 0 ? 0 : 4)
        sampleSize = flags & 0x10 == 0 ? nil : cursor.number(4)
    }

    /// The encrypted parts of its samples, in order.
    ///
    /// - Throws: `undecryptable` if their description is invalid.
    package func parts(_ track: TrackEncryption) throws(StoreError) -> [ProtectedPart] {
        guard let places = places(track.defaultSampleSize), let groups = groups(places.count, track),
            let parts = parts(places, groups)
        else { throw StoreError(.integrity(.undecryptable)) }
        return parts
    }

    /// The end of its samples, where those of the next track begin by default; `nil` for invalid numbers.
    ///
    /// - Parameter defaultSize: the size of samples for which the fragment has none.
    package func end(defaultSize: Int) -> Int? {
        guard let base, let places = places(defaultSize) else { return nil }
        return places.last?.upperBound ?? base
    }

    /// The ranges of the samples in the segment.
    private func places(_ defaultSize: Int) -> [Range<Int>]? {
        var places: [Range<Int>] = []
        for run in boxes where run.type == "trun" {
            guard let own = self.places(run, defaultSize, after: places.last?.upperBound),
                places.count + own.count <= Self.largestCount
            else { return nil }
            places += own
        }
        return places
    }

    private func places(_ run: MP4Box, _ defaultSize: Int, after end: Int?) -> [Range<Int>]? {
        var cursor = ByteCursor(fragment.bytes, run.content)
        let flags = cursor.number(4) & 0xFFFFFF
        let count = cursor.number(4)
        let offset = flags & 0x1 == 0 ? nil : Int(Int32(truncatingIfNeeded: cursor.number(4)))
        cursor.skip(flags & 0x4 == 0 ? 0 : 4)
        guard let base else { return nil }
        var start = offset.map { base + $0 } ?? end ?? base
        guard start >= 0, count <= Self.largestCount else { return nil }
        var places: [Range<Int>] = []
        places.reserveCapacity(count)
        for _ in 0..<count {
            cursor.skip(flags & 0x100 == 0 ? 0 : 4)
            let size = flags & 0x200 == 0 ? sampleSize ?? defaultSize : cursor.number(4)
            cursor.skip((flags & 0x400 == 0 ? 0 : 4) + (flags & 0x800 == 0 ? 0 : 4))
            guard cursor.isValid else { return nil }
            places.append(start..<start + size)
            start += size
        }
        return places
    }

    /// The largest number of samples in a fragment of a track. A run without values for single samples has no other
    /// limit.
    private static let largestCount = 100_000

    /// The encryption of each sample that differs from its track's: `seig` sample groups, by which keys change
    /// (ISO/IEC 23001-7, section 6).
    private func groups(_ count: Int, _ track: TrackEncryption) -> [SampleEncryption]? {
        guard let usual = track.sample(ofEntry: entry) else { return nil }
        guard let map = SampleGroups.map(fragment.bytes, boxes) else {
            return [SampleEncryption](repeating: usual, count: count)
        }
        let own = SampleGroups.descriptions(fragment.bytes, boxes, scheme: usual.scheme)
        var samples: [SampleEncryption] = []
        for (length, index) in map {
            let group: SampleEncryption?
            switch index {
            case 0: group = usual
            case 0x1_0001...: group = own.indices.contains(index - 0x1_0001) ? own[index - 0x1_0001] : nil
            default: group = track.groups.indices.contains(index - 1) ? track.groups[index - 1] : nil
            }
            guard let group, samples.count + length <= count else { return nil }
            samples += [SampleEncryption](repeating: group, count: length)
        }
        return samples + [SampleEncryption](repeating: usual, count: count - samples.count)
    }

    private func parts(_ places: [Range<Int>], _ groups: [SampleEncryption]) -> [ProtectedPart]? {
        guard var auxiliary = SampleAuxiliary(fragment, boxes, samples: groups) else { return nil }
        var parts: [ProtectedPart] = []
        parts.reserveCapacity(places.count)
        for (place, sample) in zip(places, groups) {
            guard let (iv, ranges) = auxiliary.next(place, sample) else { return nil }
            guard sample.isProtected else { continue }
            var stream = ProtectedPart(range: place, iv: iv, sample: sample)
            for range in ranges where !range.isEmpty {
                stream.range = range
                parts.append(stream)
                stream = stream.following
            }
        }
        return parts
    }
}

/// The position of the data of a fragment's tracks, as far as it was read (ISO/IEC 14496-12, section 8.8.7).
package struct FragmentData {
    /// The end of the data of the track before; at first the beginning of the fragment.
    package var end: Int?
    /// The base data offset that was named first, which counts from the beginning of the origin's file.
    private var first: Int?

    package init(_ fragment: MovieFragmentBytes) { end = fragment.start }

    /// The place that a base data offset names in the segment: the first one that of the fragment.
    mutating func place(ofOffset offset: Int, in fragment: MovieFragmentBytes) -> Int? {
        let first = first ?? offset
        self.first = first
        let (distance, overflow) = offset.subtractingReportingOverflow(first)
        return overflow || abs(distance) > 1 << 40 ? nil : fragment.start + distance
    }
}

/// The bytes of a `moof` box, and where in the segment it lies.
package struct MovieFragmentBytes {
    package var bytes: [UInt8]
    package var start: Int
}

/// The stored encryption of each sample: vectors and subsamples, in a `senc` box, or where `saio` leads.
package struct SampleAuxiliary {
    private var cursor: ByteCursor?
    private let hasSubsamples: Bool
    /// Bytes that each sample has, where only `saiz` tells.
    private var sizes: [Int]?
    private var index = 0

    /// - Returns: `nil` if it is missing although samples need it.
    package init?(_ fragment: MovieFragmentBytes, _ boxes: [MP4Box], samples: [SampleEncryption]) {
        if let box = boxes.first(where: { $0.type == "senc" }) {
            var cursor = ByteCursor(fragment.bytes, box.content)
            hasSubsamples = cursor.number(4) & 0x2 != 0
            guard cursor.number(4) == samples.count else { return nil }
            self.cursor = cursor
        } else if let (cursor, sizes) = Self.located(fragment, boxes, count: samples.count) {
            (self.cursor, self.sizes, hasSubsamples) = (cursor, sizes, true)
        } else {
            guard samples.allSatisfy({ !$0.isProtected || !$0.constantIV.isEmpty }) else { return nil }
            hasSubsamples = false
        }
    }

    /// The bytes that `saiz` and `saio` lead to, if they lie within the fragment's own box.
    private static func located(
        _ fragment: MovieFragmentBytes, _ boxes: [MP4Box], count: Int
    ) -> (ByteCursor, [Int])? {
        guard let lengths = boxes.first(where: { $0.type == "saiz" }),
            let place = boxes.first(where: { $0.type == "saio" })
        else { return nil }
        var cursor = ByteCursor(fragment.bytes, lengths.content)
        cursor.skip(cursor.number(4) & 1 == 0 ? 0 : 8)
        let usual = cursor.number(1)
        guard cursor.number(4) == count else { return nil }
        let sizes = usual != 0 ? [Int](repeating: usual, count: count) : cursor.take(count).map { Int($0) }
        var offsets = ByteCursor(fragment.bytes, place.content)
        let head = offsets.number(4)
        offsets.skip(head & 1 == 0 ? 0 : 8)
        guard offsets.number(4) == 1 else { return nil }
        let start = offsets.number(head >> 24 == 0 ? 4 : 8)
        guard sizes.count == count, start >= 0, start < fragment.bytes.count else { return nil }
        return (ByteCursor(fragment.bytes, start..<fragment.bytes.count), sizes)
    }

    /// The vector of the next sample, and its encrypted ranges.
    package mutating func next(_ place: Range<Int>, _ sample: SampleEncryption) -> ([UInt8], [Range<Int>])? {
        guard var cursor else { return (sample.constantIV, [place]) }
        defer { (self.cursor, index) = (cursor, index + 1) }
        let iv = sample.ivSize == 0 ? sample.constantIV : cursor.take(sample.ivSize)
        let size = sizes.map { $0[index] }
        guard hasSubsamples, size.map({ $0 > sample.ivSize }) != false else {
            return cursor.isValid ? (iv, [place]) : nil
        }
        var ranges: [Range<Int>] = []
        var start = place.lowerBound
        for _ in 0..<cursor.number(2) {
            start += cursor.number(2)
            let length = cursor.number(4)
            guard cursor.isValid, start + length <= place.upperBound else { return nil }
            ranges.append(start..<start + length)
            start += length
        }
        return cursor.isValid ? (iv, ranges) : nil
    }
}
