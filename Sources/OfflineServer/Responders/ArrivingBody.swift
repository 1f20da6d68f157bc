internal import AssetStore
internal import HTTPDaemon

/// Sends a segment while it arrives. If the download fails, the connection is broken, so that no player takes a
/// fragment for the whole segment.
struct ArrivingBody: BodySource {
    private let file: ArrivingFile
    private let start: UInt64
    private let end: UInt64?
    static let longestWait = Duration.seconds(60)

    /// - Parameters:
    ///   - start: the first byte of the file to send.
    ///   - end: the first one not to send; `nil` for all.
    init(_ file: ArrivingFile, from start: UInt64, to end: UInt64?) {
        self.file = file
        self.start = start
        self.end = end
    }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
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

/// Sends a unit while it is decrypted, also while it arrives. If it can't be decrypted, the connection is broken.
struct ClearBody: BodySource {
    private let media: ClearMedia
    private let start: UInt64
    private let end: UInt64?

    /// - Parameters:
    ///   - start: the first byte of the clear content to send.
    ///   - end: the first one not to send; `nil` for all.
    init(_ media: ClearMedia, from start: UInt64, to end: UInt64?) {
        (self.media, self.start, self.end) = (media, start, end)
    }

    func read(into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void)
        -> BodyStep
    {
        let position = start + offset
        let wanted = min(UInt64(writer.remaining), (end ?? .max) - position)
        guard wanted > 0 else { return .end }
        switch media.read(at: position, count: Int(wanted)) {
        case .bytes(let bytes):
            writer.append(bytes)
            return .bytes
        case .end: return end == nil ? .end : .fail
        case .failed: return .fail
        case .wait:
            media.whenGrown(wake: wake)
            return .wait(limit: ArrivingBody.longestWait)
        }
    }
}
