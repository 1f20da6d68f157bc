internal import Glibc

/// The content of a request. Its length is announced.
public enum UploadBody: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// A range of a file, read while it is sent. The file must not change in this time.
    case file(path: String, range: Range<UInt64>)
}

extension UploadBody {
    /// Reads the content piece by piece; blocks.
    ///
    /// - Returns: whether all of it could be read.
    package func read(_ take: ([UInt8]) -> Void) -> Bool {
        guard case .file(let path, let range) = self else {
            if case .bytes(let bytes) = self { take(bytes) }
            return true
        }
        guard let file = UploadFile(path, range) else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe file.read(into: $0) }
            guard let count else { return false }
            if count == 0 { return true }
            take(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
    }
}

/// A file that a transfer sends a part of. On the loop's thread only.
@safe
final class UploadFile {
    private let descriptor: Int32
    private let range: Range<UInt64>
    private var position: UInt64

    /// Opens the file; `nil` when that can't be done.
    init?(_ path: String, _ range: Range<UInt64>) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        (self.descriptor, self.range, position) = (descriptor, range, range.lowerBound)
    }

    deinit { close(descriptor) }

    /// The next bytes, 0 at the end; `nil` when they can't be read, or the file is shorter than it was said to be.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = Int(min(UInt64(buffer.count), range.upperBound - position))
        guard wanted > 0 else { return 0 }
        while true {
            let count = unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            position += UInt64(count)
            return count
        }
    }

    /// Goes back to an offset within the range, to send it again on another connection.
    func rewind(to offset: UInt64) -> Bool {
        guard offset <= UInt64(range.count) else { return false }
        position = range.lowerBound + offset
        return true
    }
}
