import Foundation
import Locking
import TestSupport
import Testing

/// The ffmpeg that is installed: it makes streams, and says which packets it reads in them.
enum FFmpeg {
    /// A packet as ffmpeg reads it.
    struct Packet: Equatable {
        var decoding: Int64
        var presentation: Int64
        var size: Int
        var checksum: UInt32
        var isKey: Bool
    }

    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
    /// Whether tests with it run: in CI always, so that a missing one is a failure.
    static let runs = isInstalled || ProcessInfo.processInfo.environment["CI"] != nil

    private static let folder = Lock<TemporaryDirectory?>(nil)
    private static let made = Lock<[String: [UInt8]]>([:])

    /// Runs ffmpeg and returns the file that it writes.
    static func file(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        let folder = try folder.withLock { known in
            let folder = try known ?? TemporaryDirectory()
            known = folder
            return folder
        }
        let output = "\(UUID().uuidString)-\(name)"
        let words = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments + [folder.file(output)]
        let code = try ChildProcess("/usr/bin/env", words).wait()
        #expect(code == 0, "ffmpeg \(arguments.joined(separator: " "))")
        return try folder.read(output)
    }

    /// A stream that is made once in a run of the tests.
    static func stream(_ recipe: [String], _ name: String = "stream.ts") throws -> [UInt8] {
        let key = recipe.joined(separator: " ") + name
        if let known = made.withLock({ $0[key] }) { return known }
        let bytes = try file(name, recipe)
        made.withLock { $0[key] = bytes }
        return bytes
    }

    /// The packets of a stream in the form in which MP4 has them.
    ///
    /// - Parameter filter: the bit stream filter that makes this form.
    static func packets(_ bytes: [UInt8], _ stream: String, filter: String?) throws -> [Packet] {
        let input = try TemporaryDirectory()
        let path = try input.write(bytes, to: "input.ts")
        let filters = filter.map { ["-bsf", $0] } ?? []
        let map = ["-copyts", "-i", path, "-map", "0:\(stream)", "-c", "copy"]
        let listing = try file("packets.txt", map + filters + ["-f", "framecrc"])
        return String(decoding: listing, as: UTF8.self).split(separator: "\n").compactMap(packet)
    }

    private static func packet(_ line: Substring) -> Packet? {
        let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard fields.count >= 6, !line.hasPrefix("#"), let decoding = Int64(fields[1]),
            let presentation = Int64(fields[2]), let size = Int(fields[4]),
            let checksum = UInt32(fields[5].dropFirst(2), radix: 16)
        else { return nil }
        return Packet(
            decoding: decoding, presentation: presentation, size: size, checksum: checksum,
            isKey: !fields.contains("F=0x0"))
    }

    /// The checksum that ffmpeg's listing has (Adler-32 that begins with 0).
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var (low, high) = (UInt32(0), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
