/// A box of an MP4 file (ISO/IEC 14496-12, section 4.2): where its content lies.
package struct MP4Box {
    package var type: String
    /// The offset of its header.
    package var start: Int
    package var content: Range<Int>

    /// The boxes in a range, in order; the list ends at the first invalid box.
    package static func list(_ bytes: [UInt8], in range: Range<Int>) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            var (size, header) = (Int(bytes.number(at: start, 4)), 8)
            if size == 1, start + 16 <= range.upperBound {
                let large = bytes.number(at: start + 8, 8)
                guard large <= UInt64(range.upperBound - start) else { break }
                (size, header) = (Int(large), 16)
            } else if size == 0 {
                size = range.upperBound - start
            }
            guard size >= header, start + size <= range.upperBound else { break }
            let type = String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)
            boxes.append(MP4Box(type: type, start: start, content: start + header..<start + size))
            start += size
        }
        return boxes
    }

    /// The first box at the end of a path of types.
    package static func find(_ path: [String], _ bytes: [UInt8], in range: Range<Int>) -> MP4Box? {
        guard let type = path.first, let box = list(bytes, in: range).first(where: { $0.type == type }) else {
            return nil
        }
        return path.count == 1 ? box : find(Array(path.dropFirst()), bytes, in: box.content)
    }

    /// Changes the type of the box to another one of four characters.
    package func rename(to type: String, in bytes: inout [UInt8]) {
        bytes.replaceSubrange(start + 4..<start + 8, with: type.utf8)
    }
}

extension [UInt8] {
    /// A big-endian number of `count` bytes; zero beyond the end.
    package func number(at offset: Int, _ count: Int) -> UInt64 {
        guard offset >= 0, offset + count <= self.count else { return 0 }
        return self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Reads numbers one after the other, and stops at the end.
package struct ByteCursor {
    package let bytes: [UInt8]
    package let end: Int
    package private(set) var offset: Int
    package private(set) var isValid = true

    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (offset, end) = (range.lowerBound, range.upperBound)
    }

    package mutating func number(_ count: Int) -> Int {
        guard offset + count <= end else {
            isValid = false
            return 0
        }
        defer { offset += count }
        return Int(truncatingIfNeeded: bytes.number(at: offset, count))
    }

    package mutating func take(_ count: Int) -> [UInt8] {
        guard count >= 0, offset + count <= end else {
            isValid = false
            return []
        }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    package mutating func skip(_ count: Int) {
        isValid = isValid && offset + count <= end
        offset = min(end, offset + count)
    }
}
