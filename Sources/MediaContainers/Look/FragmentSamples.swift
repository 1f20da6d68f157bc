/// The places of the samples of a movie fragment, as far as the fragment itself tells.
struct FragmentSamples {
    private(set) var count = 0
    /// Bytes from the beginning of the `moof` box to the end of the last sample; `nil` when only the initialization
    /// section, or the file that the fragment is a part of, could tell.
    private(set) var end: Int?
    /// The end of the data of the track before; `nil` if it is unknown.
    private var dataEnd: Int? = 0
    /// Whether samples belong to tracks of the movie, and whether to others.
    private(set) var (hasKnownTracks, hasUnknownTracks) = (false, false)
    /// Samples to look at, in bytes from the beginning of the `moof` box.
    private(set) var probes: [SampleProbe] = []

    private static let mostSamples = 1 << 20

    /// Reads a `moof` box.
    ///
    /// - Parameters:
    ///   - bytes: the whole box.
    ///   - header: the length of its header in bytes.
    ///   - outline: the tracks of the movie; `nil` when they are not known.
    init(_ bytes: [UInt8], header: Int, _ outline: MovieOutline?) throws(MediaDefect) {
        for box in try Self.boxes(bytes, header..<bytes.count, in: "moof") where box.name == "traf" {
            try add(try Self.boxes(bytes, box.content, in: "traf"), bytes, outline: outline)
        }
    }

    private static func boxes(
        _ bytes: [UInt8], _ range: Range<Int>, in name: String
    ) throws(MediaDefect) -> [Box] {
        var window = ByteWindow(ArrayBytes(bytes))
        var (offset, boxes) = (range.lowerBound, [Box]())
        while offset < range.upperBound {
            guard let box = Box(&window, at: offset), box.end <= range.upperBound else {
                throw .malformedBox(name)
            }
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }

    /// Adds the runs of a track fragment.
    private mutating func add(
        _ boxes: [Box], _ bytes: [UInt8], outline: MovieOutline?
    ) throws(MediaDefect) {
        let before = count
        var (base, size) = (dataEnd, Int?.none)
        var (track, coding) = (0, SampleCoding.other)
        for box in boxes {
            if box.name == "tfhd" {
                guard let header = TrackHeader(bytes, box.content) else { throw .malformedBox("tfhd") }
                let known = outline?.track(header.track)
                base = header.base(after: dataEnd)
                size = header.sampleSize ?? known?.usualSize.flatMap { $0 > 0 ? $0 : nil }
                (track, coding) = (header.track, known?.coding(header.description) ?? .other)
                dataEnd = base
            } else if box.name == "trun" {
                guard let run = TrackRun(bytes, box.content, usualSize: size),
                    count + run.count <= Self.mostSamples
                else { throw .malformedBox("trun") }
                add(run, base: base, track: track, coding)
            }
        }
        guard let outline, count > before else { return }
        if outline.track(track) != nil { hasKnownTracks = true } else { hasUnknownTracks = true }
    }

    private mutating func add(_ run: TrackRun, base: Int?, track: Int, _ coding: SampleCoding) {
        count += run.count
        let start = run.offset.map { shift in base.map { $0 + shift } } ?? dataEnd
        dataEnd = start.flatMap { start in run.size.map { start + $0 } }
        if let dataEnd, run.count > 0 { end = max(end ?? 0, dataEnd) }
        guard let start, coding != .other else { return }
        probes += run.samples.map {
            SampleProbe(track: track, coding: coding, offset: start + $0.offset, size: $0.size)
        }
    }
}

/// A `tfhd` box (section 8.8.7).
private struct TrackHeader {
    let track: Int
    /// The number of the description of its samples; `nil` for the track's usual one.
    let description: Int?
    let sampleSize: Int?
    private let hasOwnBase: Bool
    private let isBasedOnFragment: Bool

