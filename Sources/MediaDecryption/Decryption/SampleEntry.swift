/// A sample entry of a track, and the boxes that describe its encryption (ISO/IEC 14496-12, sections 8.5.2 and 8.12).
package struct SampleEntry {
    package let box: MP4Box
    /// The `sinf` boxes: alternative protections of the same samples, one of which must be known.
    let protections: [MP4Box]

    /// Bytes of an entry before its boxes, by its type (ISO/IEC 14496-12, sections 12.1.3 and 12.2.3).
    private static let fixed = ["encv": 78, "enca": 28]

    /// The sample entries of a `trak` box, in order.
    package static func list(_ bytes: [UInt8], of track: MP4Box) -> [SampleEntry] {
        let path = ["mdia", "minf", "stbl", "stsd"]
        guard let list = MP4Box.find(path, bytes, in: track.content) else { return [] }
        return MP4Box.list(bytes, in: list.content.dropFirst(8)).map { box in
            guard let fixed = fixed[box.type] else { return SampleEntry(box: box, protections: []) }
            let boxes = MP4Box.list(bytes, in: box.content.dropFirst(fixed))
            return SampleEntry(box: box, protections: boxes.filter { $0.type == "sinf" })
        }
    }

    /// Whether its type marks it as encrypted: `encv`, `enca`, `enct` and others.
    package var isEncrypted: Bool { box.type.hasPrefix("enc") }

    /// The encryption of its samples.
    ///
    /// - Throws: `scheme` for unknown schemes only, `undecryptable` for an invalid description.
    package func encryption(_ bytes: [UInt8]) throws(StoreError) -> SampleEncryption {
        guard isEncrypted else { return .none }
        let schemes = protections.map { Self.scheme($0, bytes) }
        for (protection, scheme) in zip(protections, schemes) {
            guard let scheme = TrackEncryption.Scheme(rawValue: scheme) else { continue }
            guard let box = MP4Box.find(["schi", "tenc"], bytes, in: protection.content),
                let sample = SampleEncryption(bytes, box, scheme: scheme)
            else { throw StoreError(.integrity(.undecryptable)) }
            return sample
        }
        throw StoreError(.integrity(.scheme(schemes.first ?? "")))
    }

    /// The scheme's name in a `sinf` box; characters that can't be printed become question marks.
    private static func scheme(_ protection: MP4Box, _ bytes: [UInt8]) -> String {
        guard let kind = MP4Box.find(["schm"], bytes, in: protection.content), kind.content.count >= 8 else {
            return ""
        }
        let name = bytes[kind.content.lowerBound + 4..<kind.content.lowerBound + 8]
        return String(
            decoding: name.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// The type that the entry has in the clear, of four characters.
    package func format(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        protections.lazy.compactMap { MP4Box.find(["frma"], bytes, in: $0.content) }
            .first { $0.content.count == 4 }.map { bytes[$0.content] }
    }
}

extension SampleEncryption {
    /// No encryption.
    package static let none = SampleEncryption(
        scheme: .cenc, isProtected: false, cryptBlocks: 0, skipBlocks: 0, ivSize: 0, keyID: [], constantIV: []
    )

    /// Reads a `tenc` box; `nil` when it makes no sense (ISO/IEC 23001-7, section 8.2).
    package init?(_ bytes: [UInt8], _ box: MP4Box, scheme: TrackEncryption.Scheme) {
        var cursor = ByteCursor(bytes, box.content)
        let version = cursor.number(1)
        cursor.skip(4)
        let pattern = version == 0 ? cursor.number(1) & 0 : cursor.number(1)
        let isProtected = cursor.number(1) == 1
        let ivSize = cursor.number(1)
        let keyID = cursor.take(16)
        let constant = cursor.take(isProtected && ivSize == 0 ? cursor.number(1) : 0)
        guard cursor.isValid, ivSize == 0 || ivSize == 8 || ivSize == 16 else { return nil }
        self.init(
            scheme: scheme, isProtected: isProtected, cryptBlocks: pattern >> 4, skipBlocks: pattern & 15,
            ivSize: ivSize, keyID: keyID, constantIV: constant)
    }
}
