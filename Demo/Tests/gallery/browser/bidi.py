"""Drives a headless Firefox over WebDriver BiDi, with Python's own library alone.

    with Firefox() as browser:
        page = browser.open("http://127.0.0.1:8080/", Screen(width=412, height=800))
        page.fling(speed=5000)
        page.screenshot("after.png")

Scripts, keys, wheels and screenshots are BiDi's own commands. What it has none for is done by
scripts in the browser's own window, which Firefox runs for who starts it with
--remote-allow-system-access: fingers that scroll and fling, a dark scheme, the size of letters. A
slow link is a proxy.
"""

import base64
import json
import threading
import time
from pathlib import Path

import driver
from driver import BrowserError, Screen
from slowlink import SlowLink
from websocket import WebSocket

PREFERENCES = {
    # Nothing is asked, told, fetched or updated on its own.
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    # A proxy is used for this machine's own servers, too.
    "network.proxy.allow_hijacking_localhost": True,
    # Scroll bars take no room, as on a phone.
    "ui.useOverlayScrollbars": 1,
}

# Runs in the browser's own window, once: what BiDi has no command for, of a page by its identity.
PRIVILEGED = """
const { NavigableManager } = ChromeUtils.importESModule(
    "chrome://remote/content/shared/NavigableManager.sys.mjs");
globalThis.driver = {
    context: (id) => NavigableManager.getBrowsingContextById(id),
    wishes: new Map(),
    fingers: new Map(),
    apply(context) {
        Object.assign(context, this.wishes.get(context.browserId));
    },
    // The window must be as large as the page, as fingers touch a window.
    async show(id, width, height, isTouch, isDark, isStill) {
        const context = this.context(id);
        const window = context.embedderElement.ownerDocument.defaultView;
        const wishes = this.wishes.get(context.browserId) ?? {};
        this.wishes.set(context.browserId, Object.assign(wishes, {
            touchEventsOverride: isTouch ? "enabled" : "disabled",
            prefersColorSchemeOverride: isDark ? "dark" : "light",
            prefersReducedMotionOverride: isStill ? "reduce" : "no-preference",
        }));
        this.apply(context);
        // Whether there is a finger (1), or a mouse that is exact and hovers (2, 4); for all pages.
        for (const kind of ["primaryPointerCapabilities", "allPointerCapabilities"]) {
            Services.prefs.setIntPref(`ui.${kind}`, isTouch ? 1 : 6);
        }
        window.resizeTo(Math.max(width + 40, 500), height + 200);
        const end = Date.now() + 3000;
        while (window.innerHeight < height && Date.now() < end) {
            await new Promise((resolve) => window.setTimeout(resolve, 20));
        }
    },
    // New connections of all pages go through a proxy of this port; without one, as before.
    setProxy(port) {
        Services.prefs.setStringPref("network.proxy.socks", "127.0.0.1");
        Services.prefs.setIntPref("network.proxy.socks_port", port);
        Services.prefs.setIntPref("network.proxy.type", port ? 1 : 5);
    },
    // Keys go to the page, also after a Tab has left it for the browser's own buttons.
    focus(id) {
        const browser = this.context(id).embedderElement;
        if (browser.ownerDocument.activeElement !== browser) browser.focus();
    },
    disableScripts(id) {
        const context = this.context(id);
        this.wishes.get(context.browserId).allowJavascript = false;
        this.apply(context);
    },
    // For all pages; without a size as it was.
    setLetters(size) {
        for (const name of ["font.size.variable.x-western", "font.size.monospace.x-western"]) {
            if (size) Services.prefs.setIntPref(name, size);
            else Services.prefs.clearUserPref(name);
        }
    },
    // Fingers at moments: [milliseconds, [[x, y] of each]]. What isn't lifted stays down.
    async touch(id, moments) {
        const { browserId, embedderElement: browser } = this.context(id);
        const window = browser.ownerDocument.defaultView, utils = window.windowUtils;
        const { left, top } = browser.getBoundingClientRect();
        const scale = window.devicePixelRatio;
        const at = (x, y) => [
            Math.round((window.mozInnerScreenX + left + x) * scale),
            Math.round((window.mozInnerScreenY + top + y) * scale),
        ];
        const begun = performance.now();
        let down = this.fingers.get(browserId) ?? [];
        for (const [after, places] of moments) {
            const wait = begun + after - performance.now();
            if (wait > 0) await new Promise((resolve) => window.setTimeout(resolve, wait));
            places.forEach((place, number) => {
                utils.sendNativeTouchPoint(number, utils.TOUCH_CONTACT, ...at(...place), 1, 90);
            });
            down.forEach((place, number) => {
                if (number < places.length) return;
                utils.sendNativeTouchPoint(number, utils.TOUCH_REMOVE, ...at(...place), 1, 90);
            });
            down = places;
        }
        this.fingers.set(browserId, down);
    },
};
// A page that moves to another process has another context there.
Services.obs.addObserver((context) => driver.apply(context), "browsing-context-attached");
0
"""

KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Space": " ", "PageUp": "\ue00e", "PageDown": "\ue00f",
    "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Tab": "\ue004",
}  # fmt: skip

EVENTS = ("log.entryAdded", "network.beforeRequestSent", "network.responseCompleted",
    "network.fetchError")  # fmt: skip


class Firefox(driver.Browser):
    """A browser of its own, in a profile that is gone with it."""

    programs = ("firefox-esr", "firefox")

    def __init__(self, path=None, preferences=()):
        super().__init__(path)
        self.socket = None
        try:
            profile = self.folder / "profile"
            profile.mkdir()
            values = {**PREFERENCES, **dict(preferences)}
            lines = [f"user_pref({json.dumps(n)}, {json.dumps(v)});\n" for n, v in values.items()]
            (profile / "user.js").write_text("".join(lines))
            self.start(
                [
                    "--headless",
                    "--no-remote",
                    "--remote-debugging-port=0",
                    "--remote-allow-system-access",
                    "--profile",
                    str(profile),
                ],
                # It has a screen as large as any page here, and keeps nothing at home.
                {
                    "HOME": str(self.folder),
                    "MOZ_HEADLESS_WIDTH": "2400",
                    "MOZ_HEADLESS_HEIGHT": "2400",
                    "MOZ_CRASHREPORTER_DISABLE": "1",
                },
            )
            host, port = self._address()
            self.socket = WebSocket(host, port, "/session")
            self.listen()
            self.call("session.new", timeout=60, capabilities={})
            self.call("session.subscribe", events=EVENTS)
            tree = self.call("browsingContext.getTree", **{"moz:scope": "chrome"})
            self.window = tree["contexts"][0]["context"]
            self.run(PRIVILEGED)
        except BaseException:
            self.close()
            raise

    def _address(self, timeout=60):
        """Where it listens, which is in its log."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and not self._is_gone(0):
            text = self.log.read_text(errors="replace") if self.log.exists() else ""
            for line in text.splitlines():
                if "BiDi listening on ws://" in line and text.endswith("\n"):
                    host, port = line.split("ws://")[1].strip("/ ").rsplit(":", 1)
                    return host, int(port)
            time.sleep(0.05)
        raise BrowserError(f"Firefox doesn't listen after {timeout} s, or has ended")

    def run(self, script):
        """The value of a script in the browser's own window."""
        return value_of(
            self.call(
                "script.evaluate",
                expression=script,
                target={"context": self.window},
                awaitPromise=True,
            ),
            script,
        )

    def open(self, address, screen=Screen(), before=None, is_tab=False):
        """A page of its own, loaded; the script `before` runs in it before its own.

        It has a window of its own, as what is behind another tab draws no frames, or is a tab in
        front of those there are.
        """
        kind = "tab" if is_tab else "window"
        context = self.call("browsingContext.create", type=kind)["context"]
        page = Page(self, context, screen)
        self.pages[context] = page
        page.prepare(before)
        page.go(address)
        return page

    def close(self):
        """Ends the browser and what it started, and removes its profile."""
        self.end("browser.close")
        if self.socket:
            self.socket.close()

    def send(self, message):
        self.socket.send(json.dumps(message))

    def messages(self):
        for text in self.socket.messages():
            message = json.loads(text)
            if "error" in message:
                message["error"] = {"message": message.get("message") or message["error"]}
            yield message

    def receive(self, message):
        parameters = message.get("params", {})
        context = parameters.get("context") or parameters.get("source", {}).get("context")
        if page := self.pages.get(context):
            page.receive(message["method"], parameters)


def value_of(answer, expression):
    """The value that a script's answer bears."""
    if answer["type"] == "exception":
        raise BrowserError(f"{expression[:80]}: {answer['exceptionDetails']['text']}")
    return plain(answer["result"])


def plain(remote):
    """A value as Python has it; None for what can't be copied."""
    kind, value = remote["type"], remote.get("value")
    if kind == "array":
        return [plain(item) for item in value or []]
    if kind == "object":
        return {name: plain(item) for name, item in value or []}
    if kind == "number" and isinstance(value, str):
        return float(value.replace("Infinity", "inf"))
    return value if kind in ("string", "number", "boolean") else None


