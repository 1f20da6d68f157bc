internal import CMicroHTTPD

/// The field lines of a request from the library's functions, in the form that ``FieldLines`` reads.
///
/// For a libmicrohttpd whose buffer may differ from that of 0.9.7x. Less is known then: values that the library
/// truncated or joined count as received. From 1.0 on the library refuses such requests by itself.
enum LibraryFields {
    /// Whether the buffer of this library can be read, see ``HeadPointers``.
    static let areInPlace =
        unsafe MHD_get_version().map { unsafe String(cString: $0) }?.hasPrefix("0.9.7") ?? false

    /// How many there are.
    static func count(from handle: OpaquePointer) -> Int {
        Int(unsafe MHD_get_connection_values_n(handle, .HEADER_KIND, nil, nil))
    }

    private final class Collector {
        var bytes: [UInt8] = []
    }

    static func copy(from handle: OpaquePointer) -> [UInt8] {
        let collector = Collector()
        let context = unsafe Unmanaged.passUnretained(collector).toOpaque()
        _ = unsafe MHD_get_connection_values_n(
            handle, .HEADER_KIND,
            { context, _, name, nameSize, value, valueSize in
                guard let context = unsafe context else { return .NO }
                let collector = unsafe Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                unsafe collector.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: name, count: nameSize))
                collector.bytes.append(0)
                unsafe collector.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: value, count: valueSize))
                collector.bytes.append(contentsOf: [0, 0])
                return .YES
            }, context)
        return collector.bytes + [0, 0]
    }
}
