/// Passes on text in pieces, cue by cue, so that a long track takes little memory.
enum OutputPieces {
    /// Bytes of a piece, about.
    static let size = 64 << 10

    /// Passes on `head`, then the text that `append` writes for each cue.
    static func write<Failure: Error>(
        _ cues: [Cue], after head: [UInt8] = [], to receive: ([UInt8]) throws(Failure) -> Void,
        _ append: (Cue, inout [UInt8]) -> Void
    ) throws(Failure) {
        var bytes = head
        for cue in cues {
            append(cue, &bytes)
            if bytes.count < size { continue }
            try receive(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        if !bytes.isEmpty { try receive(bytes) }
    }

    /// All pieces together.
    static func joined(_ write: (([UInt8]) -> Void) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        write { bytes += $0 }
        return bytes
    }
}
