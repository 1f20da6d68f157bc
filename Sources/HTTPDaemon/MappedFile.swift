internal import Glibc

/// A regular file, mapped into memory for the kernel to send. Swift code never reads the mapping: if another program
/// truncates the file, a connection ends, not the process.
public final class MappedFile: Sendable {
    /// The size in bytes when the file was opened.
    public let size: UInt64
    /// The device and inode that were opened.
    public let identity: Identity
    /// The time at which the content was last modified, in nanoseconds since 1970.
    public let modified: Int64

    /// Names one file of this machine.
    public struct Identity: Hashable, Sendable {
        /// `st_dev`
        public let device: UInt64
        /// `st_ino`
        public let inode: UInt64
    }

    /// The address of the mapping, 0 for an empty file. It is a number, so that no code can read through it by
    /// mistake.
    private let address: UInt

    /// Opens and maps the file at `path`; a symbolic link, folder, FIFO or device is refused.
    public convenience init(path: String) throws(MappedFileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw MappedFileError(call: "open", errno: errno, path: path) }
        defer { close(descriptor) }
        try self.init(descriptor: descriptor, path: path)
    }

    /// Maps the file open as `descriptor`, which stays open and the caller's. `path` names it in errors.
    public init(descriptor: Int32, path: String) throws(MappedFileError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw MappedFileError(call: "fstat", errno: errno, path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw MappedFileError(notRegular: path) }
        size = UInt64(status.st_size)
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        guard status.st_size > 0 else {
            address = 0
            return
        }
        let mapping = unsafe mmap(nil, status.st_size, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            throw MappedFileError(call: "mmap", errno: errno, path: path)
        }
        address = UInt(bitPattern: mapping)
    }

    deinit {
        if let start = unsafe UnsafeMutableRawPointer(bitPattern: address) { unsafe munmap(start, Int(size)) }
    }

    /// The address of the byte at `offset`, for libmicrohttpd, which passes it on to the kernel. Valid while this
    /// object lives.
    func pointer(at offset: UInt64) -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(bitPattern: address + UInt(offset))
    }
}

/// Why a file could not be mapped.
public struct MappedFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system call that failed; `nil` if the file was opened but is not a regular file.
    public let call: String?
    /// The error's `errno`, or 0. `ENOENT`: no such file; `ELOOP`: a symbolic link; `EMFILE`: no descriptor left.
    public let errno: Int32
    /// The path that was opened.
    public let path: String

    init(call: String, errno: Int32, path: String) {
        self.call = call
        self.errno = errno
        self.path = path
    }

    init(notRegular path: String) {
        call = nil
        errno = 0
        self.path = path
    }

    /// One sentence: the attempt, and the reason for its failure.
    public var description: String {
        guard let call else { return "\(path) is not a regular file" }
        return "\(call) of \(path) failed with \(SystemCall.name(of: errno))"
    }
}
