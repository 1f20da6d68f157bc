/// A playlist without a declared length, which a broken connection may have truncated. Pure.
package struct UnmeasuredPlaylist {
    package let bytes: [UInt8]

    /// Whether its last line is complete.
    var endsWithLine: Bool { bytes.last == 0x0A || bytes.last == 0x0D }

    /// Whether it has the tag that ends it; multivariant and growing playlists have none.
    var hasEnd: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let end = bytes.suffix(64).reversed().drop(while: blanks.contains)
        return end.starts(with: "#EXT-X-ENDLIST".utf8.reversed())
    }

    /// Whether it is to be preferred to a later answer, because it begins with that answer and has more. If the two
    /// differ in another way, as with addresses that are signed each time, neither is known to be truncated.
    func isFuller(than later: UnmeasuredPlaylist) -> Bool {
        bytes.count > later.bytes.count && bytes.starts(with: later.bytes)
    }
}
