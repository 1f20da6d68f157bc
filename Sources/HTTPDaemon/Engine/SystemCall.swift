internal import Glibc

enum SystemCall {
    /// The C library's words for `errno`.
    static func name(of errno: Int32) -> String {
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return unsafe String(cString: text)
    }
}
