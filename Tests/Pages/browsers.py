"""Chromium (DevTools protocol over a pipe) and Firefox (WebDriver BiDi over a WebSocket), headless; standard library only.

Both have the same methods: `open`, `leave`, `prepare`, `js`, `keys`, `click`, `shape`, `picture`, `tab`, `complaints`, `close`.
"""
import base64
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

# What every page is watched by: reports of the Content Security Policy, and errors that nobody caught.
WATCH = """
if (!window.complaints) {
  window.complaints = [];
  document.addEventListener('securitypolicyviolation', (e) => complaints.push(`CSP ${e.violatedDirective} ${e.blockedURI}`));
  addEventListener('error', (e) => complaints.push(`error ${e.message} ${e.filename}:${e.lineno}`));
}
"""


def find(*names):
    """The first program of these that there is; `None` without one."""
    return next((path for name in names if (path := shutil.which(name))), None)


class Failed(Exception):
    """A browser did not do what was asked of it."""


class Browser:
    """What both browsers have in common."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="pages-")
        self.messages = []
        self.process = None

    def until(self, expression, seconds=20):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                # An element is no value that can be told.
                if value := self.js(f"((found) => found instanceof Node ? true : found)({expression})"):
                    return value
            except Failed:
                pass
            time.sleep(0.05)
        raise Failed(f"not within {seconds} s: {expression}")

    def click(self, selector):
        """Clicks as a mouse does, in the middle of what is in sight."""
        place = self.until(f"""(() => {{
            const found = [...document.querySelectorAll({json.dumps(selector)})].find((e) => e.checkVisibility?.() ?? true);
            if (!found) return null;
            found.scrollIntoView({{ block: 'center' }});
            const box = found.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        self.mouse(*place)

    def complaints(self):
        """Errors and reports since the last question."""
        found = [text for level, text in self.messages if level == "error"]
        self.messages.clear()
        try:
            found += self.js("(() => { const all = window.complaints ?? []; window.complaints = []; return all; })()") or []
        except Failed:
            pass
        return found

    def end(self):
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)


class Chromium(Browser):
    name = "Chromium"
    KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "Delete": 46, "End": 35, "Home": 36, "ArrowRight": 39, "ArrowLeft": 37,
            "ArrowDown": 40, "ArrowUp": 38}

    @staticmethod
    def program():
        return find("chromium", "chromium-browser", "google-chrome")

    def __init__(self):
        super().__init__()
        theirs, ours = os.pipe()
        mine, yours = os.pipe()

        def wire():
            # Out of the way first: either may be 3 or 4 already.
            first, second = os.dup(theirs), os.dup(yours)
            os.dup2(os.dup2(first, 60), 3)
            os.dup2(os.dup2(second, 61), 4)

        self.process = subprocess.Popen(
            [self.program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--mute-audio", "--lang=en-US",
             "--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "about:blank"],
            preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(theirs), os.close(yours)
        self.out, self.inp, self.last = ours, mine, 0
        self.answers = {}
        self.news = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.session = None
        self.tab()

    def _read(self):
        rest = b""
        while chunk := os.read(self.inp, 1 << 20):
            *whole, rest = (rest + chunk).split(b"\0")
            for text in whole:
                message = json.loads(text)
                with self.news:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self._hear(message)
                    self.news.notify_all()

    def _hear(self, message):
        about = message["params"]
        if message["method"] == "Log.entryAdded" and about["entry"]["source"] != "network":
            self.messages.append((about["entry"]["level"], about["entry"]["text"]))
        if message["method"] == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            said = details.get("exception", {}).get("description") or json.dumps(details)
            self.messages.append(("error", said[:600]))
        if message["method"] == "Runtime.consoleAPICalled" and about["type"] == "error":
            self.messages.append(("error", str([item.get("value") for item in about["args"]])))

    def ask(self, method, patience=30, session=True, **params):
        with self.news:
            self.last += 1
            number = self.last
        message = {"id": number, "method": method, "params": params}
        if session and self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, patience):
                raise Failed(f"Chromium does not answer {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def tab(self):
        """Opens a tab and works in it from now on; returns what `turn` goes back to it by."""
        target = self.ask("Target.createTarget", session=False, url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", session=False, targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        return self.session

    def leave(self):
        """Closes the page that is shown."""
        self.ask("Page.navigate", url="about:blank")

    def open(self, url):
        self.leave()
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def prepare(self, script):
        """Has each page that is opened from now on run a script before its own."""
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    def js(self, expression, patience=60):
        answer = self.ask("Runtime.evaluate", patience, expression=expression, returnByValue=True, awaitPromise=True,
                          userGesture=True)
        if "exceptionDetails" in answer:
            raise Failed(json.dumps(answer["exceptionDetails"])[:400])
        return answer["result"].get("value")

    def keys(self, *names):
        for name in names:
            known = name in self.KEYS
            code = self.KEYS.get(name, ord(name.upper()) if len(name) == 1 else 0)
            more = {"text": "\r" if name == "Enter" else name} if not known or name == "Enter" else {}
            self.ask("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code, **more)
            self.ask("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def write(self, text):
        self.ask("Input.insertText", text=text)

    def mouse(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def shape(self, width, height, dark=False, **features):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        wanted = {"prefers-color-scheme": "dark" if dark else "light", **features}
        self.ask("Emulation.setEmulatedMedia", features=[{"name": k.replace("_", "-"), "value": v} for k, v in wanted.items()])

    def picture(self, path):
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self.ask("Browser.close", 5, session=False)
        except (Failed, OSError):
            pass
        self.end()


class Socket:
    """A WebSocket to this machine (RFC 6455): text messages, whole."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), 20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise Failed("Firefox does not speak WebSocket")
        while self.file.readline().strip():
            pass
        self.socket.settimeout(None)

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else \
            bytes([0x81, 0xFE]) + size.to_bytes(2, "big") if size < 65536 else bytes([0x81, 0xFF]) + size.to_bytes(8, "big")
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                raise EOFError
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            data = self.file.read(size)
            kind = head[0] & 15
            if kind == 8:
                raise EOFError
            if kind in (0, 1):
                text += data
                if head[0] & 128:
                    return text.decode()


class Firefox(Browser):
    name = "Firefox"
    KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Delete": "\ue017", "End": "\ue010", "Home": "\ue011",
            "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "ArrowDown": "\ue015", "ArrowUp": "\ue013"}
    SETTINGS = {
        "remote.active-protocols": 1, "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0,
        "intl.locale.requested": "en-US", "intl.accept_languages": "en-US",
        "app.normandy.enabled": False, "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False, "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
    }

    @staticmethod
    def program():
        return find("firefox-esr", "firefox")

    def __init__(self):
        super().__init__()
        with open(f"{self.profile}/user.js", "w", encoding="utf-8") as file:
            for name, value in self.SETTINGS.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        errors = open(f"{self.profile}/errors", "wb")
        self.process = subprocess.Popen(
            [self.program(), "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
            env={**os.environ, "MOZ_HEADLESS": "1", "HOME": self.profile})
        self.socket = Socket(self._port(), "/session")
        self.last, self.answers, self.news = 0, {}, threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.ask("session.new", 240, capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration="() => {" + WATCH + "}")
        # In the first tab the focus is in the address bar, where keys press no buttons of the page.
        self.tab()

    def _port(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with open(f"{self.profile}/errors", encoding="utf-8", errors="replace") as file:
                for line in file:
                    if "WebDriver BiDi listening on" in line:
                        return int(line.rsplit(":", 1)[1].strip().strip("/"))
            time.sleep(0.05)
        raise Failed("Firefox did not start")

    def _read(self):
        try:
            while True:
                message = json.loads(self.socket.receive())
                with self.news:
                    if message.get("method") == "log.entryAdded":
                        entry = message["params"]
                        self.messages.append((entry["level"], entry.get("text") or ""))
                    elif "id" in message:
                        self.answers[message["id"]] = message
                    self.news.notify_all()
        except (EOFError, OSError):
            pass

    def ask(self, method, patience=60, **params):
        with self.news:
            self.last += 1
            number = self.last
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, patience):
                raise Failed(f"Firefox does not answer {method}")
            answer = self.answers.pop(number)
        if answer["type"] == "error":
            raise Failed(f"{method}: {answer['message']}")
        return answer["result"]

    def tab(self):
        self.context = self.ask("browsingContext.create", type="tab")["context"]
        return self.context

    def leave(self):
        """Closes the page that is shown. What it was still loading then, Firefox reports as an error."""
        known = len(self.messages)
        self.ask("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        self.messages[known:] = [(level, text) for level, text in self.messages[known:] if "loading dynamically imported module" not in text]

    def open(self, url):
        self.leave()
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def prepare(self, script):
        """Has each page that is opened from now on run a script before its own."""
        self.ask("script.addPreloadScript", functionDeclaration="() => {" + script + "}")

    def js(self, expression, patience=60):
        answer = self.ask(
            "script.evaluate", patience, target={"context": self.context}, awaitPromise=True, userActivation=True,
            expression=f"(async () => JSON.stringify(await (async () => ({expression}))()) ?? 'null')()")
        if answer["type"] == "exception":
            raise Failed(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def _act(self, kind, actions):
        self.ask("input.performActions", context=self.context, actions=[{"type": kind, "id": kind, "actions": actions}])

    def keys(self, *names):
        for name in names:
            value = self.KEYS.get(name, name)
            self._act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def write(self, text):
        self._act("key", [step for letter in text for step in ({"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter})])

    def mouse(self, x, y):
        self._act("pointer", [{"type": "pointerMove", "x": int(x), "y": int(y)}, {"type": "pointerDown", "button": 0},
                              {"type": "pointerUp", "button": 0}])

    def shape(self, width, height, dark=False, **features):
        self.ask("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.context)["data"]))

    def close(self):
        try:
            self.ask("browser.close", 5)
        except (Failed, OSError):
            pass
        self.end()
