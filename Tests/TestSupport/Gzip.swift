/// The gzip format (RFC 1952) by the `gzip` program.
public enum Gzip {
    /// Compresses; an empty result means that the program is missing.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        guard let folder = try? TemporaryDirectory(), let path = try? folder.write(bytes, to: "plain"),
            let gzip = try? ChildProcess("/usr/bin/gzip", ["-n", path]), gzip.wait() == 0
        else { return [] }
        return (try? folder.read("plain.gz")) ?? []
    }
}
