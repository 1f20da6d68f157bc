import Foundation
import TestSupport
import Testing

/// A picture read by another program: Python, with its zlib.
struct DecodedPNG {
    private var bytes: [UInt8]
    let width: Int
    let height: Int

    init(_ png: [UInt8]) throws {
        let folder = try TemporaryDirectory()
        let (source, target) = (folder.path + "/a.png", folder.path + "/a.raw")
        try Data(png).write(to: URL(fileURLWithPath: source))
        let code = try ChildProcess("/usr/bin/env", ["python3", "-c", DecodedPNG.program, source, target])
            .wait()
        try #require(code == 0)
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
        (width, height) = (
            png[16...19].reduce(0) { $0 << 8 | Int($1) }, png[20...23].reduce(0) { $0 << 8 | Int($1) }
        )
        try #require(bytes.count == width * height * 4)
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[((y * width + x) * 4)...].prefix(4)) }

    var isClear: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Checks every length and sum, and that no row is filtered; writes the rows without their filters.
    private static let program = """
        import struct, sys, zlib
        data = open(sys.argv[1], 'rb').read()
        assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
        at, chunks = 8, []
        while at < len(data):
            length, = struct.unpack('>I', data[at:at + 4])
            kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
            assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + content)
            chunks.append((kind, content))
            at += 12 + length
        assert [kind for kind, _ in chunks] == [b'IHDR', b'IDAT', b'IEND']
        width, height, *rest = struct.unpack('>IIBBBBB', chunks[0][1])
        assert rest == [8, 6, 0, 0, 0]
        rows, size = zlib.decompress(chunks[1][1]), width * 4 + 1
        assert len(rows) == size * height and all(rows[y * size] == 0 for y in range(height))
        open(sys.argv[2], 'wb').write(b''.join(rows[y * size + 1:(y + 1) * size] for y in range(height)))
        """
}
