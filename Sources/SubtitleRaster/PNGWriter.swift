internal import CPangoCairo
internal import SidebandSubtitles

/// Writes pictures as PNG (RFC 2083): eight bits of red, green, blue and alpha.
enum PNGWriter {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func write(_ canvas: Canvas) throws(RasterError) -> [UInt8] {
        let (width, height) = (canvas.size.width, canvas.size.height)
        let rows = unsafe canvas.withPixels { pixels, words in
            unsafe scanlines(pixels, wordsInRow: words, width: width, height: height)
        }
        guard let data = compressed(rows) else { throw .outOfMemory }
        var file = signature
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]
        appendChunk("IHDR", header, to: &file)
        appendChunk("IDAT", data, to: &file)
        appendChunk("IEND", [], to: &file)
        return file
    }

    /// The rows as PNG has them: not multiplied by alpha, and each after a byte that names its filter, none.
    private static func scanlines(
        _ pixels: UnsafeBufferPointer<UInt32>, wordsInRow words: Int, width: Int, height: Int
    ) -> [UInt8] {
        var rows = [UInt8](repeating: 0, count: (width * 4 + 1) * height)
        unsafe rows.withUnsafeMutableBufferPointer { rows in
            for y in 0..<height {
                let start = y * (width * 4 + 1) + 1
                for x in 0..<width {
                    let pixel = unsafe pixels[y * words + x]
                    if pixel != 0 { unsafe store(pixel, rows, start + x * 4) }
                }
            }
        }
        return rows
    }

    private static func store(_ pixel: UInt32, _ rows: UnsafeMutableBufferPointer<UInt8>, _ place: Int) {
        let alpha = pixel >> 24
        func part(_ shift: UInt32) -> UInt8 {
            let value = pixel >> shift & 0xFF
            return UInt8(alpha == 255 ? value : min(255, (value * 255 + alpha / 2) / max(alpha, 1)))
        }
        unsafe rows[place] = part(16)
        unsafe rows[place + 1] = part(8)
        unsafe rows[place + 2] = part(0)
        unsafe rows[place + 3] = UInt8(alpha)
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var length = cpc_compressBound(UInt(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(length))
        guard unsafe cpc_compress2(&result, &length, bytes, UInt(bytes.count), 1) == 0 else { return nil }
        result.removeLast(result.count - Int(length))
        return result
    }

    private static func appendChunk(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        let content = Array(type.utf8) + data
        file += bigEndian(UInt32(data.count))
        file += content
        file += bigEndian(UInt32(truncatingIfNeeded: unsafe cpc_crc32(0, content, UInt32(content.count))))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
}
