"""What people do with the player, and how devices sign in. Each flow has a browser and servers of its own."""
import base64
import json
import time
import urllib.request

from flows import open_fresh, wait_for, wait_until

READY = "window.watchPage?.video.readyState > 2"
# The mean difference of the pictures of two videos, 0 to 255.
DIFFERENCE = """(() => {
    const read = (video) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 18 });
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.drawImage(video, 0, 0, 32, 18);
        return context.getImageData(0, 0, 32, 18).data;
    };
    const [one, other] = [read(watchPage.video), read(watchPage.previews.element)];
    return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
})()"""


def point_at(browser, share):
    """Moves the pointer to a place on the seek bar."""
    browser.js(f"""(() => {{
        const seek = document.querySelector('.seek'), box = seek.getBoundingClientRect();
        seek.dispatchEvent(new PointerEvent('pointermove', {{ clientX: box.left + box.width * {share}, clientY: box.top + 5 }}));
        return true;
    }})()""")


def the_seek_bar_shows_pictures_and_chapters(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Chapters", all_variants=True)
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until(READY, 30)
    b.until("document.querySelectorAll('.marks span').length === 2")
    for share in (0.75, 0.1, 0.5):
        at = share * 12
        b.js(f"watchPage.video.currentTime = {at}")
        point_at(b, share)
        b.until(f"!watchPage.previews.element.hidden && Math.abs(watchPage.previews.element.currentTime - {at}) < 0.2", 20)
        b.until("!watchPage.video.seeking && watchPage.video.readyState > 1", 20)
        b.until(f"{DIFFERENCE} < 40", 20)
        same = b.js(DIFFERENCE)
        b.js(f"watchPage.video.currentTime = {(at + 5) % 12}")
        b.until("!watchPage.video.seeking && watchPage.video.readyState > 1", 20)
        visit.check(b.js(DIFFERENCE) > same * 1.05, f"the picture at {at} s is that of another moment")
    b.until("document.querySelector('.tip').textContent.startsWith('The crossing')")
    b.js("document.querySelector('.control[title=Chapters]').click()")
    b.until("document.querySelectorAll('.menu button').length === 3")
    visit.look("the list of chapters")
    b.keys("End", "Enter")
    b.until("Math.abs(watchPage.video.currentTime - 8) < 0.05 && document.querySelector('.chapter').textContent === 'Dawn'")
    b.js("document.activeElement.blur()")
    b.keys("[")
    b.until("Math.abs(watchPage.video.currentTime - 4) < 0.05")


def single_frames_are_stepped_through(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Frames")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until(READY, 30)
    b.js("watchPage.video.currentTime = 5.01")
    b.until("!watchPage.video.seeking && watchPage.video.readyState > 1")
    frame = "Math.floor(watchPage.video.currentTime * 25 + 0.01)"
    for key, expected in ((".", 126), (".", 127), (",", 126), (",", 125), (",", 124)):
        b.keys(key)
        b.until(f"!watchPage.video.seeking && {frame} === {expected}")


def several_play_in_a_row(visit):
    b, site = visit.browser, visit.site()
    tokens = [site.add(f"{visit.origin.url}/show/master.m3u8", name=name, tags=["row"]) for name in ("Part 2", "Part 1", "Part 10")]
    for token in tokens:
        wait_for(site, token, "complete")
    open_fresh(visit, site.url)
    b.until("document.querySelectorAll('asset-list .item.good').length === 3")
    b.js("document.querySelector('[data-name=tag]').click()")
    b.js("[...document.querySelectorAll('.menu button')].find((e) => e.textContent === 'row').click()")
    b.open(b.until("[...document.querySelectorAll('a.chip')].find((e) => e.textContent === 'Play in a row')?.href"))
    b.until(READY, 30)
    b.until("watchPage.asset.name === 'Part 1' && document.querySelectorAll('.row-list a').length === 3")
    b.js("watchPage.video.muted = true, watchPage.video.currentTime = 11.7, watchPage.video.play()")
    b.until("!document.querySelector('.next-card').hidden && document.querySelector('.next-card strong').textContent === 'Part 2'", 30)
    visit.look("what comes next")
    b.keys("Enter")
    b.until("watchPage.asset.name === 'Part 2' && watchPage.video.currentTime > 0.3 && !watchPage.video.paused", 30)
    visit.check(b.js("location.pathname").endswith(tokens[0]), "the address is not that of what plays")
    b.js("watchPage.player.focus()")
    b.js("watchPage.actions.N()")
    b.until("watchPage.asset.name === 'Part 10' && watchPage.video.currentTime > 0.1", 30)
    b.js("history.back()")
    b.until("watchPage.asset.name === 'Part 2'", 30)


def subtitles_look_as_the_viewer_or_the_track_wants(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Styled")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}", subtitles="en")
    b.until(READY, 30)
    b.js("watchPage.video.currentTime = 4.7")
    b.until("document.querySelector('.cue')?.textContent === 'en line 4 of the winter'")
    b.js("watchPage.styleDialog()")
    b.until("document.querySelector('dialog .cue-sample')")
    visit.look("how subtitles look", ["color-contrast"])
    b.js("""(() => {
        for (const [text, value] of [['Color', 'yellow'], ['Background', 'box'], ['Position', 'top']]) {
            const label = [...document.querySelectorAll('dialog label')].find((e) => e.textContent === text);
            const select = document.getElementById(label.htmlFor);
            select.value = value;
            select.dispatchEvent(new Event('change'));
        }
        return true;
    })()""")
    b.until("getComputedStyle(document.querySelector('.cue-layer .cue')).color === 'rgb(255, 231, 94)'")
    b.until("document.querySelector('.cue-stack.top .cue')")
    b.keys("Escape")
    b.js("watchPage.player.focus()")
    b.keys("g", "g", "g")
    b.until("Math.abs(watchPage.cues.style.delay + 0.3) < 0.01")
    # The German track has a style sheet of its own: the server paints it.
    b.js("watchPage.cues.choose(watchPage.subtitles.find((entry) => entry.language === 'de'))")
    b.until("(() => { const p = document.querySelector('.cue-picture'); return p && !p.hidden && p.complete && p.naturalWidth > 100; })()", 20)
    painted = """(() => {
        const picture = document.querySelector('.cue-picture'), canvas = Object.assign(document.createElement('canvas'), { width: picture.naturalWidth, height: picture.naturalHeight });
        const context = canvas.getContext('2d');
        context.drawImage(picture, 0, 0);
        const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
        for (let at = 0; at < data.length; at += 4) if (data[at] < 40 && data[at + 1] > 200 && data[at + 2] < 40 && data[at + 3] > 200) return true;
        return false;
    })()"""
    b.until(painted)
    b.js("watchPage.video.currentTime = 5.9")
    b.until("document.querySelector('.cue-picture').hidden")


def an_asset_gets_another_name_and_picture(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Before")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/#asset/{token}")
    b.until("document.querySelector('.asset h1')?.textContent === 'Before'")
    b.click("[aria-label=Rename]")
    b.until("document.querySelector('dialog input')")
    b.js("(() => { document.querySelector('dialog input').value = 'After'; document.querySelector('dialog [type=submit]').click(); return true; })()")
    b.until("document.querySelector('.asset h1')?.textContent === 'After'")
    b.click("[aria-label=Picture]")
    b.until("document.querySelector('dialog input[type=file]')")
    visit.look("the form for a picture")
    b.js("""(async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 });
        const context = canvas.getContext('2d');
        context.fillStyle = '#c03010';
        context.fillRect(0, 0, 1600, 900);
        const list = new DataTransfer();
        list.items.add(new File([await new Promise((done) => canvas.toBlob(done, 'image/png'))], 'red.png', { type: 'image/png' }));
        document.querySelector('dialog input[type=file]').files = list.files;
        document.querySelector('dialog [type=submit]').click();
        return true;
    })()""")
    b.until("!document.querySelector('dialog')")
    b.until("document.querySelector('.asset-cover img')?.naturalWidth === 1280", 20)
    with urllib.request.urlopen(f"{site.url}/assets/{token}/poster") as reply:
        visit.check(reply.headers["Content-Type"] == "image/jpeg", "the picture is no JPEG")
    status, problem = site.ask("PATCH", f"assets/{token}", {"artwork": "data:image/png;base64," + base64.b64encode(b"no picture").decode()})
    visit.check(status == 409 or status == 422, f"what is no picture is taken: {status} {problem}")
    site.ask("PATCH", f"assets/{token}", {"artwork": ""})
    b.until("!document.querySelector('.asset-cover img') && document.querySelector('.asset-cover .initials')")


def ask_with_token(site, method, path, body=None):
    request = urllib.request.Request(
        f"{site.url}/api/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {site.token()}"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.loads(reply.read() or b"null")


def a_device_signs_in_by_a_code_and_is_signed_out(visit):
    b, site = visit.browser, visit.site("--require-token")
    token = ask_with_token(site, "POST", "assets", {"url": f"{visit.origin.url}/show/master.m3u8", "name": "Behind the door"})["token"]
    open_fresh(visit, site.url)
    b.until("document.querySelector('.sign-in input')")
    visit.look("signing in")
    b.write("WRNG2345")
    b.keys("Enter")
    b.until("document.querySelector('.sign-in .error').textContent.includes('wrong')")
    code = ask_with_token(site, "POST", "sessions/codes", {})
    b.js("document.querySelector('.code-input').value = ''")
    b.js("document.querySelector('.code-input').focus()")
    b.write(f"{code['code'][:4].lower()}-{code['code'][4:]}")
    b.keys("Enter")
    b.until("document.querySelector('asset-list .name')?.textContent === 'Behind the door'", 30)
    visit.check(b.js("document.cookie") == "" and "again" not in b.js("location.href"), "the cookie can be read, or the address is untidy")
    # The session stands for the token: media, pages, changes.
    b.open(f"{site.url}/watch/{token}")
    b.until(READY, 40)
    b.open(f"{site.url}/#settings/devices")
    b.until("document.querySelectorAll('.devices li').length === 1")
    visit.look("the devices")
    b.js("[...document.querySelectorAll('.panel button')].find((e) => e.textContent === 'Add a device').click()")
    b.until("document.querySelector('dialog .qr')?.naturalWidth > 0")
    visit.look("a code for another device")
    text = b.js("document.querySelector('.big-code').textContent").replace("-", "")
    b.keys("Escape")
    b.js("document.querySelector('.devices button').click()")
    b.until("document.querySelector('.sign-in input')", 20)
    visit.check(ask_with_token(site, "GET", "sessions")["sessions"] == [], "the session is still there")
    # The code in the fragment of a scanned address signs in by itself, once.
    b.open(f"{site.url}/#code={text}")
    b.until("document.querySelector('asset-list .name') && !location.hash.includes('code')", 20)
    # A page whose session is ended elsewhere asks for a code by itself.
    ask_with_token(site, "DELETE", "sessions")
    b.until("document.querySelector('.sign-in input')", 20)
    b.open(f"{site.url}/#code={text}")
    b.until("document.querySelector('.sign-in .error')?.textContent.includes('wrong')")
    # Refusals are expected here, and Firefox tells of each stream of events that ends with its session.
    b.messages[:] = [(level, text) for level, text in b.messages
                     if not any(part in text for part in ("401", "403", "/api/v1/events"))]


def sound_alone_has_a_picture(visit):
    b, site = visit.browser, visit.site()
    cover = "document.querySelector('.player-cover')"
    film = site.add(f"{visit.origin.url}/show/master.m3u8", name="Film")
    sound = site.add(f"{visit.origin.url}/show/en/index.m3u8", name="A Song")
    for token, is_shown in ((film, False), (sound, True)):
        wait_for(site, token, "complete")
        open_fresh(visit, f"{site.url}/watch/{token}")
        b.until(READY, 30)
        b.until(f"{cover}.checkVisibility() === {json.dumps(is_shown)}")
    visit.check(b.js(f"{cover}.textContent") == "AS", "the picture of a song does not have its initials")
    visit.look("the player of a song")


def the_player_is_used_from_right_to_left(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="From the right")
    wait_for(site, token, "complete")
    b.shape(390, 844)
    for page in ("/", "/#downloads", f"/#asset/{token}", "/#settings", f"/watch/{token}"):
        open_fresh(visit, site.url + page)
        b.until("window.assetStore?.isLoaded")
        b.js("document.documentElement.dir = 'rtl'")
        b.js("dispatchEvent(new Event('resize'))")
        time.sleep(0.1)
        visit.look(f"{page.replace(token, 'TOKEN')} from right to left")
    b.until(READY, 30)
    point_at(b, 0.25)
    b.until("document.querySelector('.tip-text').textContent.endsWith('0:09')")
    b.shape(1280, 800)


ALL = [
    the_seek_bar_shows_pictures_and_chapters, single_frames_are_stepped_through, several_play_in_a_row,
    subtitles_look_as_the_viewer_or_the_track_wants, an_asset_gets_another_name_and_picture,
    a_device_signs_in_by_a_code_and_is_signed_out, sound_alone_has_a_picture,
    the_player_is_used_from_right_to_left,
]
