/// The name of a codec for CODECS, from its sample entry (RFC 6381; ISO/IEC 14496-15, annex E; the AV1 and VP9 bindings).
struct CodecName {
    private(set) var text: String

    init(_ head: SampleEntryHead, _ entry: [UInt8]) {
        func content(_ name: String) -> [UInt8] {
            head.boxes.first { $0.name == name }.map { Array(entry[$0.content]) } ?? []
        }
        switch head.name {
        case "avc1", "avc3", "dva1", "dvav": text = Self.avc(head.name, content("avcC"))
        case "hvc1", "hev1": text = Self.hevc(head.name, content("hvcC"))
        case "dvh1", "dvhe": text = Self.dolbyVision(head.name, content("dvcC"), newer: content("dvvC"))
        case "av01": text = Self.av1(content("av1C"))
        case "vp09": text = Self.vp9(content("vpcC"))
        case "mp4a": text = Self.mpegAudio(content("esds"))
        case "Opus": text = "opus"
        case "fLaC": text = "flac"
        case "stpp": text = "stpp.ttml.im1t"
        default: text = head.name
        }
    }

    private static func avc(_ name: String, _ box: [UInt8]) -> String {
        box.count > 3 ? "\(name).\(hex(box[1]))\(hex(box[2]))\(hex(box[3]))" : name
    }

    private static func hevc(_ name: String, _ box: [UInt8]) -> String {
        guard box.count > 12 else { return name }
        let space = ["", "A", "B", "C"][Int(box[1] >> 6)]
        var flags = box[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        flags = (0..<32).reduce(UInt32(0)) { $0 | (flags >> UInt32($1) & 1) << UInt32(31 - $1) }
        var parts = [
            name, "\(space)\(box[1] & 31)", String(flags, radix: 16, uppercase: true),
            (box[1] & 32 == 0 ? "L" : "H") + String(box[12]),
        ]
        var constraints = Array(box[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        parts += constraints.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
    }

    private static func dolbyVision(_ name: String, _ first: [UInt8], newer second: [UInt8]) -> String {
        let box = first.isEmpty ? second : first
        guard box.count > 3 else { return name }
        return "\(name).\(two(Int(box[2] >> 1))).\(two(Int(box[2] & 1) << 5 | Int(box[3] >> 3)))"
    }

    private static func av1(_ box: [UInt8]) -> String {
        guard box.count > 2 else { return "av01" }
        let depth = box[2] & 0x40 == 0 ? 8 : box[2] & 0x20 == 0 ? 10 : 12
        return "av01.\(box[1] >> 5).\(two(Int(box[1] & 31)))\(box[2] & 0x80 == 0 ? "M" : "H").\(two(depth))"
    }

    private static func vp9(_ box: [UInt8]) -> String {
        guard box.count > 6 else { return "vp09" }
        return "vp09.\(two(Int(box[4]))).\(two(Int(box[5]))).\(two(Int(box[6] >> 4)))"
    }

    /// The object types of an `esds` box (ISO/IEC 14496-1, section 7.2.6).
    private static func mpegAudio(_ box: [UInt8]) -> String {
        guard let decoder = DecoderDescriptor(box) else { return "mp4a" }
        let name = "mp4a.\(hex(UInt8(truncatingIfNeeded: decoder.object)).uppercased())"
        guard decoder.object == 0x40, decoder.configuration.count >= 2 else { return name }
        let word = Int(decoder.configuration[0]) << 8 | Int(decoder.configuration[1])
        let type = word >> 11
        return "\(name).\(type == 31 ? 32 + (word >> 5 & 63) : type)"
    }

    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0" + text : text
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
