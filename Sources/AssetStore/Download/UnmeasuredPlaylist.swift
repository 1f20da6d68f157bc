/// A playlist of which only the end of the connection told where it ends, so that it may have been cut. Pure.
struct UnmeasuredPlaylist {
    let bytes: [UInt8]

    /// Whether its last line is whole.
    var endsWithLine: Bool { bytes.last == 0x0A || bytes.last == 0x0D }

    /// Whether it has come to the tag that ends it; multivariant playlists and those that grow have none.
    var hasEnd: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let end = bytes.suffix(64).reversed().drop(while: blanks.contains)
        return end.starts(with: "#EXT-X-ENDLIST".utf8.reversed())
    }

    /// The fuller one of two that came one after the other; `nil` when neither is the beginning of the other, as with
    /// one that changes, and the later one was cut.
    func fuller(_ later: UnmeasuredPlaylist) -> [UInt8]? {
        if bytes.starts(with: later.bytes) { return bytes }
        return later.bytes.starts(with: bytes) || later.endsWithLine ? later.bytes : nil
    }
}
