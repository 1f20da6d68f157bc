internal import Locking
package import SystemPackage

/// Whether the connection is metered (paid by volume): by the interface of the default route, and by NetworkManager's answer on
/// the system's message bus. Without NetworkManager, the answer is no.
package final class MeteredConnection: Sendable {
    /// Asks NetworkManager for its property `Metered`, in the ways that systems have for it.
    static let questions = [
        [
            "busctl", "--system", "--auto-start=no", "get-property", name, path, name, "Metered",
        ],
        [
            "gdbus", "call", "--system", "--dest", name, "--object-path", path, "--method",
            "org.freedesktop.DBus.Properties.Get", name, "Metered",
        ],
    ]
    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    /// Seconds after which NetworkManager is asked again, after an answer and after silence.
    private static let memory = (answer: 4.0, silence: 60.0)

    private struct State {
        var isMetered = false
        var isOld = -Double.infinity
    }

    private let names: Lock<[String]>
    private let bus: FilePath
    private let questions: [[String]]
    private let state = Lock(State())

    /// - Parameter interfaces: the metered interfaces; a name that ends with `*` stands for all with this
    ///   beginning.
    package init(
        interfaces: [String], bus: FilePath = "/run/dbus/system_bus_socket",
        questions: [[String]] = MeteredConnection.questions
    ) {
        names = Lock(interfaces)
        self.bus = bus
        self.questions = questions
    }

    /// The metered interfaces.
    package var interfaces: [String] {
        get { names.withLock(\.self) }
        set { names.withLock { $0 = newValue } }
    }

    /// The last answer of NetworkManager together with the present interface.
    package var isMetered: Bool {
        if state.withLock(\.isMetered) { return true }
        let interfaces = interfaces
        guard !interfaces.isEmpty, let route = DefaultRoute.current else { return false }
        return Self.matches(route.interface, interfaces)
    }

    /// Whether a list contains a name.
    package static func matches(_ name: String, _ interfaces: [String]) -> Bool {
        interfaces.contains { $0.hasSuffix("*") ? name.hasPrefix($0.dropLast()) : name == $0 }
    }

    /// Asks NetworkManager, unless that was done a moment ago, or is being done.
    package func look() async {
        guard FileSystem.facts(bus) != nil else { return }
        let now = SteadyClock.seconds
        let isOld = state.withLock { state in
            guard state.isOld < now else { return false }
            state.isOld = now + Self.memory.silence
            return true
        }
        guard isOld else { return }
        for question in questions {
            let outcome = await ExternalCommand(words: question, seconds: 3).run(input: [])
            guard outcome.status == 0,
                let verdict = Self.verdict(String(decoding: outcome.output, as: UTF8.self))
            else { continue }
            return state.withLock {
                $0 = State(isMetered: verdict, isOld: SteadyClock.seconds + Self.memory.answer)
            }
        }
        state.withLock { $0 = State(isOld: SteadyClock.seconds + Self.memory.silence) }
    }

    /// Reads `u 1` or `(<uint32 1>,)`: NMMetered, of which 1 (yes) and 3 (it seems so) mean a metered connection.
    package static func verdict(_ answer: String) -> Bool? {
        guard let number = answer.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }),
            (0...4).contains(number)
        else { return nil }
        return number == 1 || number == 3
    }
}
