package import HTTPDaemon
package import StoreFiles

/// The body of a response with a segment that is still arriving. If the segment's download fails, the connection is
/// closed before the end of the body, so that no player takes a part for the whole segment.
package struct ArrivingBody: BodySource {
    private let file: ArrivingFile
    private let start: UInt64
    private let end: UInt64?
    package static let longestWait = Duration.seconds(60)

    /// - Parameters:
    ///   - start: the offset of the first byte to send.
    ///   - end: the offset before which to stop; `nil` sends the file to its end.
    package init(_ file: ArrivingFile, from start: UInt64, to end: UInt64?) {
        self.file = file
        self.start = start
        self.end = end
    }

    package func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        let position = start + offset
        let wanted = min(UInt64(writer.remaining), (end ?? .max) - position)
        guard wanted > 0 else { return .end }
        guard let step = try? file.read(at: position, count: Int(wanted)) else { return .fail }
        switch step {
        case .bytes(let bytes):
            writer.append(bytes)
            return .bytes
        case .end: return end == nil ? .end : .fail
        case .failed: return .fail
        case .wait:
            file.whenGrown(beyond: position, wake: wake)
            return .wait(limit: Self.longestWait)
        }
    }
}
