internal import AssetStore
internal import Forwarding
internal import HTTPDaemon

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
