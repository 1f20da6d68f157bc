import Foundation
import SidebandSubtitles
import Testing

/// Reads a text that must be WebVTT.
func file(_ text: String) throws -> WebVTTFile {
    try WebVTTFile(parsing: Array(text.utf8))
}

/// Reads what stands after the header of a WebVTT text.
func cues(_ body: String) throws -> [Cue] {
    try file("WEBVTT\n\n" + body).track.cues
}

/// Why bytes are refused; `nil` when they are not.
func refusal(_ bytes: [UInt8], limits: WebVTTLimits = .init()) -> WebVTTError.Code? {
    do throws(WebVTTError) {
        _ = try WebVTTFile(parsing: bytes, limits: limits)
        return nil
    } catch {
        return error.code
    }
}

func refusal(_ text: String, limits: WebVTTLimits = .init()) -> WebVTTError.Code? {
    refusal(Array(text.utf8), limits: limits)
}

/// A cue from one second to another.
func cue(_ start: Double, _ end: Double, _ text: String, settings: CueSettings = .init()) -> Cue {
    Cue(start: CueTime(seconds: start), end: CueTime(seconds: end), settings: settings, text: text)
}

/// The cues as lines such as `1.0 2.5 text`.
func summary(_ cues: [Cue]) -> [String] {
    cues.map { "\($0.start.seconds) \($0.end.seconds) \($0.text)" }
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// The files in `Fixtures`.
enum Fixtures {
    static let folder = Bundle.module.bundleURL.appendingPathComponent("Fixtures")

    /// The names of a folder's WebVTT files, or of its folders, without extension.
    static func names(_ path: String) -> [String] {
        let url = folder.appendingPathComponent(path)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return files.filter { !$0.hasSuffix(".json") }.map { $0.replacing(".vtt", with: "") }.sorted()
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    static func object(_ path: String) throws -> [String: Any] {
        try #require(try json(path) as? [String: Any])
    }
}

/// What `JSONWriter` writes, read again.
func object(_ track: SubtitleTrack, trees: Bool = false) throws -> [String: Any] {
    let bytes = JSONWriter(includesTrees: trees).bytes(of: track)
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
}

/// The first difference between a value and what it should be; members that should not be there are allowed.
func difference(_ wanted: Any?, _ found: Any?, tolerance: Double = 1e-9) -> String? {
    if let wanted = wanted as? [String: Any] {
        let found = found as? [String: Any] ?? [:]
        for (name, value) in wanted {
            if let text = difference(value, found[name], tolerance: tolerance) { return "\(name): \(text)" }
        }
        return nil
    }
    if let wanted = wanted as? [Any] {
        guard let found = found as? [Any], found.count == wanted.count else { return "another count" }
        return zip(wanted, found).compactMap { difference($0, $1, tolerance: tolerance) }.first
    }
    if let wanted = wanted as? NSNumber, let found = found as? NSNumber {
        let distance = abs(wanted.doubleValue - found.doubleValue)
        return distance <= tolerance * max(1, abs(wanted.doubleValue)) ? nil : "\(found), not \(wanted)"
    }
    guard let wanted = wanted as? NSObject, let found = found as? NSObject, wanted == found else {
        return "\(String(describing: found)), not \(String(describing: wanted))"
    }
    return nil
}
