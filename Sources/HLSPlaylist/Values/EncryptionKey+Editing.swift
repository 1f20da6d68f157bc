extension EncryptionKey {
    /// A key from its parts. `iv` is written as `IV`, `keyFormat` only when it is not `identity`.
    public init(
        method: Method, uri: String? = nil, iv: InitializationVector? = nil, keyFormat: String = "identity",
        keyFormatVersions: String? = nil
    ) {
        var list = AttributeList().setting("METHOD", plain: method.verbatim)
        if let uri { list = list.setting("URI", quoted: uri) }
        if let iv { list = list.setting("IV", plain: iv.verbatim) }
        if keyFormat != "identity" { list = list.setting("KEYFORMAT", quoted: keyFormat) }
        if let keyFormatVersions { list = list.setting("KEYFORMATVERSIONS", quoted: keyFormatVersions) }
        self.init(method: method, attributes: list)
    }

    /// A copy of the key with another URI.
    public func replacing(uri: String) -> EncryptionKey {
        EncryptionKey(method: method, attributes: attributes.setting("URI", quoted: uri))
    }

    /// A copy of the key with another initialization vector.
    public func replacing(iv: InitializationVector) -> EncryptionKey {
        EncryptionKey(method: method, attributes: attributes.setting("IV", plain: iv.verbatim))
    }

    /// The initialization vector of a segment: the explicit one, or the one that follows from its number (RFC 8216bis
    /// §5.2). `nil` if the tag's IV can't be read.
    public func initializationVector(mediaSequence: Int) -> InitializationVector? {
        ivText == nil ? InitializationVector(mediaSequence: mediaSequence) : iv
    }
}
