/// A unit whose bytes are arriving: what is there can be read, the rest waited for.
public struct ArrivingFile: Sendable {
    private let file: PartialFile
    private let version: Int

    init(_ file: PartialFile) {
        self.file = file
        version = file.version
    }

    /// What is there beyond some offset.
    public enum Step: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Nothing yet.
        case wait
        /// Nothing, and there will be no more: the file is whole.
        case end
        /// Nothing, and the rest will not come.
        case failed
    }

    /// The final length in bytes, once the origin has told it.
    public var length: UInt64? { file.end == .complete ? file.watermark : file.expectedLength }

    /// Whether nothing more is to be waited for.
    public var hasEnded: Bool { file.end != nil }

    /// At most `count` bytes from `offset` on.
    public func read(at offset: UInt64, count: Int) throws(StoreError) -> Step {
        // The end is looked at first: bytes that come in between are then found by the read.
        let end = file.end
        let bytes = try file.read(at: offset, count: count)
        // What the origin sent since it started over does not go with what was read before.
        guard file.version == version else { return .failed }
        if !bytes.isEmpty { return .bytes(bytes) }
        switch end {
        case nil: return .wait
        case .complete: return .end
        case .failed: return .failed
        }
    }

    /// Calls `wake` once, when there is something beyond `offset` or the arrival has ended.
    public func whenGrown(beyond offset: UInt64, wake: @escaping @Sendable () -> Void) {
        file.whenGrown(beyond: offset, wake: wake)
    }
}
