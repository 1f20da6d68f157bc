/// A look at MP4 (ISO/IEC 14496-12): do the boxes fit into each other, and do samples lie in the media data?
struct BoxLook {
    private let expectation: MediaExpectation
    private var hasMovie = false
    private var hasMedia = false
    /// A fragment with samples waits for its media data.
    private var isOpen = false
    /// Where the samples of the last fragments end at the latest.
    private var samplesEnd = 0
    private var mediaEnd = 0

    /// Bytes that a `moof` or `moov` box may have to be looked into; a larger one is taken on trust.
    static let largestHeader = 16 << 20

    init(_ expectation: MediaExpectation) { self.expectation = expectation }

    private static let types: Set<UInt32> = Set(
        [
            "ftyp", "styp", "moof", "sidx", "ssix", "moov", "emsg", "prft", "mdat", "free", "skip", "uuid",
            "mfra",
            "meta", "pdin", "wide", "udta", "pssh", "imda", "meco",
        ].map(Box.code))

    /// Whether bytes begin with a box of a type that stands at the top of a file.
    static func mayBegin(_ head: [UInt8]) -> Bool {
        head.count >= 8 && types.contains(head[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// Judges bytes that begin with a box.
    func judge<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MediaVerdict {
        var look = self
        // Between the headers lie media data.
        var window = ByteWindow(source, pieceSize: 1024)
        var offset = 0
        while offset < source.count {
            guard let box = try Box(&window, at: offset) else {
                return look.cut("", atEnd: offset, of: source.count)
            }
            guard box.end <= source.count else { return look.cut(box.name, atEnd: offset, of: source.count) }
            if let defect = try look.take(box, source) { return .undecodable(defect) }
            offset = box.end
        }
        return look.verdict
    }

    /// The end comes inside a box, or a few bytes behind the last one.
    private func cut(_ name: String, atEnd offset: Int, of count: Int) -> MediaVerdict {
        if expectation.mayEndInBox { return .media(.mp4) }
        // Padding behind whole media harms nobody.
        if name.isEmpty, hasMedia || hasMovie, count - offset < 16 { return verdict }
        return .undecodable(.boxCut(name))
    }

    private mutating func take<Source: MediaBytes>(
        _ box: Box, _ source: Source
    ) throws(Source.Failure) -> MediaDefect? {
        switch box.name {
        case "moov":
            guard box.content.count <= Self.largestHeader else {
                hasMovie = true
                break
            }
            hasMovie = try Self.hasTracks(source.read(at: box.content.lowerBound, count: box.content.count))
        case "moof":
            guard box.content.count <= Self.largestHeader else { break }
            return try take(fragment: box, source)
        case "mdat", "imda":
            (hasMedia, isOpen) = (true, false)
            mediaEnd = box.end
        default: break
        }
        return nil
    }

    private mutating func take<Source: MediaBytes>(
        fragment box: Box, _ source: Source
    ) throws(Source.Failure) -> MediaDefect? {
        let bytes = try source.read(at: box.start, count: box.end - box.start)
        do throws(MediaDefect) {
            let samples = try FragmentSamples(bytes, header: box.content.lowerBound - box.start)
            isOpen = isOpen || samples.count > 0
            if let end = samples.end { samplesEnd = max(samplesEnd, box.start + end) }
            return nil
        } catch {
            return error
        }
    }

    private static func hasTracks(_ movie: [UInt8]) -> Bool {
        var window = ByteWindow(ArrayBytes(movie))
        var offset = 0
        while let box = Box(&window, at: offset), box.end <= movie.count, box.end > offset {
            if box.name == "trak" { return true }
            offset = box.end
        }
        return false
    }

    private var verdict: MediaVerdict {
        if expectation.role == .initialization, !hasMovie { return .undecodable(.noMovie) }
        if expectation.mayEndInBox { return .media(.mp4) }
        if isOpen { return .undecodable(.noMediaData) }
        if samplesEnd > mediaEnd { return .undecodable(.samplesBeyondData) }
        return .media(.mp4)
    }
}

/// A box of an MP4 file (ISO/IEC 14496-12, section 4.2).
struct Box {
    /// The four characters of its type; unprintable ones are replaced.
    let name: String
    let start: Int
    let content: Range<Int>
    var end: Int { content.upperBound }

    /// Reads the header of the box at an offset; `nil` when there is none.
    init?<Source: MediaBytes>(_ window: inout ByteWindow<Source>, at offset: Int) throws(Source.Failure) {
        guard let head = try window.number(at: offset, 8) else { return nil }
        var (size, length) = (head >> 32, 8)
        if size == 1 {
            guard let large = try window.number(at: offset + 8, 8) else { return nil }
            (size, length) = (large, 16)
        } else if size == 0 {
            size = UInt64(window.source.count - offset)
        }
        let (end, overflow) = offset.addingReportingOverflow(Int(clamping: size))
        guard size >= UInt64(length), !overflow else { return nil }
        name = Self.name(UInt32(truncatingIfNeeded: head))
        start = offset
        content = offset + length..<end
    }

    private static func name(_ code: UInt32) -> String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * UInt32($0))) }
        return String(decoding: letters.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }

