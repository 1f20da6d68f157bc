internal import Foundation

/// A process that listens on a port, found by proc(5). Only root sees the processes of other users.
struct PortHolder: Equatable {
    let process: Int32
    /// The program's name in the kernel.
    let name: String

    /// The first process that listens on a TCP port.
    static func find(_ port: UInt16) -> PortHolder? {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(text).joined(separator: "\n")
        let sockets = Set(sockets(listeningOn: port, in: tables).map { "socket:[\($0)]" })
        guard !sockets.isEmpty else { return nil }
        let manager = FileManager.default
        let processes = (try? manager.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in processes.compactMap({ Int32($0) }).sorted() {
            let folder = "/proc/\(process)/fd"
            let files = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
            let holds = files.contains { file in
                (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")).map(sockets.contains)
                    == true
            }
            guard holds else { continue }
            let name = text("/proc/\(process)/comm").prefix { $0 != "\n" }
            return PortHolder(process: process, name: String(name))
        }
        return nil
    }

    /// The inodes of the sockets that listen on a port, in tables like `/proc/net/tcp`. Pure.
    static func sockets(listeningOn port: UInt16, in tables: String) -> [Substring] {
        tables.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            // 0A is TCP_LISTEN.
            guard fields.count > 9, fields[3] == "0A", let place = fields[1].split(separator: ":").last,
                UInt16(place, radix: 16) == port
            else { return nil }
            return fields[9]
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
