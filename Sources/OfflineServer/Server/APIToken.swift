internal import ASCII
internal import AssetStore
package import SystemPackage

/// The bearer token of a store's API: a file that only its owner can read.
package enum APIToken {
    /// Reads the token, making it for a new store and where the file is empty.
    static func read(_ path: FilePath) throws(StoreError) -> String {
        if let text = existing(path) { return text }
        var generator = SystemRandomNumberGenerator()
        let text = Hexadecimal.text((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try DurableWrite.write(Array("\(text)\n".utf8), to: path)
        return text
    }

    /// The token of a store that has one.
    package static func existing(_ path: FilePath) -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return nil }
        let bytes = try? file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: 128)
            let count = try unsafe bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
            return Array(bytes[..<count])
        }
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
