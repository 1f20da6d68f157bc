"""What people change with the pages, and take back. Each flow has a browser and servers of its own."""
import json
import urllib.request

from flows import open_fresh, schedule_of_another_hour, wait_for, wait_until

OFFER = "[...document.querySelectorAll('.toast .button')].find((e) => e.textContent === 'Undo')"
# A picture of one color, chosen in the form for pictures.
CHOOSE = """(async () => {{
    const canvas = Object.assign(document.createElement('canvas'), {{ width: 320, height: 180 }});
    const context = canvas.getContext('2d');
    context.fillStyle = '{0}';
    context.fillRect(0, 0, 320, 180);
    const list = new DataTransfer();
    list.items.add(new File([await new Promise((done) => canvas.toBlob(done, 'image/png'))], 'one.png', {{ type: 'image/png' }}));
    document.querySelector('dialog input[type=file]').files = list.files;
    document.querySelector('dialog [type=submit]').click();
    return true;
}})()"""


def write(browser, button, value):
    """Opens a form by its button, and saves another value."""
    browser.until("!document.querySelector('dialog')")
    browser.click(f"[aria-label={json.dumps(button)}]")
    browser.until("document.querySelector('dialog input')")
    browser.js(f"(() => {{ document.querySelector('dialog input').value = {json.dumps(value)}; document.querySelector('dialog [type=submit]').click(); return true; }})()")
    browser.until("!document.querySelector('dialog')")
    browser.until(OFFER)


def poster(site, token):
    with urllib.request.urlopen(f"{site.url}/assets/{token}/poster") as reply:
        return reply.read()


def changes_are_taken_back(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Before", tags=["old"])
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/#asset/{token}")
    heading = "document.querySelector('.asset h1')?.textContent"
    b.until(f"{heading} === 'Before'")
    write(b, "Rename", "After")
    b.until(f"{heading} === 'After'")
    visit.look("what can be taken back")
    b.js("document.activeElement.blur()")
    # Ctrl + Z, by a person who has no mouse.
    b.js("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }))")
    b.until(f"{heading} === 'Before'")
    # Not what somebody else has changed since.
    write(b, "Rename", "After")
    site.ask("PATCH", f"assets/{token}", {"name": "Another"})
    b.js(f"{OFFER}.click()")
    b.until("document.querySelector('.toast.error')?.textContent.includes('meanwhile')")
    visit.check(site.ask("GET", f"assets/{token}")[1]["name"] == "Another", "a change of somebody else was taken back")
    b.js("(() => { for (const close of document.querySelectorAll('.toast [aria-label=Close]')) close.click(); return true; })()")


def pictures_and_marks_are_taken_back(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Seen")
    wait_for(site, token, "complete")
    site.ask("PUT", f"assets/{token}/position", {"position": 7})
    open_fresh(visit, f"{site.url}/#asset/{token}")
    b.until("document.querySelector('.asset h1')")
    pictures = []
    for color in ("#c03010", "#1030c0"):
        b.click("[aria-label=Picture]")
        b.until("document.querySelector('dialog input[type=file]')")
        b.js(CHOOSE.format(color))
        b.until(f"!document.querySelector('dialog') && {OFFER}")
        wait_until(lambda: (site.ask("GET", f"assets/{token}")[1]["poster"]) is not None, "the picture reaches the server")
        pictures.append(poster(site, token))
    visit.check(pictures[0] != pictures[1], "the second picture is the first")
    b.js("[...document.querySelectorAll('.toast')].at(-1).querySelector('.button:not(.bare)').click()")
    wait_until(lambda: poster(site, token) == pictures[0], "the first picture is back")
    b.open(site.url)
    b.until("document.querySelector('asset-list .item.good')")
    b.click("asset-list .more")
    b.js("[...document.querySelectorAll('.menu button')].find((e) => e.textContent === 'Mark as watched').click()")
    b.until(OFFER)
    b.until("[...assetStore.assets.values()][0].watched")
    b.js(f"{OFFER}.click()")
    wait_until(lambda: not site.ask("GET", f"assets/{token}/position")[1]["watched"], "the mark is taken back")
    visit.check(site.ask("GET", f"assets/{token}/position")[1]["position"] == 7, "the position is another one")
    b.until("![...assetStore.assets.values()][0].watched")


def many_are_removed_at_once(visit):
    b, site = visit.browser, visit.site("--schedule", schedule_of_another_hour())
    # Their tokens are more than a request that outlives its page may have.
    for start in range(0, 2500, 500):
        assets = [{"url": f"http://127.0.0.1:9/{n}.m3u8", "name": f"Film {n}"} for n in range(start, start + 500)]
        assert site.ask("POST", "assets", {"assets": assets})[0] == 201
    open_fresh(visit, site.url)
    b.until("window.assetStore?.assets.size === 2500", 60)
    b.js("document.querySelector('asset-list .name').focus()")
    b.js("document.querySelector('asset-list .pick').click()")
    b.js("document.querySelector('.selection [aria-label=\"Select all\"]').click()")
    b.until("document.querySelector('.selection strong').textContent.startsWith('2,500')")
    b.js("document.querySelector('.selection [aria-label=Remove]').click()")
    b.until("document.querySelector('dialog .danger')")
    visit.look("the question before many are removed")
    b.js("document.querySelector('dialog .danger').click()")
    b.until("window.assetStore.assets.size === 0 && document.querySelector('.empty h2')", 60)
    visit.check(site.ask("GET", "assets")[1]["assets"] == [], "not all were removed")


def the_first_screen_comes_with_the_page(visit):
    b, site = visit.browser, visit.site("--schedule", schedule_of_another_hour())
    assets = [{"url": f"http://127.0.0.1:9/{n}.m3u8", "name": f"</script><b>Film {n:03}"} for n in range(200)]
    assert site.ask("POST", "assets", {"assets": assets})[0] == 201
    for width, height in ((1280, 800), (390, 844)):
        b.shape(width, height)
        open_fresh(visit, site.url)
        b.until("window.assetStore?.assets.size === 200")
        asked = b.js("performance.getEntriesByType('resource').map((entry) => entry.name)")
        lists = [url for url in asked if "/api/v1/assets?" in url and "since=" not in url]
        visit.check(len(lists) == 1 and "before=" in lists[0], f"assets that the page brought were asked for: {lists}")
        b.until("document.querySelector('asset-list .name').textContent === '</script><b>Film 199'")
        # The items of the server's page stand where those of the scripts stand.
        moved = b.js("""(async () => {
            const theirs = [...document.querySelectorAll('asset-list .item')].slice(0, 4).map((e) => e.getBoundingClientRect());
            const page = new DOMParser().parseFromString(await (await fetch('./')).text(), 'text/html');
            document.body.replaceChildren(...page.body.childNodes);
            document.body.className = '';
            const ours = [...document.querySelectorAll('.cards .item')].slice(0, 4).map((e) => e.getBoundingClientRect());
            return Math.max(...theirs.flatMap((box, index) => ['x', 'y', 'width', 'height'].map((name) => Math.abs(box[name] - ours[index][name]))));
        })()""")
        visit.check(moved < 8, f"the items of the first picture move by {moved} pixels at {width}")
    b.shape(1280, 800)
    text = b.js("(async () => (await fetch('./')).text())()")
    visit.check(text.count('class="item"') == 60 and "?before=" in text, "without scripts the older assets are out of reach")
    for name in ("engine.js", "settings.js"):
        visit.check(name not in text, f"the library's page asks for {name}")


ALL = [changes_are_taken_back, pictures_and_marks_are_taken_back, many_are_removed_at_once, the_first_screen_comes_with_the_page]
