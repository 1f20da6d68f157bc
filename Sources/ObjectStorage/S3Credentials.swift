/// An access key of an S3 store with its secret, and the session token of temporary credentials. Its description
/// shows no secret.
package struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The name of the key, which requests show.
    package var accessKey: String
    /// The secret behind it, which is never sent.
    package var secretKey: String
    /// The token of temporary credentials; `nil` for permanent ones.
    package var sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    }

    package var description: String { "S3 credentials" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Credentials of environment variables: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `nil` when
    /// one of the first two is missing or empty.
    package init?(environment: [String: String]) {
        guard let accessKey = environment["AWS_ACCESS_KEY_ID"], !accessKey.isEmpty,
            let secretKey = environment["AWS_SECRET_ACCESS_KEY"], !secretKey.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"]
        self.init(
            accessKey: accessKey, secretKey: secretKey, sessionToken: token?.isEmpty == false ? token : nil)
    }

    /// Reads a file in the format of the AWS command line: `aws_access_key_id = …` and `aws_secret_access_key = …` of
    /// the first section that has both. `nil` without such a section.
    package init?(file text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.trimmed
            if trimmed.hasPrefix("[") {
                if Self(values) != nil { break }
                values = [:]
            }
            let parts = trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !trimmed.hasPrefix("#"), !trimmed.hasPrefix(";") else { continue }
            values[String(parts[0].trimmed).lowercased()] = String(parts[1].trimmed)
        }
        guard let found = Self(values) else { return nil }
        self = found
    }

    private init?(_ values: [String: String]) {
        self.init(environment: [
            "AWS_ACCESS_KEY_ID": values["aws_access_key_id"] ?? "",
            "AWS_SECRET_ACCESS_KEY": values["aws_secret_access_key"] ?? "",
            "AWS_SESSION_TOKEN": values["aws_session_token"] ?? "",
        ])
    }
}

extension Substring {
    /// The text without blanks at both ends.
    fileprivate var trimmed: Substring {
        var rest = self.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
