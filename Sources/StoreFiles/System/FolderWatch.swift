package import Dispatch
internal import Glibc
package import SystemPackage

/// Reports changes of files in some folders by other programs (inotify(7)).
///
/// It is Sendable though Dispatch does not declare its sources so: this source is set up by `init` and then only
/// cancelled, which any thread may do.
package final class FolderWatch: @unchecked Sendable {
    /// The kinds of changes.
    package enum Change: Hashable, Sendable {
        /// A file was deleted or moved away, or another one took its place.
        case moved(Int32, name: String)
        /// A file was written to.
        case written(Int32, name: String)
        /// The folder itself is gone.
        case folder(Int32)
        /// There were more changes than the kernel could queue.
        case overflow
    }

    private let descriptor: FileDescriptor
    private let source: any DispatchSourceRead
    private static let bufferSize = 64 << 10
    private static let headerSize = 16
    private static let mask =
        UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_MODIFY)
        | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)

    /// - Parameters:
    ///   - queue: the queue for `body`.
    ///   - body: is called with the changes, several at a time.
    /// - Returns: `nil` if the system has no watch left.
    package init?(queue: DispatchQueue, _ body: @escaping @Sendable ([Change]) -> Void) {
        let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard number >= 0 else { return nil }
        let descriptor = FileDescriptor(rawValue: number)
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { body(Self.read(descriptor)) }
        source.setCancelHandler { try? descriptor.close() }
        source.resume()
    }

    /// Watches a folder; `nil` when it is not there or there are too many.
    package func add(_ path: FilePath) -> Int32? {
        let watch = unsafe inotify_add_watch(descriptor.rawValue, path.string, Self.mask)
        return watch >= 0 ? watch : nil
    }

    /// Watches a folder no longer.
    package func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor.rawValue, watch) }

    deinit { source.cancel() }

    private static func read(_ descriptor: FileDescriptor) -> [Change] {
        var bytes = [UInt8](repeating: 0, count: bufferSize)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            (try? unsafe descriptor.read(into: buffer)) ?? 0
        }
        return changes(in: bytes.prefix(count))
    }

    /// Reads `struct inotify_event`s: four numbers of 32 bits, the last of which is the length of the name behind
    /// them.
    package static func changes(in bytes: ArraySlice<UInt8>) -> [Change] {
        var changes: [Change] = []
        var rest = bytes
        while rest.count >= headerSize {
            let numbers = (0..<4).map { number(rest.dropFirst($0 * 4)) }
            let name = rest.dropFirst(headerSize).prefix(Int(numbers[3])).prefix { $0 != 0 }
            rest = rest.dropFirst(headerSize + Int(numbers[3]))
            let watch = Int32(bitPattern: numbers[0])
            if let change = change(watch, numbers[1], name: String(decoding: name, as: UTF8.self)) {
                changes.append(change)
            }
        }
        return changes
    }

    private static func change(_ watch: Int32, _ mask: UInt32, name: String) -> Change? {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return .overflow }
        if mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)) != 0 { return .folder(watch) }
        if mask & UInt32(IN_IGNORED) != 0 || name.hasPrefix(".") { return nil }
        return mask & UInt32(IN_MODIFY) != 0 ? .written(watch, name: name) : .moved(watch, name: name)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