    static func code(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Where the samples of a movie fragment lie, as far as the fragment itself tells.
struct FragmentSamples {
    private(set) var count = 0
    /// Bytes from the beginning of the `moof` box to the end of the last sample; `nil` when only the initialization
    /// section, or the file that the fragment is a part of, could tell.
    private(set) var end: Int?
    /// Where the data of the track before ended; `nil` when that is not known.
    private var dataEnd: Int? = 0

    private static let mostSamples = 1 << 20

    /// Reads a `moof` box.
    ///
    /// - Parameters:
    ///   - bytes: the whole box.
    ///   - header: the length of its header in bytes.
    init(_ bytes: [UInt8], header: Int) throws(MediaDefect) {
        for box in try Self.boxes(bytes, header..<bytes.count, in: "moof") where box.name == "traf" {
            try add(try Self.boxes(bytes, box.content, in: "traf"), bytes)
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
    private mutating func add(_ track: [Box], _ bytes: [UInt8]) throws(MediaDefect) {
        var (base, size): (Int?, Int?) = (dataEnd, nil)
        for box in track {
            if box.name == "tfhd" {
                guard let header = TrackHeader(bytes, box.content) else { throw .malformedBox("tfhd") }
                base = header.base(after: dataEnd)
                size = header.sampleSize
                dataEnd = base
            } else if box.name == "trun" {
                guard let run = TrackRun(bytes, box.content, usualSize: size),
                    count + run.count <= Self.mostSamples
                else { throw .malformedBox("trun") }
                add(run, base: base)
            }
        }
    }

    private mutating func add(_ run: TrackRun, base: Int?) {
        count += run.count
        let start = run.offset.map { shift in base.map { $0 + shift } } ?? dataEnd
        dataEnd = start.flatMap { start in run.size.map { start + $0 } }
        if let dataEnd, run.count > 0 { end = max(end ?? 0, dataEnd) }
    }
}

/// A `tfhd` box (section 8.8.7).
private struct TrackHeader {
    let sampleSize: Int?
    private let hasOwnBase: Bool
    private let isBasedOnFragment: Bool

    init?(_ bytes: [UInt8], _ content: Range<Int>) {
        var reader = NumberReader(bytes, content)
        guard let flags = reader.next(4).map({ $0 & 0xFFFFFF }), reader.next(4) != nil else { return nil }
        hasOwnBase = flags & 0x1 != 0
        isBasedOnFragment = flags & 0x20000 != 0
        if hasOwnBase, reader.next(8) == nil { return nil }
        if flags & 0x2 != 0, reader.next(4) == nil { return nil }
        if flags & 0x8 != 0, reader.next(4) == nil { return nil }
        if flags & 0x10 != 0 {
            guard let size = reader.next(4) else { return nil }
            sampleSize = size
        } else {
            sampleSize = nil
        }
    }

    /// What offsets count from, in bytes from the beginning of the `moof` box. An offset of its own counts from the
    /// beginning of a file that need not be this one.
    func base(after end: Int?) -> Int? { hasOwnBase ? nil : isBasedOnFragment ? 0 : end }
}

/// A `trun` box (section 8.8.8).
private struct TrackRun {
    let count: Int
    /// Where its samples begin, from the base.
    let offset: Int?
    /// Bytes of all its samples; `nil` when only the initialization section tells.
    let size: Int?

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
        guard flags & 0x200 != 0 else {
            let (total, overflow) = (usualSize ?? 0).multipliedReportingOverflow(by: count)
            guard !overflow else { return nil }
            size = usualSize == nil ? nil : total
            return
        }
        let place = fields.prefix { $0 != 0x200 }.count
        size = reader.sum(of: count, every: 4 * fields.count, at: 4 * place)
    }
}

/// Reads big-endian numbers one after the other.
private struct NumberReader {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (offset, end) = (range.lowerBound, min(range.upperBound, bytes.count))
    }

    /// Bytes that are left.
    var left: Int { end - offset }

    mutating func next(_ count: Int) -> Int? {
        guard left >= count else { return nil }
        defer { offset += count }
        return number(at: offset, count)
    }

    private func number(at place: Int, _ count: Int) -> Int {
        var value: UInt64 = 0
        for byte in bytes[place..<place + count] { value = value << 8 | UInt64(byte) }
        return Int(truncatingIfNeeded: value)
    }

    /// The sum of numbers of 4 bytes in a table.
    func sum(of count: Int, every step: Int, at place: Int) -> Int {
        var sum = 0
        for index in 0..<count { sum += number(at: offset + index * step + place, 4) }
        return sum
    }
}
