"""What a person meets when something is wrong or small. Each flow has a browser and servers of its own."""
import subprocess

from flows import open_fresh, scripts_are_read, wait_for

READY = "window.watchPage?.video.readyState > 2"


def encoded(visit, name, source, *options):
    """A folder of the origin with a stream that ffmpeg has made of a source; the first browser makes it."""
    folder = visit.origin.folder / name
    if not folder.exists():
        folder.mkdir()
        kind = "m4s" if "fmp4" in options else "ts"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", source, *options, "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
             "-hls_playlist_type", "vod", "-hls_segment_filename", f"{folder}/%d.{kind}", f"{folder}/index.m3u8"], check=True)
    return folder


def the_player_says_what_is_wrong_and_plays_when_it_is_mended(visit):
    b, site = visit.browser, visit.site()
    visit.origin.missing.update(("/show/high", "/show/low"))
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Mended")
    wait_for(site, token, "failed")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until("document.querySelector('.player-failure')?.textContent.includes('404')")
    visit.look("a player that has nothing to play")
    # It is said once, and no other player is recommended, which could not play it either.
    visit.check(b.js("!document.querySelector('.about ~ details[open]')"), "other players are recommended")
    visit.origin.missing.clear()
    b.js("[...document.querySelectorAll('.player-failure button')].find((e) => e.textContent === 'Try again').click()")
    b.until(READY, 30)
    b.until("!document.querySelector('.player-failure')")


def the_player_waits_for_a_slow_beginning(visit):
    b, site = visit.browser, visit.site()
    visit.origin.busy.update(("/show/high/init.mp4", "/show/low/init.mp4"))
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Slow")
    try:
        open_fresh(visit, f"{site.url}/watch/{token}")
        b.until("document.querySelector('.player-message')?.textContent && watchPage.way !== 'none'", 30)
        visit.check(b.js("watchPage.way") == "mse", f"the player went to {b.js('watchPage.way')}")
    finally:
        visit.origin.busy.clear()
    b.until(READY, 60)
    visit.check(b.js("watchPage.way") == "mse" and b.js("!document.querySelector('.player-failure')"), "the slow film is not played")
    wait_for(site, token, "complete")
    b.until("document.querySelector('.about .note').hidden")
    b.messages[:] = [(level, text) for level, text in b.messages if "503" not in text]


def a_film_that_is_complete_before_the_list_is_read_says_so(visit):
    b, site = visit.browser, visit.site()
    b.prepare("""if (location.hash === '#late') {
        const ask = window.fetch;
        window.fetch = async (...about) => {
            while (String(about[0]).includes('view=summary') && !window.mayList) await new Promise((done) => setTimeout(done, 50));
            return ask(...about);
        };
    }""")
    visit.origin.hold_last_segments()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Late")
    try:
        open_fresh(visit, f"{site.url}/watch/{token}#late")
        b.until("document.querySelector('.about .note:not([hidden])')", 30)
    finally:
        visit.origin.release()
    wait_for(site, token, "complete")
    b.js("window.mayList = true")
    b.until("document.querySelector('.about .note').hidden", 20)


def a_gap_of_the_stream_is_skipped(visit):
    b, site = visit.browser, visit.site()
    # The sound of the segments before the gap ends before the gap begins, as that of most streams does.
    folder = encoded(visit, "gap", "testsrc2=s=160x90:r=25:d=12", "-f", "lavfi", "-i", "sine=440:d=12", "-c:v", "libx264", "-preset", "ultrafast",
                     "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac")
    text = (folder / "index.m3u8").read_text()
    for number in (2, 3):
        text = text.replace(f"\n{number}.ts", f"\n#EXT-X-GAP\n{number}.ts")
        (folder / f"{number}.ts").unlink(missing_ok=True)
    (folder / "master.m3u8").write_text(text.replace("#EXT-X-VERSION:3", "#EXT-X-VERSION:8"))
    token = site.add(f"{visit.origin.url}/gap/master.m3u8", name="Gap")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until(READY, 30)
    b.js("watchPage.video.muted = true, watchPage.video.currentTime = 3, watchPage.video.play()")
    b.until("watchPage.video.currentTime > 8.5", 20)
    b.until("watchPage.video.ended", 20)


def a_codec_that_the_browser_lacks_is_named(visit):
    b, site = visit.browser, visit.site()
    folder = encoded(
        visit, "hevc", "testsrc2=s=160x90:r=25:d=4", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1",
        "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4")
    (folder / "master.m3u8").write_text(
        '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90,CODECS="hvc1.1.6.L30.90"\nindex.m3u8\n')
    token = site.add(f"{visit.origin.url}/hevc/master.m3u8", name="HEVC")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until("window.watchPage?.video.videoWidth > 0 || document.querySelector('.player-failure')", 30)
    if b.js("document.createElement('video').canPlayType('video/mp4; codecs=\"hvc1.1.6.L30.90\"')"):
        return
    visit.check(b.js("document.querySelector('.player-failure')?.textContent.includes('hvc1')"), "the player does not name the codec")


