/// A QR code (ISO/IEC 18004) of a text: bytes, error correction level M, versions 1 to 13.
package struct QRCode {
    /// The rows of modules, true for dark ones, without the quiet zone.
    package let modules: [[Bool]]

    /// The code of a text; `nil` for one of more than 331 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = (1..<QRWords.corrections.count).first(where: { QRWords.takes(bytes.count, $0) })
        else { return nil }
        var grid = QRGrid(version: version)
        grid.fill(QRWords.all(of: bytes, version: version))
        modules = grid.masked()
    }

    /// The code as text, two rows of modules a line. It paints its own light ground with the quiet zone, so it can be
    /// read on dark and light terminals.
    package var halfBlocks: [String] {
        let size = modules.count
        let isDark = { (x: Int, y: Int) in
            (0..<size).contains(x) && (0..<size).contains(y) && modules[y][x]
        }
        return stride(from: -2, to: size + 2, by: 2).map { y in
            (-2..<size + 2).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
        }
    }

    /// The code as an SVG document, dark on light.
    package var svg: String {
        let side = modules.count + 8
        let squares = modules.enumerated().flatMap { y, row in
            row.enumerated().compactMap { x, isDark in isDark ? "M\(x + 4) \(y + 4)h1v1h-1z" : nil }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path d="\(squares.joined())"/></svg>
            """
    }
}

/// The codewords of a QR code.
private enum QRWords {
    /// Codewords of error correction a block, by version.
    static let corrections = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22]
    private static let blocks = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9]

    static func takes(_ count: Int, _ version: Int) -> Bool {
        room(version) >= count + (version < 10 ? 2 : 3)
    }

    private static func room(_ version: Int) -> Int {
        capacity(version) - blocks[version] * corrections[version]
    }

    /// How many codewords fit into a version.
    private static func capacity(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let marks = version / 7 + 2
            modules -= (25 * marks - 10) * marks - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// Data and correction, interleaved.
    static func all(of bytes: [UInt8], version: Int) -> [UInt8] {
        let (count, own) = (blocks[version], corrections[version])
        let data = data(of: bytes, version: version)
        let (short, long) = (data.count / count, data.count % count)
        var rest = data[...]
        let parts = (0..<count).map { index in
            let part = Array(rest.prefix(short + (index >= count - long ? 1 : 0)))
            rest = rest.dropFirst(part.count)
            return part
        }
        let ends = parts.map { remainder(of: $0, divisor: divisor(own)) }
        return interleaved(parts) + interleaved(ends)
    }

    private static func interleaved(_ parts: [[UInt8]]) -> [UInt8] {
        (0..<(parts.map(\.count).max() ?? 0)).flatMap { at in
            parts.compactMap { at < $0.count ? $0[at] : nil }
        }
    }

    /// The mode (bytes), the length, the bytes and the padding (section 7.4).
    private static func data(of bytes: [UInt8], version: Int) -> [UInt8] {
        let room = room(version)
        var bits: [Bool] = []
        func push(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        push(4, 4)
        push(bytes.count, version < 10 ? 8 : 16)
        for byte in bytes { push(Int(byte), 8) }
        push(0, min(4, room * 8 - bits.count))
        while !bits.count.isMultiple(of: 8) { bits.append(false) }
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for pad in 0..<room - data.count { data.append(pad.isMultiple(of: 2) ? 0xEC : 0x11) }
        return data
    }

    /// A product in the field of 256 elements with the polynomial 0x11D.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= Int(b >> bit & 1) * Int(a)
        }
        return UInt8(truncatingIfNeeded: product)
    }

    private static func divisor(_ degree: Int) -> [UInt8] {
        var factors = [UInt8](repeating: 0, count: degree)
        factors[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in factors.indices {
                factors[index] = product(factors[index], root)
                if index + 1 < degree { factors[index] ^= factors[index + 1] }
            }
            root = product(root, 2)
        }
        return factors
    }

    private static func remainder(of data: [UInt8], divisor: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for (index, value) in divisor.enumerated() { rest[index] ^= product(value, factor) }
        }
        return rest
    }
}

/// The square of modules while it is made.
private struct QRGrid {
    private let size: Int
    private let version: Int
    private var modules: [[Bool]]
    private var fixed: [[Bool]]

    init(version: Int) {
        self.version = version
        size = version * 4 + 17
        modules = Array(repeating: Array(repeating: false, count: size), count: size)
        fixed = modules
        for at in 0..<size {
            set(6, at, at.isMultiple(of: 2))
            set(at, 6, at.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { draw(at: (x, y), reach: 4, light: [2, 4]) }
        drawAlignment()
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y][x] = isDark
        fixed[y][x] = true
    }

    /// Draws squares around a place; those at a distance of `light` are light.
    private mutating func draw(at center: (x: Int, y: Int), reach: Int, light: [Int]) {
        for dy in -reach...reach {
            for dx in -reach...reach {
                let (x, y) = (center.x + dx, center.y + dy)
                guard (0..<size).contains(x), (0..<size).contains(y) else { continue }
                set(x, y, !light.contains(max(abs(dx), abs(dy))))
            }
        }
    }

    private mutating func drawAlignment() {
        guard version > 1 else { return }
        let count = version / 7 + 2
        let step = (version * 4 + 4 + count * 2 - 3) / (count * 2 - 2) * 2
        let places = (0..<count).map { $0 == 0 ? 6 : size - 7 - (count - 1 - $0) * step }
        let corners = [(6, 6), (6, size - 7), (size - 7, 6)]
        for x in places {
            for y in places where !corners.contains(where: { $0 == (x, y) }) {
                draw(at: (x, y), reach: 2, light: [1])
            }
        }
    }

    /// The bits of a number with a remainder behind them.
    private static func protected(_ value: Int, polynomial: Int, bits: Int) -> Int {
        var rest = value
        for _ in 0..<bits { rest = rest << 1 ^ (rest >> (bits - 1)) * polynomial }
        return value << bits | rest
    }

    private mutating func drawFormat(mask: Int) {
        let bits = Self.protected(mask, polynomial: 0x537, bits: 10) ^ 0x5412
        let bit = { (at: Int) in bits >> at & 1 == 1 }
        for at in 0...5 { set(8, at, bit(at)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for at in 9..<15 { set(14 - at, 8, bit(at)) }
        for at in 0..<8 { set(size - 1 - at, 8, bit(at)) }
        for at in 8..<15 { set(8, size - 15 + at, bit(at)) }
        set(8, size - 8, true)
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = Self.protected(version, polynomial: 0x1F25, bits: 12)
        for at in 0..<18 {
            let (a, b) = (size - 11 + at % 3, at / 3)
            set(a, b, bits >> at & 1 == 1)
            set(b, a, bits >> at & 1 == 1)
        }
    }

    /// Enters codewords in columns of two, upward and downward in turn (section 7.7.3).
    mutating func fill(_ words: [UInt8]) {
        let all = words.flatMap { word -> [Bool] in (0..<8).reversed().map { word >> $0 & 1 == 1 } }
        var bits = all[...]
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for row in 0..<size {
                let y = (right + 1) & 2 == 0 ? size - 1 - row : row
                for x in [right, right - 1] where !fixed[y][x] {
                    modules[y][x] = bits.popFirst() ?? false
                }
            }
        }
    }

    /// The modules with the mask that makes them easiest to read.
    func masked() -> [[Bool]] {
        let all = (0..<8).map { mask in
            var grid = self
            for y in 0..<size {
                for x in 0..<size where !fixed[y][x] && Self.flips(x, y, mask: mask) {
                    grid.modules[y][x].toggle()
                }
            }
            grid.drawFormat(mask: mask)
            return grid
        }
        return all.min { $0.penalty < $1.penalty }?.modules ?? modules
    }

    private static func flips(_ x: Int, _ y: Int, mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// How hard the code is to read (section 7.8.3).
    private var penalty: Int {
        let columns = (0..<size).map { x in modules.map { $0[x] } }
        let lines = (modules + columns).reduce(0) { $0 + Self.penalty(of: $1) }
        let dark = modules.joined().count { $0 }
        return lines + squares + abs(dark * 20 - size * size * 10) / (size * size) * 10
    }

    private var squares: Int {
        (0..<size - 1).reduce(0) { sum, y in
            sum
                + 3
                * (0..<size - 1).count { x in
                    let isDark = modules[y][x]
                    return modules[y][x + 1] == isDark && modules[y + 1][x] == isDark
                        && modules[y + 1][x + 1] == isDark
                }
        }
    }

    /// The pattern of a corner's mark, with the light modules beside it.
    private static let marks = [[1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1]]

    private static func penalty(of line: [Bool]) -> Int {
        var (sum, run) = (0, 1)
        for index in 1...line.count {
            if index < line.count, line[index] == line[index - 1] {
                run += 1
            } else {
                if run >= 5 { sum += run - 2 }
                run = 1
            }
        }
        let looksLikeMark = (0...line.count - 11).count { start in
            marks.contains { mark in zip(line[start...], mark).allSatisfy { $0 == ($1 == 1) } }
        }
        return sum + 40 * looksLikeMark
    }
}
