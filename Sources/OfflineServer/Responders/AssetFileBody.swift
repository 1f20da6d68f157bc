internal import AssetFiles
internal import AssetStore
internal import Forwarding
internal import HTTPDaemon
internal import Locking

/// Sends a range of a file that is made of an asset. Another thread opens or reads the segments. It prepares the next
/// segment while the current one is sent. A read error breaks the connection.
final class AssetFileBody: BodySource {
    private let reader: AssetFileReader
    private let range: Range<UInt64>
    private let played: @Sendable () -> Void
    private let hasFailed = Lock(false)
    /// The last work on another thread. The next one waits for it.
    private let work = Lock<Task<Void, Never>?>(nil)

    /// - Parameter played: is called each time that bytes are sent.
    init(_ reader: AssetFileReader, _ range: Range<UInt64>, played: @escaping @Sendable () -> Void) {
        (self.reader, self.range, self.played) = (reader, range, played)
    }

    /// A film is often read as fast as possible. With larger blocks the threads of reader and server take turns less often.
    var blockSize: Int { 256 << 10 }

    /// Opens or reads the segment with the first bytes. Blocks.
    ///
    /// - Returns: the reason for which the first bytes can't be read; `nil` if they can.
    func begin() -> AssetFileError? {
        do throws(AssetFileError) {
            if !range.isEmpty { try reader.load(at: range.lowerBound) }
            return nil
        } catch {
            return error
        }
    }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        var place = range.lowerBound + offset
        var hasBytes = false
        defer { if hasBytes { played() } }
        while place < range.upperBound, writer.remaining > 0 {
            let wanted = Int(min(UInt64(writer.remaining), range.upperBound - place))
            guard let bytes = reader.ready(at: place, count: wanted) else {
                if hasBytes { return .bytes }
                guard !hasFailed.withLock({ $0 }) else { return .fail }
                load(at: place, wake)
                return .wait(limit: ArrivingBody.longestWait)
            }
            guard let count = Self.append(bytes, to: &writer), count > 0 else { return .fail }
            place += UInt64(count)
            hasBytes = true
            readAhead()
        }
        return hasBytes ? .bytes : .end
    }

    /// Appends as many bytes as fit.
    ///
    /// - Returns: the number of appended bytes; `nil` if the file can't be read.
    private static func append(_ bytes: AssetFileBytes, to writer: inout BodyWriter) -> Int? {
        switch bytes {
        case .memory(let bytes): writer.append(bytes)
        case .file(let file, let offset, let count):
            try? writer.append(contentsOf: file.descriptor, at: UInt64(offset), limit: count)
        }
    }

    private func load(at place: UInt64, _ wake: @escaping @Sendable () -> Void) {
        run { [reader, hasFailed] in
            if (try? reader.load(at: place)) == nil { hasFailed.withLock { $0 = true } }
            wake()
        }
    }

    private func readAhead() {
        guard let place = reader.takeTurn() else { return }
        run { [reader, range] in reader.loadAhead(of: place, upTo: range.upperBound) }
    }

    /// Runs work on another thread, after all earlier work.
    private func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { work in
            work = Task { [earlier = work] in
                await earlier?.value
                await WorkPool.queries.run { body() }
            }
        }
    }
}
