import Foundation

/// Looks for what should be nowhere.
public enum Secret {
    /// The usual base 64.
    public static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Bytes from the usual base 64; none when it is malformed.
    public static func bytes(base64 text: String) -> [UInt8] {
        Data(base64Encoded: text).map { [UInt8]($0) } ?? []
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The ways in which bytes may be written down.
    public static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let text = [hexadecimal(secret), hexadecimal(secret).uppercased(), base64(secret)]
        return [secret, secret.reversed()] + text.map { Array($0.utf8) }
    }

    /// The files below a folder that hold the secret in some form.
    public static func traces(of secret: [UInt8], in folder: String) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try files.filter { name in
            let url = URL(filePath: folder).appending(path: name)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                return false
            }
            let bytes = try Data(contentsOf: url)
            return forms(of: secret).contains { bytes.firstRange(of: Data($0)) != nil }
        }
    }
}
