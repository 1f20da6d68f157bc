internal import MediaContainers

/// The first bytes of a unit.
package enum MediaHead {
    /// The first bytes, enough to recognize the format.
    package static func head(of bytes: RawSpan) -> [UInt8] {
        unsafe bytes.extracting(first: min(bytes.byteCount, 512)).withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Whether bytes with this beginning may hide media, so that players get none of them before the whole was
    /// checked.
    package static func mayHideMedia(_ head: [UInt8]) -> Bool {
        switch ContainerFormat(sniffing: head) {
        case .ts, .mp4, .m4s: head.starts(with: "ID3".utf8)
        case .jpg, .png, .webp: true
        case .aac, .mp3, .ac3, .ec3, .vtt: false
        case nil: ForeignFormat(head: head)?.isMedia != true
        }
    }
}
