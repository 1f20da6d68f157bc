internal import Glibc
package import SystemPackage

/// The version of an unfinished file's resource. It is kept beside the file, so that the next process can resume the
/// transfer. The file's bytes were not flushed, so they are valid only until the machine restarts.
package struct PartHead: Codable, Sendable, Equatable {
    package var validator: Validator
    /// The final length in bytes, when the origin has told it.
    package var length: UInt64?
    /// The ID of the machine's boot during which the bytes were written.
    package var boot: String

    /// The ID of the machine's present boot; `nil` if the kernel has none.
    package static let currentBoot: String? =
        (try? DurableWrite.read("/proc/sys/kernel/random/boot_id", limit: 100))
        .map { String(decoding: $0, as: UTF8.self) }

    /// The path of the head for the unfinished file at `path`.
    package static func path(of path: FilePath) -> FilePath {
        path.parent.appending("\(path.name).head")
    }

    /// Reads the head of the file at `path`; `nil` if it is not valid.
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

    /// Writes the head of the file at `path`. If this fails, only the chance to resume is lost.
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
