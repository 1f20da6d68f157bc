internal import Glibc
package import SystemPackage

/// The version of the resource that an unfinished file began with. It is kept beside the file, so that the next run
/// goes on after the process was killed. The file's bytes were not flushed, so that they count only until the machine
/// starts again.
package struct PartHead: Codable, Sendable, Equatable {
    package var validator: Validator
    /// The final length in bytes, when the origin has told it.
    package var length: UInt64?
    /// The start of the machine in which the bytes were written.
    package var boot: String

    /// The machine's present start; `nil` where the kernel does not tell.
    package static let currentBoot: String? = {
        guard let bytes = try? DurableWrite.read("/proc/sys/kernel/random/boot_id", limit: 100) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }()

    /// The path of the head for the unfinished file at `path`.
    package static func path(of path: FilePath) -> FilePath {
        path.removingLastComponent().appending("\(path.lastComponent?.string ?? "").head")
    }

    /// Reads what is kept for the file at `path`; `nil` when it is not to be trusted.
    package init?(of path: FilePath) {
        guard let bytes = (try? DurableWrite.read(Self.path(of: path), limit: 64 << 10)) ?? nil,
            let head = try? JSONText.decode(PartHead.self, String(decoding: bytes, as: UTF8.self)),
            head.boot == Self.currentBoot
        else { return nil }
        self = head
    }

    package init(validator: Validator, length: UInt64?, boot: String) {
        self.validator = validator
        self.length = length
        self.boot = boot
    }

    /// Keeps it for the file at `path`. When that fails, nothing is lost but the chance to go on.
    package func write(for path: FilePath) {
        guard let text = try? JSONText.encode(self) else { return }
        let place = Self.path(of: path)
        let descriptor = unsafe open(
            place.string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count != bytes.count { try? FileSystem.unlink(place) }
    }
}
