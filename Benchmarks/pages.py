"""The pages: the library with 10,000 assets, in Chromium and Firefox. A state after its event and the player, in Chromium alone.

The player opens an asset right after the asset was added. The origin's line has 1.5 times the stream's bit rate and a round trip
of 40 ms. The time counts from the navigation to the first frame on the screen, and so includes the loading of the page. ffmpeg
takes its first frame straight from the same line. So does hls.js, if HLS_JS names a module that exports it as its default; its
own page comes from nginx without delay. "Our goal" is not measured: it is our own limit. A task is one stretch of work that
keeps the page's main thread busy.
"""
import json
import os
import shutil
import sys
import time
import urllib.request
from pathlib import Path

import playing
import product
from measure import Row, compare
from origin import Link, Nginx

sys.path.append(str(Path(__file__).resolve().parent.parent / "Tests/Pages"))
from browsers import Chromium, Firefox  # noqa: E402

CROWD = 10_000
GOAL = "our goal"
# Milliseconds.
PAINT, STATE, TASK = 300, 200, 50
TASKS = """(() => {
    window.longest = 0;
    new PerformanceObserver((list) => { for (const task of list.getEntries()) longest = Math.max(longest, task.duration); }).observe({ type: 'longtask' });
    return true;
})()"""


def ask(server, method, path, body=None):
    request = urllib.request.Request(f"{server.url}/api/v1/{path}", None if body is None else json.dumps(body).encode(),
                                     {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def crowd(server):
    """Enters assets of which none is downloaded."""
    for start in range(0, CROWD, 1000):
        ask(server, "POST", "assets", {"assets": [
            {"url": f"http://127.0.0.1:9/{number}.m3u8", "name": f"Film {number:05}"} for number in range(start, start + 1000)]})


def prepare(browser):
    """Has each page note when the first item of the library is on the screen, in milliseconds from the navigation."""
    browser.prepare("""
        const look = () => {
            if (!document.querySelector('asset-list .item, .blank-page')) requestAnimationFrame(look);
            else requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
        };
        requestAnimationFrame(look);""")


def first_paint(browser, url):
    """Milliseconds from the navigation until the first content is on the screen: for the library, the server's list."""
    browser.open(url)
    return browser.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime", 60)


def painted(browser, url):
    """Milliseconds from the navigation until the list of the scripts is on the screen, with its buttons."""
    browser.open(url)
    return browser.until("window.painted", 60)


def paints(options, browser, server, empty):
    """The library's pictures beside what we allow ourselves, and beside a page that says one word."""
    prepare(browser)
    place = "" if browser.name == "Chromium" else f" in {browser.name}"
    for name, look in ((f"first paint of {CROWD:,} assets{place}", first_paint),
                       (f"list of {CROWD:,} assets with its buttons{place}", painted)):
        yield compare(options, Row("pages", name, "ms", "lower", GOAL), lambda: look(browser, f"{server.url}/"), lambda: PAINT)
        yield compare(options, Row("pages", f"{name}, beside one word", "ms", "lower", "nginx, one word"),
                      lambda: look(browser, f"{server.url}/"), lambda: look(browser, f"{empty.url}/"))


def told(browser, server):
    """Milliseconds from the event's arrival until the library shows the state, paused or waiting."""
    browser.until(f"window.assetStore?.isConnected && assetStore.assets.size === {CROWD}", 120)
    asset = ask(server, "GET", "assets?limit=1")["assets"][0]
    browser.js("""(() => {
        const item = document.querySelector('asset-list .item'), before = item.textContent;
        window.shown = new Promise((done) => {
            let began = 0;
            assetStore.addEventListener('asset', () => { began ||= performance.now(); });
            new MutationObserver(() => {
                if (began && item.textContent !== before) requestAnimationFrame(() => done(performance.now() - began));
            }).observe(item, { subtree: true, childList: true, characterData: true });
        });
        return true;
    })()""")
    ask(server, "POST", f"assets/{asset['token']}/{'resume' if asset['state'] == 'paused' else 'pause'}", {})
    return browser.js("window.shown")


FIRST_FRAME = """(async () => {
    while (!window.watchPage) await new Promise((done) => setTimeout(done, 5));
    const { video } = watchPage;
    if (video.readyState < 2) await new Promise((done) => video.requestVideoFrameCallback(done));
    return performance.now() / 1000;
})()"""


def first_frame(options, browser, url):
    """Seconds from the navigation to the first frame of an asset in a store of its own, and the longest task of the four
    seconds that are played then."""
    store = options.work / "store-pages"
    shutil.rmtree(store, ignore_errors=True)
    with product.Server(store) as server:
        token = ask(server, "POST", "assets", {"url": url})["token"]
        browser.open(f"{server.url}/watch/{token}")
        seconds = browser.until(FIRST_FRAME, 60)
        browser.js(TASKS)
        browser.js("watchPage.video.muted = true, watchPage.video.play()")
        time.sleep(4)
        return seconds, browser.js("window.longest")


HLS_PAGE = """<!doctype html><title>hls.js</title><video muted width=960></video><script type="module">
    import Hls from './hls.js';
    const hls = new Hls();
    hls.loadSource(new URLSearchParams(location.search).get('url'));
    hls.attachMedia(document.querySelector('video'));
    window.watchPage = { video: document.querySelector('video') };
</script>"""


def by_hls(options, browser, link, ours):
    """The first frame beside hls.js."""
    module = os.environ.get("HLS_JS")
    if not module:
        return
    root = options.work / "hls-page"
    root.mkdir(exist_ok=True)
    shutil.copy(module, root / "hls.js")
    (root / "index.html").write_text(HLS_PAGE)
    with Nginx(root, options.work / "nginx-hls", 1) as page:
        def theirs():
            browser.open(f"{page.url}/index.html?url={link.url}/index.m3u8")
            return browser.until(FIRST_FRAME, 60)
        yield compare(options, Row("pages", "first frame during the download, beside a page", "s", "lower",
                                   "hls.js, straight"), ours, theirs)


def rows(options):
    browser = Chromium()
    browser.shape(1280, 800)
    try:
        store = options.work / "store-crowd"
        shutil.rmtree(store, ignore_errors=True)
        hour = (time.localtime().tm_hour + 6) % 24
        with product.Server(store, "--schedule", f"{hour:02}:00-{hour:02}:01") as server:
            crowd(server)
            word = options.work / "one-word"
            word.mkdir(exist_ok=True)
            (word / "index.html").write_text("<!doctype html><title>One</title><p class=blank-page>word")
            with Nginx(word, options.work / "nginx-word", 1) as empty:
                yield from paints(options, browser, server, empty)
                other = Firefox()
                other.shape(1280, 800)
                try:
                    yield from paints(options, other, server, empty)
                finally:
                    other.close()
            browser.open(f"{server.url}/")
            yield compare(options, Row("pages", "a state on the page after its event", "ms", "lower", GOAL),
                          lambda: told(browser, server), lambda: STATE)
        folder, rate = playing.stream(options)
        with Nginx(folder, options.work / "nginx-pages", 2, shared=True) as nginx, Link(nginx, playing.DELAY, rate) as link:
            tasks = []

            def ours():
                seconds, longest = first_frame(options, browser, f"{link.url}/index.m3u8")
                tasks.append(longest)
                return seconds

            yield compare(options, Row("pages", "first frame during the download", "s", "lower", "ffmpeg, straight"), ours,
                          lambda: playing.seconds_to_frame(f"{link.url}/index.m3u8"))
            yield from by_hls(options, browser, link, ours)
            row = Row("pages", "longest task while it plays", "ms", "lower", GOAL)
            for longest in tasks:
                row.add(longest, TASK, True)
            yield row
    finally:
        browser.close()
