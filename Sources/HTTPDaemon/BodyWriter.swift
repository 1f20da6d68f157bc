internal import Glibc

/// The room that the daemon offers to a body source; valid during one `read`.
@safe public struct BodyWriter: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes appended so far.
    public private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        unsafe self.buffer = unsafe buffer
    }

    /// Bytes that still fit.
    public var remaining: Int { unsafe buffer.count - count }

    /// Appends as many of `bytes` as fit, and returns how many.
    @discardableResult
    public mutating func append(_ bytes: Span<UInt8>) -> Int {
        let taken = min(bytes.count, remaining)
        unsafe bytes.withUnsafeBytes { source in
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<taken]))
        }
        count += taken
        return taken
    }

    /// Appends as many of `bytes` as fit, and returns how many.
    @discardableResult
    public mutating func append(_ bytes: [UInt8]) -> Int { append(bytes.span) }

    /// Appends as many of `bytes` as fit, and returns how many.
    @discardableResult
    public mutating func append(_ bytes: ArraySlice<UInt8>) -> Int { append(bytes.span) }

    /// Reads up to `limit` bytes of an open file at `offset` straight into the room with one `pread(2)`.
    ///
    /// Returns the number of bytes appended; 0 at the end of the file or without room. Throws the `errno`
    /// of the failed read.
    public mutating func append(
        contentsOf descriptor: Int32, at offset: UInt64, limit: Int = .max
    ) throws(ReadError) -> Int {
        let wanted = min(remaining, max(0, limit))
        guard wanted > 0, let position = off_t(exactly: offset) else { return 0 }
        while true {
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + wanted])
            let got = unsafe pread(descriptor, target.baseAddress, wanted, position)
            if got >= 0 {
                count += got
                return got
            }
            guard errno == EINTR else { throw ReadError(errno: errno, offset: offset) }
        }
    }
}

/// A file could not be read.
public struct ReadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The `errno` of `pread(2)`.
    public let errno: Int32
    /// The offset in the file, in bytes.
    public let offset: UInt64

    /// One sentence: the place and the reason.
    public var description: String { "cannot read at byte \(offset): \(SystemCall.name(of: errno))" }
}
