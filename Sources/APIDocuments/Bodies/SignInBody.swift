/// The body of `POST /sessions`.
package struct SignInBody: Decodable {
    package var code: String
    package var name: String?
}

extension SignInBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            (
                "SignIn",
                open(
                    [
                        ("code", text.said("The code that `serve --lan` or another device shows.")),
                        ("name", textOrNull.said("The name of the device in the list of devices.")),
                    ], required: ["code"])
            )
        ]
    }
}
