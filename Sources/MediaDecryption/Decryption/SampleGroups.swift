/// Sample groups of type `seig`: samples whose encryption or key differs from that of their track (ISO/IEC 23001-7,
/// section 6; ISO/IEC 14496-12, section 8.9).
package enum SampleGroups {
    private static let type = Array("seig".utf8)

    /// Runs of samples with the number of their group's description; `nil` when there are no such groups.
    package static func map(_ bytes: [UInt8], _ boxes: [MP4Box]) -> [(count: Int, index: Int)]? {
        for box in boxes where box.type == "sbgp" {
            var cursor = ByteCursor(bytes, box.content)
            let version = cursor.number(1)
            cursor.skip(3)
            guard cursor.take(4) == type else { continue }
            cursor.skip(version == 1 ? 4 : 0)
            let count = cursor.number(4)
            guard count * 8 <= box.content.count else { return [] }
            return (0..<count).map { _ in (cursor.number(4), cursor.number(4)) }
        }
        return nil
    }

    /// Reads the descriptions of a list of boxes, in order. Reading stops at an invalid one, because the next one would
    /// get its number. Descriptions name no scheme, so they get that of their track.
    static func descriptions(_ bytes: [UInt8], _ boxes: [MP4Box], scheme: TrackEncryption.Scheme)
        -> [SampleEncryption]
    {
        for box in boxes where box.type == "sgpd" {
            var cursor = ByteCursor(bytes, box.content)
            let version = cursor.number(1)
            cursor.skip(3)
            guard cursor.take(4) == type else { continue }
            let length = version >= 1 ? cursor.number(4) : 0
            cursor.skip(version >= 2 ? 4 : 0)
            let count = cursor.number(4)
            guard count * 20 <= box.content.count else { return [] }
            let read = (0..<count).map { _ in
                // Descriptions with different lengths each have their own length field.
                if version >= 1, length == 0 { cursor.skip(4) }
                return description(&cursor, scheme)
            }
            return read.prefix { $0 != nil }.compactMap(\.self)
        }
        return []
    }

    /// Reads a description. Its fields are those of a `tenc` box.
    private static func description(_ cursor: inout ByteCursor, _ scheme: TrackEncryption.Scheme)
        -> SampleEncryption?
    {
        cursor.skip(1)
        let pattern = cursor.number(1)
        let isProtected = cursor.number(1) == 1
        let ivSize = cursor.number(1)
        let keyID = cursor.take(16)
        let constant = cursor.take(isProtected && ivSize == 0 ? cursor.number(1) : 0)
        guard cursor.isValid, ivSize == 0 || ivSize == 8 || ivSize == 16 else { return nil }
        return SampleEncryption(
            scheme: scheme, isProtected: isProtected, cryptBlocks: pattern >> 4, skipBlocks: pattern & 15,
            ivSize: ivSize, keyID: keyID, constantIV: constant)
    }
}
