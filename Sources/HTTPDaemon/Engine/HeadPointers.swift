internal import Glibc

/// The pointers into the header section of a request, which libmicrohttpd parsed in place. Valid during a callback.
///
/// The library's functions show only a part of the client's bytes: they end values at a NUL, join folded lines and
/// accept a line that ends with LF. In the buffer all of this is visible.
@unsafe struct HeadPointers {
    let path: UnsafePointer<CChar>?
    let method: UnsafePointer<CChar>?
    let version: UnsafePointer<CChar>?
    let size: Int

    /// Copies the header section from the buffer, unless it equals `last`; `target` is the request target before the
    /// library split it.
    ///
    /// - Parameter lineCount: the number of field lines that the library has found.
    func readInPlace(target: [UInt8], last: [UInt8], lineCount: Int) throws(Refusal) -> RawHead {
        let raw = try unsafe read(target: target, fields: [])
        guard let method = unsafe method, let path = unsafe path, let version = unsafe version else {
            return raw
        }
        // `method SP target SP HTTP/1.x CR LF`, the last four as NUL.
        let versionEnd = unsafe version + 8 - method
        guard unsafe method + strlen(method) + 1 == path, unsafe path + target.count + 1 == version,
            unsafe versionEnd + 4 <= size, unsafe version[9] == 0
        else { throw .malformed("The request line is not valid.") }
        let fields = unsafe UnsafeRawBufferPointer(
            start: method + versionEnd + 2, count: size - versionEnd - 2)
        return unsafe RawHead(
            method: raw.method, target: target, minorVersion: raw.minorVersion,
            fields: fields.elementsEqual(last) ? last : Array(fields), lineCount: lineCount)
    }

    /// The request line that the library tells, and `fields`.
    func read(target: [UInt8], fields: [UInt8]) throws(Refusal) -> RawHead {
        guard unsafe path != nil, let method = unsafe method, let version = unsafe version,
            unsafe strlen(version) == 8
        else { throw .malformed("The request line is not valid.") }
        return unsafe RawHead(
            method: String(cString: method), target: target,
            minorVersion: UInt8(bitPattern: version[7]) - UInt8(ascii: "0"), fields: fields)
    }
}
