internal import AssetFiles
internal import AssetStore
internal import Forwarding
internal import HTTPDaemon
internal import Locking

/// Sends a range of a file that is made of an asset. Segments are read on another thread; a read error breaks the
/// connection.
final class AssetFileBody: BodySource {
    private let reader: AssetFileReader
    private let range: Range<UInt64>
    private let hasFailed = Lock(false)

    init(_ reader: AssetFileReader, _ range: Range<UInt64>) { (self.reader, self.range) = (reader, range) }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        var place = range.lowerBound + offset
        var hasBytes = false
        while place < range.upperBound, writer.remaining > 0 {
            let wanted = Int(min(UInt64(writer.remaining), range.upperBound - place))
            guard let bytes = reader.ready(at: place, count: wanted) else {
                if hasBytes { return .bytes }
                guard !hasFailed.withLock({ $0 }) else { return .fail }
                load(at: place, wake)
                return .wait(limit: ArrivingBody.longestWait)
            }
            guard !bytes.isEmpty else { return .fail }
            writer.append(bytes)
            place += UInt64(bytes.count)
            hasBytes = true
        }
        return hasBytes ? .bytes : .end
    }

    private func load(at place: UInt64, _ wake: @escaping @Sendable () -> Void) {
        Task {
            let isRead = await WorkPool.queries.run { [reader] in (try? reader.load(at: place)) != nil }
            if !isRead { self.hasFailed.withLock { $0 = true } }
            wake()
        }
    }
}
