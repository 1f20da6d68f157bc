import Foundation

/// Searches for secrets in places where none may be.
public enum Secret {
    private static let known = Known()

    /// Bytes from the usual base 64; none when it is malformed.
    public static func bytes(base64 text: String) -> [UInt8] {
        Data(base64Encoded: text).map { [UInt8]($0) } ?? []
    }

    /// The usual base 64.
    public static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Registers a content key of a test. It is searched for whenever tests of this process end.
    @discardableResult
    public static func key(_ bytes: [UInt8]) -> [UInt8] {
        known.insert(bytes)
        return bytes
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The ways in which bytes may be written down: as they are, in digits of either case, in base 64 of either alphabet,
    /// with padding and without.
    fileprivate static func forms(of secret: [UInt8]) -> Set<[UInt8]> {
        let digits = hexadecimal(secret)
        let base64 = base64(secret).replacing("=", with: "")
        let other = base64.replacing("+", with: "-").replacing("/", with: "_")
        let texts = [digits, digits.uppercased(), base64, other].map { Array($0.utf8) }
        return Set([secret, secret.reversed()] + texts)
    }

    private static func isIn(_ bytes: Data) -> Bool {
        known.forms.contains { bytes.range(of: Data($0)) != nil }
    }

    /// Whether bytes hold a key of a test in some form.
    public static func isIn(_ bytes: [UInt8]) -> Bool { isIn(Data(bytes)) }

    /// Whether a text holds one.
    public static func isIn(_ text: String) -> Bool { isIn(Data(text.utf8)) }

    /// The files below a folder, of any kind, that hold a key of a test in some form. Files may go meanwhile.
    public static func traces(in folder: String) -> [String] {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.filter { name in
            let url = URL(filePath: folder).appending(path: name)
            let isFile = try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            guard isFile == true, let bytes = try? Data(contentsOf: url) else { return false }
            return isIn(bytes)
        }
    }
}

/// The forms of all keys of this process' tests.
private final class Known: @unchecked Sendable {
    // `@unchecked`: all is behind its lock.
    private let lock = NSLock()
    private var all: Set<[UInt8]> = []

    var forms: Set<[UInt8]> { lock.withLock { all } }

    func insert(_ key: [UInt8]) { lock.withLock { all.formUnion(Secret.forms(of: key)) } }
}