    init?(_ bytes: [UInt8], _ content: Range<Int>) {
        var reader = NumberReader(bytes, content)
        guard let flags = reader.next(4).map({ $0 & 0xFFFFFF }), let track = reader.next(4) else {
            return nil
        }
        self.track = track
        hasOwnBase = flags & 0x1 != 0
        isBasedOnFragment = flags & 0x20000 != 0
        if hasOwnBase, reader.next(8) == nil { return nil }
        description = flags & 0x2 != 0 ? reader.next(4) : nil
        if flags & 0x2 != 0, description == nil { return nil }
        if flags & 0x8 != 0, reader.next(4) == nil { return nil }
        if flags & 0x10 != 0 {
            guard let size = reader.next(4) else { return nil }
            sampleSize = size
        } else {
            sampleSize = nil
        }
    }

    /// The base of offsets, in bytes from the beginning of the `moof` box. An explicit base counts from the beginning
    /// of a file that may not be this one.
    func base(after end: Int?) -> Int? { hasOwnBase ? nil : isBasedOnFragment ? 0 : end }
}

/// A `trun` box (section 8.8.8).
private struct TrackRun {
    let count: Int
    /// The offset of its samples, from the base.
    let offset: Int?
    /// Bytes of all its samples; `nil` when only the initialization section tells.
    let size: Int?
    /// Some of its samples, by where they lie in the run.
    let samples: [(offset: Int, size: Int)]

    init?(_ bytes: [UInt8], _ content: Range<Int>, usualSize: Int?) {
        var reader = NumberReader(bytes, content)
        guard let flags = reader.next(4).map({ $0 & 0xFFFFFF }), let count = reader.next(4) else {
            return nil
        }
        self.count = count
        var offset: Int?
        if flags & 0x1 != 0 {
            guard let shift = reader.next(4) else { return nil }
            offset = Int(Int32(truncatingIfNeeded: shift))
        }
        self.offset = offset
        if flags & 0x4 != 0, reader.next(4) == nil { return nil }
        let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }
        guard count <= reader.left / max(4 * fields.count, 1) || fields.isEmpty else { return nil }
        let places = count > 0 ? [0, 1, 2, count / 4, count / 2, count * 3 / 4, count - 1] : []
        let wanted = Set(places.filter { $0 < count }).sorted()
        guard flags & 0x200 != 0 else {
            let (total, overflow) = (usualSize ?? 0).multipliedReportingOverflow(by: count)
            guard !overflow else { return nil }
            size = usualSize == nil ? nil : total
            samples = usualSize.map { size in wanted.map { ($0 * size, size) } } ?? []
            return
        }
        let place = fields.prefix { $0 != 0x200 }.count
        (size, samples) = reader.sum(of: count, every: 4 * fields.count, at: 4 * place, wanted)
    }
}

/// Reads big-endian numbers one after the other.
struct NumberReader {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (offset, end) = (range.lowerBound, min(range.upperBound, bytes.count))
    }

    /// Bytes that are left.
    var left: Int { end - offset }
    /// Whether all requested numbers were there.
    private(set) var isValid = true

    mutating func skip(_ count: Int) {
        isValid = isValid && left >= count
        offset = min(end, offset + max(count, 0))
    }

    mutating func next(_ count: Int) -> Int? {
        guard left >= count else {
            isValid = false
            return nil
        }
        defer { offset += count }
        return number(at: offset, count)
    }

    private func number(at place: Int, _ count: Int) -> Int {
        var value: UInt64 = 0
        for byte in bytes[place..<place + count] { value = value << 8 | UInt64(byte) }
        return Int(truncatingIfNeeded: value)
    }

    /// The sum of numbers of 4 bytes in a table, and the sums before some of them with these themselves.
    func sum(
        of count: Int, every step: Int, at place: Int, _ wanted: [Int]
    ) -> (Int, [(offset: Int, size: Int)]) {
        var (sum, found) = (0, [(offset: Int, size: Int)]())
        for index in 0..<count {
            let next = number(at: offset + index * step + place, 4)
            if found.count < wanted.count, wanted[found.count] == index { found.append((sum, next)) }
            sum += next
        }
        return (sum, found)
    }
}
