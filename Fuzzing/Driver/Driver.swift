import CLibFuzzer
import FuzzTargets
import Glibc

/// libFuzzer over the target that `FUZZ_TARGET` names.
@main
enum Driver {
    static let target = named(unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "")

    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
        print("fuzzing \(target.name)")
        exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { unsafe Driver.test($0, $1) })
    }

    private static func named(_ name: String) -> FuzzTarget {
        if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
        print("FUZZ_TARGET is one of: " + FuzzTarget.all.map(\.name).joined(separator: " "))
        exit(64)
    }

    /// Tests one input; a finding ends the process, like a crash.
    private static func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do throws(Finding) {
            try unsafe target.run(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        } catch {
            print("finding: \(target.name): \(error)")
            // A process that aborts writes no line that waits for more.
            fflush(nil)
            abort()
        }
    }
}
