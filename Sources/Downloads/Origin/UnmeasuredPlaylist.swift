/// A playlist of which only the end of the connection told where it ends, so that it may have been cut. Pure.
package struct UnmeasuredPlaylist {
    package let bytes: [UInt8]

    /// Whether its last line is whole.
    var endsWithLine: Bool { bytes.last == 0x0A || bytes.last == 0x0D }

    /// Whether it has come to the tag that ends it; multivariant playlists and those that grow have none.
    var hasEnd: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let end = bytes.suffix(64).reversed().drop(while: blanks.contains)
        return end.starts(with: "#EXT-X-ENDLIST".utf8.reversed())
    }

    /// Whether it is to be taken although another one came after it: it is that one and more. Of two that differ
    /// otherwise, as with addresses that are signed each time, none is known to be cut.
    func isFuller(than later: UnmeasuredPlaylist) -> Bool {
        bytes.count > later.bytes.count && bytes.starts(with: later.bytes)
    }
}
