/// Random access to the bytes of one segment or initialization section.
///
/// A file, an array, or a decrypting reader can be one.
///
/// ```swift
/// let verdict = MediaLook(expecting: .segment).judge(ArrayBytes(bytes))
/// ```
public protocol MediaBytes {
    /// The error of a read that failed; `Never` for bytes in memory.
    associatedtype Failure: Error
    /// The length in bytes.
    var count: Int { get }
    /// Reads up to `count` bytes from `offset` on; fewer only at the end.
    func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]
}

/// Bytes in memory.
public struct ArrayBytes: MediaBytes {
    private let bytes: [UInt8]

    /// Bytes in memory.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The length in bytes.
    public var count: Int { bytes.count }

    /// Reads up to `count` bytes from `offset` on.
    public func read(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
        return Array(bytes[offset..<min(bytes.count, offset + count)])
    }
}

/// The rest of other bytes, from an offset on.
struct TailBytes<Source: MediaBytes>: MediaBytes {
    let source: Source
    let start: Int

    var count: Int { max(0, source.count - start) }

    func read(at offset: Int, count: Int) throws(Source.Failure) -> [UInt8] {
        try source.read(at: start + offset, count: count)
    }
}

/// A reader that goes forward through bytes and keeps one piece of them in memory.
struct ByteWindow<Source: MediaBytes> {
    let source: Source
    private var piece: [UInt8] = []
    private var start = 0
    private let pieceSize: Int

    /// - Parameter pieceSize: bytes that are read at once.
    init(_ source: Source, pieceSize: Int = 64 << 10) { (self.source, self.pieceSize) = (source, pieceSize) }

    /// Loads the piece that has `count` bytes from `offset` on; calls `body` with it and the place of `offset` in it.
    ///
    /// - Returns: `nil` when there are fewer bytes than that.
    mutating func withBytes<T>(
        at offset: Int, _ count: Int, _ body: ([UInt8], Int) -> T
    ) throws(Source.Failure) -> T? {
        guard offset >= 0, count <= source.count - offset else { return nil }
        if offset < start || offset + count > start + piece.count {
            piece = try source.read(at: offset, count: max(count, pieceSize))
            start = offset
            guard piece.count >= count else { return nil }
        }
        return body(piece, offset - start)
    }

    /// A big-endian number of up to 8 bytes; `nil` beyond the end.
    mutating func number(at offset: Int, _ count: Int) throws(Source.Failure) -> UInt64? {
        try withBytes(at: offset, count) { bytes, place in
            bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
    }

    /// Some bytes; `nil` beyond the end.
    mutating func bytes(at offset: Int, _ count: Int) throws(Source.Failure) -> ArraySlice<UInt8>? {
        try withBytes(at: offset, count) { bytes, place in bytes[place..<place + count] }
    }
}
