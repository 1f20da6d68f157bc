import Foundation
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("A QR code")
struct QRCodeTests {
    private static let reader = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The text that a reader finds in a code that is drawn with eight pixels a module.
    private func read(_ rows: [[Bool]]) async throws -> String {
        let folder = try TemporaryDirectory()
        let side = rows.count
        var picture = Array("P5 \(side * 8) \(side * 8) 255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: 8) }
            for _ in 0..<8 { picture += line }
        }
        let file = folder.file("code.pgm")
        try Data(picture).write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.reader ?? "")
        process.arguments = ["-q", "--raw", file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .newlines)
    }

    @Test(
        "is read back, as it is drawn in a terminal", .enabled(if: reader != nil, "zbarimg is missing"),
        arguments: [1, 14, 15, 62, 63, 106, 107, 180, 213, 214, 331])
    func readBack(_ count: Int) async throws {
        let text = String((0..<count).map { Character(UnicodeScalar(UInt8(33 + $0 * 7 % 90))) })
        let code = try #require(QRCode(text))
        let rows = code.halfBlocks.flatMap { line in
            [line.map { " ▄".contains($0) }, line.map { " ▀".contains($0) }]
        }
        // The last row is there for the lower half of the line alone.
        #expect(try await read(Array(rows.prefix(code.modules.count + 4))) == text)
    }

    @Test(
        "is read back with each of the eight masks", .enabled(if: reader != nil, "zbarimg is missing"),
        arguments: [
            (0, "text 100"), (1, "text 166"), (2, "text 102"), (3, "text 104"), (4, "text 108"),
            (5, "code 34"), (6, "text 107"), (7, "text 138"),
        ])
    func masks(_ mask: Int, _ text: String) async throws {
        let code = try #require(QRCode(text))
        // The bits of the format that name the mask, of which the first and the last are inverted.
        let bits = code.modules[8][2...4].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        #expect(bits ^ 0b101 == mask)
        let row = [Bool](repeating: false, count: code.modules.count + 8)
        let sides = [Bool](repeating: false, count: 4)
        let margin = [[Bool]](repeating: row, count: 4)
        let rows: [[Bool]] = code.modules.map { sides + $0 + sides }
        #expect(try await read(margin + rows + margin) == text)
    }

    @Test(
        "has the smallest size that holds the text, and the modules that a reader has found right",
        arguments: [
            (1, 21, "q7z8az3of2hz"), (14, 21, "344tq5lua5bsn"), (15, 25, "2344pf3rnpr6n"),
            (26, 25, "38t9hpx52sicd"), (27, 29, "1nau0gkrb6v86"), (42, 29, "21m7t6rr1tn32"),
            (43, 33, "2jbb0fjdezexo"), (62, 33, "gwqqowklykrs"), (63, 37, "1y2fp13mdbgy1"),
            (84, 37, "2p7q0c7fgd4sp"), (85, 41, "2emu2dvd72p7k"), (106, 41, "3fkbq3752aire"),
            (107, 45, "ex0oxkzl7ukx"), (122, 45, "2jr5kh5bz3pdb"), (123, 49, "12t9qxlz6vreb"),
            (152, 49, "1irs0yj972fbb"), (153, 53, "qwt3jaoy2y48"), (180, 53, "3ls4vh6ofcrgy"),
            (181, 57, "fkafy79payf"), (213, 57, "3q5zwr7x1cyg1"), (214, 61, "1iycauw9rgkj2"),
            (251, 61, "15emnw6ruhux6"), (252, 65, "2731s9jz3ium9"), (287, 65, "2ecyryvkbys5w"),
            (288, 69, "kdij7e5p0pq3"), (331, 69, "3iy8yg58gm9j"),
        ])
    func modules(count: Int, size: Int, tag: String) throws {
        let text = String((0..<count).map { Character(UnicodeScalar(UInt8(33 + $0 * 7 % 90))) })
        let code = try #require(QRCode(text))
        #expect(code.modules.count == size)
        #expect(ContentTag.of(code.modules.joined().map { $0 ? 1 : 0 }) == tag)
    }

    @Test("has a light margin, of two modules in a terminal and of four in a picture")
    func margins() throws {
        let code = try #require(QRCode("x"))
        let lines = code.halfBlocks
        let light = String(repeating: "█", count: 25)
        #expect(lines.count == 13 && lines.allSatisfy { $0.count == 25 })
        #expect(lines.first == light && lines.last == light)
        #expect(lines[1].hasPrefix("██ ▄▄▄▄▄ █") && lines[1].hasSuffix("█ ▄▄▄▄▄ ██"))
        #expect(code.svg.contains(#"viewBox="0 0 29 29""#))
        #expect(code.svg.contains(#"d="M0 0h29v29h-29z"/><path d="M4 4h1v1h-1zM5 4h1v1h-1z"#))
    }

    @Test("of a too long text does not exist; the picture has all modules")
    func limits() throws {
        #expect(QRCode(String(repeating: "x", count: 332)) == nil)
        let code = try #require(QRCode("http://192.168.1.5:8090/#code=ABCD2345"))
        let dark = code.modules.joined().count { $0 }
        #expect(code.svg.split(separator: "h1v1h-1z", omittingEmptySubsequences: false).count == dark + 1)
    }

    @Test("stands below the code that signs a device in; without an address there is nothing")
    func notice() {
        let notice = SignInNotice(code: "ABCD2345", bases: ["http://192.168.1.5:8090"])
        #expect(notice.lines[0].contains("open http://192.168.1.5:8090/ and type ABCD-2345"))
        #expect(notice.lines.count == 1 + (QRCode(notice.urls[0])?.halfBlocks.count ?? 0))
        #expect(SignInNotice(code: "ABCD2345", bases: []).lines.isEmpty)
        #expect(
            notice.lineOfThisMachine.contains(
                "opens http://192.168.1.5:8090/ and takes the code ABCD-2345 within five minutes"))
    }
}
