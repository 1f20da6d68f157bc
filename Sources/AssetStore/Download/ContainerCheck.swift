/// Whether a segment's bytes end where its container says. The agreement of lengths alone proves little:
/// an origin that announces too short a Content-Length cuts the body unnoticed.
struct ContainerCheck {
    private let file: PartialFile
    private let mayEndInBox: Bool

    /// - Parameter mayEndInBox: whether it need not end where a box of MP4 does.
    init(_ file: PartialFile, mayEndInBox: Bool = false) {
        (self.file, self.mayEndInBox) = (file, mayEndInBox)
    }

    /// Whether what begins like this has an end of its own.
    static func knowsEnd(of head: [UInt8]) -> Bool {
        switch ContainerFormat(sniffing: head) {
        case .ts where head.first == 0x47: true
        case .mp4, .m4s: true
        default: false
        }
    }

    /// What is wrong, in words; `nil` when nothing is, or when the format has no end of its own.
    func problem() throws(StoreError) -> String? {
        guard file.watermark > 0 else { return "the segment is empty" }
        let head = try file.read(at: 0, count: 376)
        switch ContainerFormat(sniffing: head) {
        case .ts where head.first == 0x47:
            return file.watermark % 188 == 0 ? nil : "the segment ends in the middle of a TS packet"
        case .mp4, .m4s: return mayEndInBox ? nil : try boxesProblem()
        default: return nil
        }
    }

    private func boxesProblem() throws(StoreError) -> String? {
        var offset: UInt64 = 0
        while offset < file.watermark {
            let header = try file.read(at: offset, count: 16)
            guard let size = Self.boxSize(header) else {
                return "the segment ends in the middle of an MP4 box"
            }
            if size == 0 { return nil }
            let (next, overflow) = offset.addingReportingOverflow(size)
            guard size >= 8, !overflow, next <= file.watermark else {
                return "the segment ends in the middle of an MP4 box"
            }
            offset = next
        }
        return nil
    }

    /// ISO/IEC 14496-12, section 4.2; 0 means that the box reaches to the end.
    private static func boxSize(_ header: [UInt8]) -> UInt64? {
        guard header.count >= 8 else { return nil }
        let short = header.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard short == 1 else { return short }
        guard header.count == 16 else { return nil }
        return header.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
