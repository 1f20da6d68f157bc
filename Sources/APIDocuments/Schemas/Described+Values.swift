internal import StoreReading

/// The schemas of single members and parameters.
extension Described {
    static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }

    static func integerOrNull(_ range: ClosedRange<Int64>) -> JSONValue {
        ["anyOf": [integer(range), ["type": "null"]]]
    }

    /// A text in which a regular expression of ECMA-262 finds a match.
    static func matching(_ pattern: String) -> JSONValue { ["type": "string", "pattern": .string(pattern)] }

    static func matchingOrNull(_ pattern: String) -> JSONValue {
        ["type": ["string", "null"], "pattern": .string(pattern)]
    }

    static var count: JSONValue {
        integerOrNull(1 ... .max)
    }

    static var secondsOrNull: JSONValue {
        ["type": ["number", "null"], "minimum": 0]
    }

    static var number64: JSONValue {
        integerOrNull(.min ... .max)
    }

    /// Bytes, or bytes a second.
    static var rate: JSONValue {
        integerOrNull(0 ... .max)
    }

    /// The name of an asset: `AssetName`.
    static var nameOrNull: JSONValue {
        [
            "type": ["string", "null"], "maxLength": .integer(Int64(AssetName.longest)),
            "pattern": .string(#"^[^\u0000]*[^\u0000\s][^\u0000]*$"#),
        ]
    }

    static var keyPair: JSONValue {
        matching("^((id-)?[0-9A-Fa-f]{32}|k[0-9]{1,9}):([0-9A-Fa-f]{32}){1,2}$")
    }

    /// A header field, `Name: value` (RFC 9110, section 5).
    static var fieldLine: JSONValue {
        matching("^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*$")
    }

    /// Hosts, in whose names stars stand for any characters.
    static var hostPattern: JSONValue {
        matching(#"^([A-Za-z0-9*._-]+|\[[0-9A-Fa-f:.*]+\])(:[0-9]{1,5})?$"#)
    }

    package static var url: JSONValue {
        matching(URLPattern.text)
    }

    static var urlOrNull: JSONValue {
        matchingOrNull(URLPattern.text)
    }

    /// Windows of the day, each with two different ends, or `always`.
    static var schedule: JSONValue {
        let clock = "([01][0-9]|2[0-3]):[0-5][0-9]"
        let window = "\(clock)-(\(clock)|24:00)"
        return matchingOrNull(#"^(?!.*([0-9]{2}:[0-9]{2})-\1)"# + "(always|\(window)(,\(window))*)$")
    }

    /// A length of time of up to a hundred years.
    package static var span: JSONValue {
        matching(
            "^([1-9][0-9]{0,8}s?|[1-9][0-9]{0,6}m|[1-9][0-9]{0,4}h|[1-9][0-9]{0,3}d|[1-9][0-9]{0,2}w)$")
    }

    static var spanOrSeconds: JSONValue {
        ["anyOf": [integer(LicenseTerms.limits), span, ["type": "null"]]]
    }
}

/// The form of addresses.
enum URLPattern {
    /// An http or https URL. Blanks around it are ignored; the server encodes characters that no URI may have.
    package static let text: String = {
        let user = #"([^\u0000-\u0020/?#\\@\u007f]*@)?"#
        let name = #"[^\u0000-\u0020/?#\\@:\[\]\u007f!{}$'"^`*<>=;,]+"#
        return #"^ *[hH][tT][tT][pP][sS]?://"# + user + "(\(name)|\\[\(address)\\])"
            + #"(:(\#(port))?)?([/?#][^\u0000-\u001f\u007f]*)? *$"#
    }()

    private static let port =
        "0*([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"

    /// An IPv6 address (RFC 4291, section 2.2): eight groups, the last two perhaps in decimal, `::` for a run of
    /// zeros.
    private static let address: String = {
        let group = "[0-9A-Fa-f]{1,4}"
        let byte = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
        let old = "\(byte)(\\.\(byte)){3}"
        let gaps = (1...6).map { "(\(group):){\($0)}(:\(group)){1,\(7 - $0)}" }
        let mixed = (1...5).map { "(\(group):){\($0)}(:\(group)){0,\(5 - $0)}:\(old)" }
        let whole = ["(\(group):){7}\(group)", "(\(group):){1,7}:", ":((:\(group)){1,7}|:)"]
        let ends = ["(\(group):){6}\(old)", ":(:\(group)){0,5}:\(old)"]
        return "(" + (whole + gaps + ends + mixed).joined(separator: "|") + ")"
    }()
}
