"""What people do with the pages. Each flow has a browser, servers of its own, and says what it found wrong."""
import json
import time
import urllib.parse

PLAYED = "window.watchPage?.video.currentTime > 0 && !watchPage.video.paused"


def wait_for(site, token, state, seconds=40):
    """Waits until an asset is in a state, as the API has it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        asset = site.ask("GET", f"assets/{token}")[1]
        if asset.get("state") == state:
            return asset
        time.sleep(0.1)
    raise AssertionError(f"the asset is {asset.get('state')}, not {state}: {asset.get('error')}")


def wait_until(holds, what, seconds=10):
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def open_fresh(visit, url, **kept):
    """Opens a page with nothing kept in the browser but what is named."""
    visit.browser.open(url)
    items = "".join(f"localStorage.setItem({json.dumps('offline-server.' + name)}, {json.dumps(json.dumps(value))});" for name, value in kept.items())
    visit.browser.js(f"(() => {{ localStorage.clear(); {items} return true; }})()")
    visit.browser.open(url)


def scripts_are_read(b):
    """Waits until the page has read the scripts of its other views, which a server that stops refuses with 503."""
    b.until("""['add', 'asset', 'downloads', 'settings'].every((name) =>
        performance.getEntriesByType('resource').some((e) => e.name.endsWith(`/app/${name}.js`)))""")


def a_first_visit_leads_to_the_first_download_by_keyboard_alone(visit):
    b, site = visit.browser, visit.site()
    b.shape(1280, 800)
    open_fresh(visit, site.url)
    b.until("document.querySelector('.empty h2')")
    visit.look("the empty library")
    b.keys("n")
    b.until("document.querySelector('dialog.add textarea') === document.activeElement")
    b.write(f"{visit.origin.url}/show/master.m3u8")
    b.until("document.querySelector('dialog.add .note.good') && !document.querySelector('dialog.add [type=submit]').disabled")
    b.until("/\\d/.test(document.querySelector('dialog.add .dialog-foot .grow').textContent)")
    visit.look("the form for a stream")
    for _ in range(3):
        b.keys("Tab")
    b.js("document.querySelector('dialog.add textarea').focus()")
    b.keys("Enter")
    b.until("!document.querySelector('dialog.add')")
    b.until("document.querySelector('asset-list .item.good .name')", 40)
    b.until("document.querySelector('asset-list .name').textContent.length > 0")
    visit.look("the library")
    b.keys("?")
    b.until("document.querySelector('dialog .keys')")
    visit.look("the keys")
    b.keys("Escape")
    b.until("!document.querySelector('dialog')")


def each_page_holds_what_every_page_must(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="A winter", tags=["kids"], all_variants=True, audio="all")
    site.add(f"{visit.origin.url}/none/master.m3u8", name="Gone")
    wait_for(site, token, "complete")
    pages = ["/", "/#downloads", f"/#asset/{token}", "/#settings", "/#settings/appearance", "/#settings/storage",
             "/#settings/doctor", "/#settings/log", "/#settings/about", f"/watch/{token}"]
    for width, height, dark in ((1280, 800, False), (390, 844, True)):
        b.shape(width, height, dark)
        open_fresh(visit, site.url, theme="dark" if dark else "light")
        for page in pages:
            b.open(site.url + page)
            b.until("document.querySelector('main h1, .view-library asset-list') && !document.querySelector('.skeleton, .busy-line')")
            b.until("window.assetStore?.isLoaded")
            time.sleep(0.15)
            visit.look(f"{page.replace(token, 'TOKEN')} {width} {'dark' if dark else 'light'}")
    # 200 % of a window of 1280 pixels.
    b.shape(640, 400)
    for page in pages:
        b.open(site.url + page)
        b.until("document.querySelector('main h1, .view-library asset-list') && !document.querySelector('.skeleton, .busy-line')")
        visit.check(b.js("document.scrollingElement.scrollWidth <= innerWidth + 1"), f"{page} is wider than a window at 200 %")
    # What a reader has set in the system; only Chromium can be told so.
    b.shape(1280, 800, forced_colors="active", prefers_reduced_motion="reduce")
    for page in ("/", f"/watch/{token}"):
        b.open(site.url + page)
        b.until("document.querySelector('main h1, .view-library asset-list') && window.assetStore?.isLoaded")
        visit.look(f"{page.replace(token, 'TOKEN')} in forced colors", ["color-contrast"])
    b.shape(1280, 800)
    open_fresh(visit, site.url, language="de")
    b.until("document.documentElement.lang === 'de' && document.querySelector('.views')?.textContent.includes('Mediathek')")
    # Without scripts the server's own page has the list.
    visit.check("A winter" in b.js("(async () => (await (await fetch('./')).text()))()"), "the page without scripts has no list")


def a_failure_says_its_cause_and_offers_what_mends_it(visit):
    b, site = visit.browser, visit.site()
    visit.origin.missing.add("/show/high")
    visit.origin.missing.add("/show/low")
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Mended")
    wait_for(site, token, "failed")
    open_fresh(visit, f"{site.url}/#downloads")
    b.until("document.querySelector('.row-card.bad .state')?.textContent.includes('404')")
    visit.origin.missing.clear()
    b.js("[...document.querySelectorAll('.row-card.bad button')].find((e) => e.textContent.includes('Try again')).click()")
    wait_for(site, token, "complete")
    b.until("document.querySelector('.row-card.good')")


def a_download_is_paused_and_resumed_and_its_queue_is_ordered(visit):
    b, site = visit.browser, visit.site("--max-downloads", "1", "--limit-rate", "30000")
    tokens = [site.add(f"{visit.origin.url}/show/master.m3u8", name=name) for name in ("First", "Second", "Third")]
    open_fresh(visit, f"{site.url}/#downloads")
    b.until("document.querySelectorAll('.row-card').length === 3 && document.querySelector('.row-card.busy progress')")
    names = "[...document.querySelectorAll('section:last-of-type .row-card .name')].map((e) => e.textContent)"
    b.until(f"JSON.stringify({names}) === '[\"Second\",\"Third\"]'")
    b.js("document.querySelector('[data-token] [data-name=down]:not(:disabled)').click()")
    b.until(f"JSON.stringify({names}) === '[\"Third\",\"Second\"]'")
    wait_until(lambda: site.ask("GET", f"assets/{tokens[2]}")[1]["priority"] > 0, "the queue's order reaches the server")
    b.js("document.querySelector('.row-card.busy [data-name=toggle]').click()")
    wait_for(site, tokens[0], "paused")
    b.until(f"document.querySelector('[data-token=\"{tokens[0]}\"]').closest('section').textContent.startsWith('Paused')")
    visit.look("downloads")
    site.ask("PATCH", "settings", {"limit_rate": None})
    b.js(f"document.querySelector('[data-token=\"{tokens[0]}\"] [data-name=toggle]').click()")
    for token in tokens:
        wait_for(site, token, "complete")
    b.until("document.querySelectorAll('.row-card.good').length === 3")


def removing_can_be_taken_back(visit):
    b, site = visit.browser, visit.site()
    tokens = [site.add(f"{visit.origin.url}/show/master.m3u8", name=name) for name in ("Stays", "Goes")]
    for token in tokens:
        wait_for(site, token, "complete")
    open_fresh(visit, site.url)
    b.until("document.querySelectorAll('asset-list .item').length === 2")
    for name, takes_back in (("Stays", True), ("Goes", False)):
        b.js(f"[...document.querySelectorAll('asset-list .name')].find((e) => e.textContent === '{name}').focus()")
        b.keys("Delete")
        b.until("document.querySelectorAll('asset-list .item').length === 1 && document.querySelector('.toast')")
        visit.check(b.js("document.querySelector('asset-list .name').textContent") != name, f"{name} is not the one that goes")
        if takes_back:
            b.js("document.querySelector('.toast .button').click()")
            b.until("document.querySelectorAll('asset-list .item').length === 2")
        else:
            b.js("document.querySelector('.toast .button.bare').click()")
            b.until("window.assetStore.assets.size === 1")
    visit.check(site.ask("GET", f"assets/{tokens[0]}")[0] == 200, "what was taken back is gone")
    visit.check(site.ask("GET", f"assets/{tokens[1]}")[0] == 404, "what was removed is there")


def several_are_selected_and_tagged(visit):
    b, site = visit.browser, visit.site()
    tokens = [site.add(f"{visit.origin.url}/show/master.m3u8", name=f"Film {n}") for n in range(3)]
    for token in tokens:
        wait_for(site, token, "complete")
    open_fresh(visit, site.url)
    b.until("document.querySelectorAll('asset-list .item').length === 3")
    b.js("document.querySelector('asset-list .name').focus()")
    b.keys("x", "ArrowRight", "x")
    b.until("document.querySelector('.selection strong')?.textContent.startsWith('2')")
    b.js("document.querySelector('.selection [aria-label=Tags]').click()")
    b.until("document.querySelector('dialog input')")
    b.js("document.querySelector('dialog input').focus()")
    b.write("evening")
    b.keys("Enter")
    b.until("!document.querySelector('dialog')")
    b.until("[...window.assetStore.assets.values()].filter((a) => a.tags.includes('evening')).length === 2")
    visit.check(len(site.ask("GET", "assets?tag=evening")[1]["assets"]) == 2, "the tag is not on two assets")


def the_keyboard_stays_on_its_asset(visit):
    b, site = visit.browser, visit.site()
    for n in range(3):
        wait_for(site, site.add(f"{visit.origin.url}/show/master.m3u8", name=f"Film {n}"), "complete")
    open_fresh(visit, site.url)
    b.until("document.querySelectorAll('asset-list .item').length === 3")
    b.js("document.querySelector('asset-list .name').focus()")
    b.keys("ArrowRight")
    b.until("document.activeElement.textContent === 'Film 1'")
    wait_for(site, site.add(f"{visit.origin.url}/show/master.m3u8", name="Film 3"), "complete")
    b.until("document.querySelectorAll('asset-list .item').length === 4")
    b.keys("x")
    b.until("document.querySelector('.item.picked .name')?.textContent === 'Film 1'")
    b.keys("ArrowRight", "x")
    b.until("[...document.querySelectorAll('.item.picked .name')].map((e) => e.textContent).join() === 'Film 1,Film 0'")


def a_search_in_subtitles_leads_to_the_moment(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Winter")
    wait_for(site, token, "complete")
    open_fresh(visit, site.url, subtitles="en")
    b.until("document.querySelector('asset-list .item')")
    b.keys("/")
    b.until("document.activeElement.id === 'search'")
    b.write("line 6 of")
    link = b.until("document.querySelector('.cues a')?.href")
    visit.look("a search")
    b.open(link)
    b.until("window.watchPage?.video.readyState > 2", 30)
    visit.check(abs(b.js("watchPage.video.currentTime") - 6) < 0.2, "the link does not lead to the moment")


def the_player_plays_seeks_switches_and_remembers(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Played", all_variants=True, audio="all")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}", subtitles="en")
    b.until("window.watchPage?.video.readyState > 2", 30)
    visit.check(b.js("watchPage.way") == "mse", f"it is played by {b.js('watchPage.way')}: {b.js('watchPage.reason ?? null')}")
    b.js("watchPage.video.muted = true")
    b.keys("k")
    b.until(PLAYED)
    b.until("watchPage.video.getVideoPlaybackQuality().totalVideoFrames > 25")
    b.until("watchPage.video.currentTime > 0.7 && document.querySelector('.cue')?.textContent === 'en line 0 of the winter'")
    b.keys("k")
    b.until("watchPage.video.paused")
    for at, text in ((8.7, "en line 8 of the winter"), (2.8, "en line 2 of the winter"), (11.9, None)):
        b.js(f"watchPage.video.currentTime = {at}")
        b.until(f"!watchPage.video.seeking && Math.abs(watchPage.video.currentTime - {at}) < 0.05 && watchPage.video.readyState > 1")
        if text:
            b.until(f"document.querySelector('.cue')?.textContent === {json.dumps(text)}")
        else:
            b.until("!document.querySelector('.cue')")
    b.js("watchPage.engine.chooseAudio(watchPage.engine.audios.find((track) => track.language === 'de').id)")
    b.js("watchPage.engine.choose(watchPage.engine.variants.at(-1).id)")
    b.js("watchPage.video.currentTime = 6.2")
    b.keys("k")
    b.until("watchPage.video.currentTime > 7.2 && watchPage.video.videoHeight === 90", 30)
    visit.check(b.js("watchPage.engine.playing.audio.language") == "de", "the audio was not switched")
    visit.look("the player")
    b.keys("k")
    b.until("watchPage.video.paused")
    wait_until(lambda: (site.ask("GET", f"assets/{token}/position")[1]["position"] or 0) > 7, "the position reaches the server")
    b.open(f"{site.url}/watch/{token}")
    b.until("window.watchPage?.video.readyState > 2 && watchPage.video.currentTime > 7", 30)
    b.js("watchPage.video.muted = true")
    b.keys("k")
    b.until("watchPage.video.ended", 30)
    wait_until(lambda: site.ask("GET", f"assets/{token}/position")[1]["watched"], "what was played to its end is watched")


def a_seek_during_a_switch_finds_its_media(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Switched", all_variants=True)
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until("window.watchPage?.video.readyState > 2", 30)
    b.js("watchPage.video.muted = true, watchPage.engine.choose(watchPage.engine.variants[0].id)")
    for step, (before, after) in enumerate(((11.9, 6.2), (0.5, 9.2), (11.9, 0.5), (11.9, 6.2))):
        b.js(f"watchPage.video.currentTime = {before}")
        b.until(f"!watchPage.video.seeking && watchPage.video.readyState > 1 && watchPage.video.currentTime === {before}")
        b.until("watchPage.video.buffered.end(watchPage.video.buffered.length - 1) > 11.9")
        height = b.js(f"watchPage.engine.choose(watchPage.engine.variants.at({-1 if step % 2 == 0 else 0}).id), watchPage.video.currentTime = {after}, "
                      "Number(watchPage.engine.playing.variant.resolution.split('x')[1])")
        b.until("!watchPage.video.seeking && watchPage.video.readyState > 1", 20)
        # The segment at the playhead may stay in the quality before.
        b.js("watchPage.video.play()")
        b.until(f"watchPage.video.videoHeight === {height}", 20)
        b.js("watchPage.video.pause()")


def it_plays_while_it_downloads(visit):
    b, site = visit.browser, visit.site("--limit-rate", "60000")
    visit.origin.hold_last_segments()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Arriving")
    try:
        open_fresh(visit, f"{site.url}/watch/{token}")
        b.until("window.watchPage?.video.readyState > 2", 40)
        state = site.ask("GET", f"assets/{token}")[1]["state"]
    finally:
        visit.origin.release()
    visit.check(state == "downloading", f"the asset was {state} when its first frame was there")
    # The state under the picture follows the download.
    wait_for(site, token, "complete")
    b.until("document.querySelector('.about .note').hidden")
    b.js("watchPage.video.muted = true")
    b.keys("k")
    b.until("watchPage.video.currentTime > 2", 30)
    b.until("document.querySelectorAll('.stretches span').length > 0")


def a_live_stream_is_recorded_and_played(visit):
    b, site = visit.browser, visit.site()
    visit.origin.began = None
    token = site.add(f"{visit.origin.url}/live/high/index.m3u8", name="On air", live=True, from_start=True)
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until("window.watchPage?.video.readyState > 2", 40)
    b.js("watchPage.video.muted = true")
    b.keys("k")
    b.until("watchPage.video.currentTime > 1.5", 30)
    b.until("!watchPage.timeline.live || !document.querySelector('.live').hidden")
    visit.check(b.js("watchPage.way") == "mse", "a recording is not played by Media Source")
    wait_for(site, token, "complete", 60)
    b.js("watchPage.video.currentTime = 9")
    b.until("watchPage.video.currentTime > 9.5", 30)


def the_page_goes_on_when_the_server_comes_back(visit):
    b, site = visit.browser, visit.site()
    open_fresh(visit, site.url)
    b.until("window.assetStore?.isConnected")
    scripts_are_read(b)
    site.stop()
    b.until("document.querySelector('.connection:not([hidden])')")
    site.start(site.port)
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="After the break")
    b.until("[...document.querySelectorAll('asset-list .name')].some((e) => e.textContent === 'After the break')", 40)
    b.until("document.querySelector('.connection').hidden")
    wait_for(site, token, "complete")
    b.until("document.querySelector('asset-list .item.good')")
    # A connection that is refused is told by browsers themselves.
    b.messages[:] = [(level, text) for level, text in b.messages if "events" not in text and "fetch" not in text.lower()]


def ten_thousand_assets_scroll_as_ten_do(visit):
    b, site = visit.browser, visit.site("--schedule", schedule_of_another_hour(), store=visit.crowd)
    if not visit.crowd:
        type(visit).crowd = site.store
        for start in range(0, 10000, 1000):
            assets = [{"url": f"http://127.0.0.1:9/{n}.m3u8", "name": f"Film {n:05}"} for n in range(start, start + 1000)]
            status, report = site.ask("POST", "assets", {"assets": assets})
            assert status == 201, report
    b.shape(1280, 800)
    open_fresh(visit, site.url)
    b.until("document.querySelectorAll('asset-list .item').length > 8", 30)
    b.until("window.assetStore.assets.size === 10000", 90)
    b.until("document.querySelector('.count').textContent.startsWith('10,000')")
    visit.check(b.js("document.querySelectorAll('asset-list .item').length") < 120, "the whole list is in the document")
    b.js("document.querySelector('asset-list .name').focus()")
    b.keys("End")
    b.until("document.activeElement.textContent === 'Film 00000'")
    b.js("(() => { const s = document.getElementById('search'); s.value = 'Film 0777'; s.dispatchEvent(new Event('input')); return true; })()")
    b.until("document.querySelectorAll('asset-list .item').length === 10")
    longest = b.js("""(async () => {
        let [longest, last] = [0, performance.now()];
        document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input'));
        await new Promise((done) => setTimeout(done, 300));
        for (let step = 0; step < 60; step += 1) {
            scrollTo(0, step * 3000);
            await new Promise(requestAnimationFrame);
            const now = performance.now();
            if (step) longest = Math.max(longest, now - last);
            last = now;
        }
        return longest;
    })()""")
    print(f"          longest frame while scrolling 10,000 assets: {longest:.0f} ms")


def schedule_of_another_hour():
    """A time of day that is not now, so that nothing is downloaded."""
    hour = (time.localtime().tm_hour + 6) % 24
    return f"{hour:02}:00-{hour:02}:01"


def eight_tabs_and_a_token_in_the_path(visit):
    b, site = visit.browser, visit.site("--require-token")
    # Nothing is told to who does not show the token.
    visit.check(site.ask("GET", "assets")[0] == 401, "the API answers who does not show the token")
    base = f"{site.url}/t/{site.token()}/"
    for number in range(8):
        b.tab()
        b.open(base)
        b.until("window.assetStore?.isLoaded", 30)
        visit.check(b.js("(async () => (await fetch('api/v1/assets')).status)()") == 200, f"tab {number + 1} gets no answer")
    b.until("window.assetStore.isConnected")
    visit.check(b.js("[...document.querySelectorAll('a[href], link[href]')].every((e) => e.href.startsWith(location.origin + '/t/') || e.href.startsWith('javascript:'))"), "a link loses the token")


def other_players_get_the_address(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Elsewhere")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/#asset/{token}")
    url = f"{site.url}/assets/{token}/master.m3u8"
    b.until(f"[...document.querySelectorAll('.copy-line code')].some((e) => e.textContent === {json.dumps(url)})")
    b.js("[...document.querySelectorAll('.panel button')].find((e) => e.textContent === 'QR code').click()")
    b.until("document.querySelector('dialog .qr')?.naturalWidth > 0")
    visit.look("the code")
    b.keys("Escape")
    asked = urllib.parse.quote(f"{visit.origin.url}/show/master.m3u8")
    b.open(f"{site.url}/?add={asked}")
    b.until("document.querySelector('dialog.add .note.good')")


ALL = [
    a_first_visit_leads_to_the_first_download_by_keyboard_alone, each_page_holds_what_every_page_must,
    a_failure_says_its_cause_and_offers_what_mends_it, a_download_is_paused_and_resumed_and_its_queue_is_ordered,
    removing_can_be_taken_back, several_are_selected_and_tagged, the_keyboard_stays_on_its_asset, a_search_in_subtitles_leads_to_the_moment,
    the_player_plays_seeks_switches_and_remembers, a_seek_during_a_switch_finds_its_media, it_plays_while_it_downloads, a_live_stream_is_recorded_and_played,
    the_page_goes_on_when_the_server_comes_back,
    other_players_get_the_address, ten_thousand_assets_scroll_as_ten_do, eight_tabs_and_a_token_in_the_path,
]
