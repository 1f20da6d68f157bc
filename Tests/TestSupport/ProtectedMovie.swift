/// Initialization sections of encrypted fragmented MP4, as far as decrypting looks at them.
public enum ProtectedMovie {
    /// An initialization section whose tracks, numbered from 1, have these sample entries.
    public static func initialization(_ tracks: [[[UInt8]]]) -> [UInt8] {
        let traks = tracks.enumerated().map { index, entries in
            let table = box("stsd", number(0, 4) + number(entries.count, 4) + entries.flatMap(\.self))
            let media = box("mdia", box("minf", box("stbl", table)))
            return box("trak", box("tkhd", number(0, 12) + number(index + 1, 4)) + media)
        }
        return box("ftyp", Array("iso6".utf8) + number(0, 4)) + box("moov", traks.flatMap(\.self))
    }

    /// An encrypted video sample entry.
    ///
    /// - Parameter protections: `sinf` boxes.
    public static func entry(_ protections: [UInt8]...) -> [UInt8] {
        box("encv", [UInt8](repeating: 0, count: 78) + protections.flatMap(\.self))
    }

    /// What says that samples are encrypted by a scheme with a key, with a vector of 16 bytes each.
    public static func protection(_ scheme: String, _ keyID: [UInt8]) -> [UInt8] {
        let kind = box("schm", number(0, 4) + Array(scheme.utf8) + number(0x10000, 4))
        let details = box("schi", box("tenc", number(0, 6) + [1, 16] + keyID))
        return box("sinf", box("frma", Array("avc1".utf8)) + kind + details)
    }

    /// A big-endian number.
    public static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < count - 8 ? 0 : UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// A box of an MP4 file.
    public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(type.utf8) + content
    }
}