class Page(driver.Page):
    """One page: what it shows, what it says when something is wrong, and a finger on it."""

    def __init__(self, browser, context, screen):
        super().__init__(browser, screen)
        self.context = context
        self.target = {"context": context}
        self.blocked = ()
        self.has_letters = False
        self.link = None

    def call(self, method, **parameters):
        return self.browser.call(method, context=self.context, **parameters)

    def run(self, function, *arguments):
        """Calls one of the functions in the browser's own window."""
        return self.browser.run(f"driver.{function}({json.dumps(arguments)[1:-1]})")

    def prepare(self, before=None):
        self.show_on(self.screen)
        if before:
            self.browser.call(
                "script.addPreloadScript",
                functionDeclaration=f"() => {{ {before}\n}}",
                contexts=[self.context],
            )

    def show_on(self, screen):
        """Another screen, or the same with other wishes."""
        self.screen = screen
        wishes = (screen.is_touch, screen.is_dark, screen.is_still)
        self.run("show", self.context, screen.width, screen.height, *wishes)
        self.call(
            "browsingContext.setViewport",
            viewport={"width": screen.width, "height": screen.height},
            devicePixelRatio=screen.scale,
        )

    def emulate_network(self, latency, speed):
        """A slow link: the latency of each response in ms, and its throughput in kbit/s."""
        self.link = SlowLink(latency, speed)
        self.run("setProxy", self.link.port)

    def set_letters(self, size):
        """The size of letters that the person has chosen, in px: of all pages until this closes."""
        self.has_letters = True
        self.run("setLetters", size)

    def disable_scripts(self):
        self.run("disableScripts", self.context)
        # Where a page's own scripts don't run, the driver's do apart from them.
        self.target = {"context": self.context, "sandbox": "driver"}

    def block(self, path):
        """From now on what has a path with this end doesn't come."""
        self.blocked = (*self.blocked, path)
        self.browser.call(
            "network.addIntercept", phases=["beforeRequestSent"], contexts=[self.context]
        )

    def go(self, address):
        self.call("browsingContext.navigate", url=address, wait="complete")

    def receive(self, method, parameters):
        """An event, on the browser's thread."""
        if method == "log.entryAdded" and parameters["level"] in ("error", "warn"):
            kind = "exception" if parameters["type"] == "javascript" else parameters["level"]
            self.faults.append(f"{kind}: {parameters.get('text')}")
            return
        request = parameters.get("request", {})
        address = request.get("url", "")
        if method == "network.beforeRequestSent" and parameters.get("isBlocked"):
            is_refused = address.endswith(self.blocked)
            command = "network.failRequest" if is_refused else "network.continueRequest"
            self.browser.begin(command, request=request["request"])
        elif method == "network.responseCompleted" and parameters["response"]["status"] >= 400:
            status = parameters["response"]["status"]
            self.faults.append(f"network: Failed to load resource: {status} {address}")
        elif method == "network.fetchError" and "ABORTED" not in parameters["errorText"]:
            text = parameters["errorText"]
            self.faults.append(f"network: Failed to load resource: {text} {address}")

    def evaluate(self, expression):
        """The value of an expression, waited for if it's a promise."""
        answer = self.browser.call(
            "script.evaluate",
            expression=expression,
            target=self.target,
            awaitPromise=True,
            userActivation=True,
        )
        return value_of(answer, expression)

    def screenshot(self, path):
        data = self.call("browsingContext.captureScreenshot")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def print(self, path):
        """Prints it to a PDF."""
        data = self.call("browsingContext.print", background=True)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def touch(self, *moments):
        """Fingers that go from places to places: each moment is (seconds, [(x, y) of each])."""
        fingers = [(seconds * 1000, places) for seconds, places in moments]
        self.run("touch", self.context, fingers)

    def bring_to_front(self):
        self.call("browsingContext.activate")

    def act(self, kind, *actions, **values):
        source = {"type": kind, "id": kind, "actions": list(actions), **values}
        self.call("input.performActions", actions=[source])

    def press(self, key):
        """A key, down and up; one of `KEYS`."""
        self.run("focus", self.context)
        self.act(
            "key",
            {"type": "keyDown", "value": KEYS[key]},
            {"type": "keyUp", "value": KEYS[key]},
        )

    def hold(self, key, times, every=1 / 30):
        """A key that is held, and repeats until it is released."""
        self.run("focus", self.context)
        down = {"type": "keyDown", "value": KEYS[key]}
        pause = {"type": "pause", "duration": round(every * 1000)}
        steps = [action for _ in range(times) for action in (down, pause)]
        self.act("key", *steps[:-1], {"type": "keyUp", "value": KEYS[key]})

    def wheel(self, delta, x=None, y=None):
        """One turn of a mouse's wheel."""
        x, y = int(x or self.screen.width / 2), int(y or self.screen.height / 2)
        turn = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": delta}
        self.act("wheel", turn)

    def click(self, x, y):
        self.drag((x, y))

    def drag(self, *places):
        """A mouse whose button is held, from place to place: (x, y) of each."""
        first, *others = [
            {"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0} for x, y in places
        ]
        self.act(
            "pointer",
            first,
            {"type": "pointerDown", "button": 0},
            *others,
            {"type": "pointerUp", "button": 0},
            parameters={"pointerType": "mouse"},
        )

    def close(self):
        self.browser.pages.pop(self.context, None)
        if self.has_letters:
            self.run("setLetters", 0)
        if self.link:
            self.run("setProxy", 0)
            self.link.close()
        self.call("browsingContext.close")
