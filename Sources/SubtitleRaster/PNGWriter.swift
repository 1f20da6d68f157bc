internal import CPangoCairo
internal import SidebandSubtitles

/// Writes pictures as PNG (RFC 2083): eight bits of red, green, blue and alpha.
enum PNGWriter {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func write(_ canvas: Canvas) throws(RasterError) -> [UInt8] {
        let (width, height) = (canvas.size.width, canvas.size.height)
        let found = unsafe canvas.withPixels { pixels, words in
            unsafe compressed(Pixels(words: pixels, wordsInRow: words, width: width, height: height))
        }
        guard let data = found else { throw .outOfMemory }
        var file = signature
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]
        appendChunk("IHDR", header, to: &file)
        appendChunk("IDAT", data, to: &file)
        appendChunk("IEND", [], to: &file)
        return file
    }

    /// The rows, each with a byte in front that names the filter (none). `nil` without memory.
    private static func compressed(_ pixels: Pixels) -> [UInt8]? {
        var stream = SparseDeflate()
        let length = pixels.width * 4 + 1
        var row = 0
        while row < pixels.height {
            let start = row
            while row < pixels.height, pixels.isClear(row) { row += 1 }
            stream.append(zeros: (row - start) * length)
            let painted = row
            while row < pixels.height, !pixels.isClear(row) { row += 1 }
            guard painted == row || stream.append(pixels.scanlines(painted..<row)) else { return nil }
        }
        return stream.finish()
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

/// The pixels of a canvas while it lends them, one word each: alpha at the top, then red, green and blue, multiplied by alpha.
@safe private struct Pixels {
    let words: UnsafeBufferPointer<UInt32>
    let wordsInRow: Int
    let width: Int
    let height: Int

    func isClear(_ row: Int) -> Bool {
        let start = row * wordsInRow
        var all: UInt32 = 0
        for index in start..<(start + width) { unsafe all |= words[index] }
        return all == 0
    }

    /// Rows as PNG has them: not multiplied by alpha.
    func scanlines(_ rows: Range<Int>) -> [UInt8] {
        let length = width * 4 + 1
        return unsafe [UInt8](unsafeUninitializedCapacity: rows.count * length) { bytes, count in
            unsafe bytes.initialize(repeating: 0)
            for row in rows {
                let start = (row - rows.lowerBound) * length + 1
                for x in 0..<width {
                    let pixel = unsafe words[row * wordsInRow + x]
                    if pixel != 0 { unsafe Pixels.store(pixel, in: bytes, at: start + x * 4) }
                }
            }
            count = rows.count * length
        }
    }

    private static func store(_ pixel: UInt32, in bytes: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
        let alpha = pixel >> 24
        func part(_ shift: UInt32) -> UInt8 {
            let value = pixel >> shift & 0xFF
            return UInt8(alpha == 255 ? value : min(255, (value * 255 + alpha / 2) / max(alpha, 1)))
        }
        unsafe bytes[place] = part(16)
        unsafe bytes[place + 1] = part(8)
        unsafe bytes[place + 2] = part(0)
        unsafe bytes[place + 3] = UInt8(alpha)
    }
}