def a_screen_of_320_pixels_shows_everything(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="A film with a long name", all_variants=True, audio="all")
    wait_for(site, token, "complete")
    b.shape(320, 640)
    for page in ("/", "/#downloads", f"/#asset/{token}", "/#settings/log", "/#settings/storage", f"/watch/{token}"):
        open_fresh(visit, site.url + page)
        b.until("document.querySelector('main h1, .view-library asset-list') && window.assetStore?.isLoaded")
        visit.look(f"{page.replace(token, 'TOKEN')} at 320 pixels")
    b.until(READY, 30)
    outside = b.js("""[...document.querySelectorAll('.head a, .head button, .controls button')].filter((e) => e.checkVisibility()).filter((e) => {
        const box = e.getBoundingClientRect(), frame = (e.closest('.player') ?? document.documentElement).getBoundingClientRect();
        return box.left < 0 || box.right > innerWidth || box.top < frame.top - 1;
    }).map((e) => e.getAttribute('aria-label') ?? e.textContent)""")
    visit.check(not outside, f"out of sight: {outside}")
    b.shape(1280, 800)


def icons_are_there_while_the_server_is_not(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Here")
    wait_for(site, token, "complete")
    open_fresh(visit, site.url)
    b.until("window.assetStore?.isConnected && document.querySelector('asset-list .item.good')")
    scripts_are_read(b)
    site.stop()
    b.until("document.querySelector('.connection:not([hidden])')")
    b.js("document.querySelector('asset-list .more').click()")
    b.until("document.querySelector('.menu .icon')")
    drawn = b.js("[...document.querySelectorAll('.menu .icon use')].every((e) => e.getBBox().width > 0)")
    visit.check(drawn, "a menu has no icons")
    b.keys("Escape")
    site.start(site.port)
    b.until("window.assetStore.isConnected", 30)
    b.messages[:] = [(level, text) for level, text in b.messages if "events" not in text and "fetch" not in text.lower()]


def the_focus_goes_along_from_view_to_view(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Here")
    wait_for(site, token, "complete")
    open_fresh(visit, site.url)
    b.until("document.querySelector('asset-list .item.good')")
    popup = b.js("document.querySelector('asset-list .more').getAttribute('aria-haspopup')")
    visit.check(popup == "menu", "nothing says that a button opens a menu")
    b.js("document.querySelector('asset-list .more').focus()")
    b.js("document.activeElement.click()")
    b.until("document.querySelector('.menu button') && document.activeElement.closest('.menu')")
    b.keys("ArrowDown")
    b.js("document.activeElement.click()")
    b.until("document.querySelector('.asset h1') && document.activeElement.id === 'main'")
    b.until("[...document.querySelectorAll('[role=status]')].some((e) => e.textContent === 'Library' || e.textContent === 'Here')")
    b.keys("Tab")
    b.until("document.activeElement.closest('.crumbs')")
    # A link of the head keeps the focus.
    b.js("document.querySelector('[data-view=downloads]').focus()")
    b.js("document.activeElement.click()")
    b.until("document.querySelector('.view-downloads h1') && document.activeElement.dataset.view === 'downloads'")


def sound_as_mp3_plays_by_a_way_that_the_browser_has(visit):
    b, site = visit.browser, visit.site()
    encoded(visit, "mp3", "sine=440:d=12", "-c:a", "libmp3lame")
    token = site.add(f"{visit.origin.url}/mp3/index.m3u8", name="A song")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until(READY, 30)
    b.js("watchPage.video.muted = true")
    b.js("watchPage.video.play()")
    b.until("watchPage.video.currentTime > 1 || document.querySelector('.player-failure')", 30)
    visit.check(b.js("!document.querySelector('.player-failure')"), f"{b.js('watchPage.way')} does not play: {b.js('watchPage.reason ?? null')}")


def a_film_that_is_removed_says_so(visit):
    b, site = visit.browser, visit.site()
    token = site.add(f"{visit.origin.url}/show/master.m3u8", name="Removed")
    wait_for(site, token, "complete")
    open_fresh(visit, f"{site.url}/watch/{token}")
    b.until(READY, 30)
    b.until("window.assetStore.isLoaded")
    site.ask("DELETE", f"assets/{token}")
    b.until("document.querySelector('main .empty')?.textContent.includes('removed')")
    visit.look("a film that was removed")
    b.open(f"{site.url}/watch/{token}")
    b.until("document.querySelector('main .empty a')?.textContent.includes('library')")
    b.messages[:] = [(level, text) for level, text in b.messages if "404" not in text]


ALL = [the_player_waits_for_a_slow_beginning, a_film_that_is_complete_before_the_list_is_read_says_so, a_gap_of_the_stream_is_skipped, a_codec_that_the_browser_lacks_is_named, a_film_that_is_removed_says_so, sound_as_mp3_plays_by_a_way_that_the_browser_has, the_player_says_what_is_wrong_and_plays_when_it_is_mended, a_screen_of_320_pixels_shows_everything, icons_are_there_while_the_server_is_not,
       the_focus_goes_along_from_view_to_view]
