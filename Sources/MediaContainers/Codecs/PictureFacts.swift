/// The facts of coded pictures that a sample entry tells: size, shape of pixels, color and rate.
struct PictureFacts: Hashable {
    var width = 0
    var height = 0
    /// The shape of a pixel; `nil` where it is not told.
    var pixelShape: Pair?
    /// Primaries, transfer and matrix (ISO/IEC 23091-2), and whether values use the full range.
    var color: Color?
    /// Ticks of 90 kHz from one picture to the next, where the stream tells.
    var pictureTicks: Int?
    /// The number of pictures that are decoded before one that is shown earlier, if the stream tells it.
    var reorderDepth: Int?

    /// The display on which the pictures were graded, and how bright they are.
    var light = LightFacts()

    struct Pair: Hashable {
        var x: Int
        var y: Int
    }

    struct Color: Hashable {
        var primaries: Int
        var transfer: Int
        var matrix: Int
        var isFullRange: Bool
    }

    private static let shapes: [(Int, Int)] = [
        (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
        (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    /// Reads the common part of the usability information of H.264 and H.265: everything before its timing (ISO/IEC
    /// 14496-10, annex E).
    mutating func readUsability(_ reader: inout BitReader) {
        if reader.flag() {
            let code = reader.bits(8)
            if code == 255 {
                pixelShape = Pair(x: reader.bits(16), y: reader.bits(16))
            } else if Self.shapes.indices.contains(code - 1) {
                pixelShape = Pair(x: Self.shapes[code - 1].0, y: Self.shapes[code - 1].1)
            }
        }
        if reader.flag() { reader.skip(1) }
        if reader.flag() { readColor(&reader) }
        if reader.flag() { (_, _) = (reader.ue(), reader.ue()) }
    }

    private mutating func readColor(_ reader: inout BitReader) {
        reader.skip(3)
        let isFullRange = reader.flag()
        guard reader.flag() else { return }
        let (primaries, transfer, matrix) = (reader.bits(8), reader.bits(8), reader.bits(8))
        color = Color(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
    }

    /// Notes the rate of pictures.
    mutating func setRate(units: Int, scale: Int, unitsPerPicture: Int) {
        guard units > 0, scale > 0 else { return }
        let ticks = 90_000 * units * unitsPerPicture / scale
        if (1...90_000 * 60).contains(ticks) { pictureTicks = ticks }
    }
}

/// The facts that messages tell of pictures with a high dynamic range; their content is that of the boxes of MP4.
struct LightFacts: Hashable {
    /// The color volume of the mastering display (ISO/IEC 23008-2, annex D.3.28).
    var mastering: [UInt8]?
    /// The content light level (annex D.3.35).
    var level: [UInt8]?

    /// Reads the messages of a unit, without its header.
    mutating func read(_ data: [UInt8], _ range: Range<Int>) {
        let payload = ByteStream.payload(data, range, limit: 4096)
        SupplementalMessages.visit(payload) { type, content in
            if type == 137, content.count >= 24 { mastering = Array(payload[content].prefix(24)) }
            if type == 144, content.count >= 4 { level = Array(payload[content].prefix(4)) }
        }
    }
}

extension ByteWriter {
    /// Appends a sample entry of pictures (ISO/IEC 14496-12, section 12.1.3).
    ///
    /// - Parameter configuration: writes the boxes of the codec.
    mutating func pictureEntry(
        _ type: String, _ facts: PictureFacts, configuration: (inout ByteWriter) -> Void
    ) {
        box(type) { writer in
            writer.zeros(6)
            writer.u16(1)
            writer.zeros(16)
            writer.u16(facts.width)
            writer.u16(facts.height)
            writer.u32(0x48_0000)
            writer.u32(0x48_0000)
            writer.u32(0)
            writer.u16(1)
            writer.zeros(32)
            writer.u16(0x18)
            writer.u16(0xFFFF)
            configuration(&writer)
            writer.pictureFacts(facts)
        }
    }

    private mutating func pictureFacts(_ facts: PictureFacts) {
        if let color = facts.color {
            box("colr") { writer in
                writer.text("nclx")
                writer.u16(color.primaries)
                writer.u16(color.transfer)
                writer.u16(color.matrix)
                writer.u8(color.isFullRange ? 0x80 : 0)
            }
        }
        if let mastering = facts.light.mastering { box("mdcv") { $0.append(mastering) } }
        if let level = facts.light.level { box("clli") { $0.append(level) } }
        if let shape = facts.pixelShape, shape.x > 0, shape.y > 0 {
            box("pasp") { writer in
                writer.u32(shape.x)
                writer.u32(shape.y)
            }
        }
    }
}
