#!/usr/bin/env python3
"""Uses the pages as people do, in Chromium and in Firefox: by keyboard and mouse, with axe-core, with many assets, with the
server restarted under them.

  pages.py [--program PATH] [--browser chromium|firefox] [--only NAME]

Prints a line for each check that failed, and ends with status 1 when there was one.
"""
import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import changes
import flows
import troubles
import viewing
from browsers import Chromium, Failed, Firefox
from served import Origin, Site, axe, make_stream

ROOT = Path(__file__).resolve().parent.parent.parent


# The elements that reach over the edge of the window, if that makes the page wider.
WIDE = """document.scrollingElement.scrollWidth <= innerWidth + 1 ? "" :
    [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => `${e.tagName}.${e.className} "${e.textContent.slice(0, 40)}"`).slice(-4).join("; ") || "no element" """


class Visit:
    """A browser with what it looks at, and what was found wrong."""

    # A store with 10,000 assets, once there is one.
    crowd = None

    def __init__(self, browser, program, origin, rules):
        self.browser, self.program, self.origin, self.rules = browser, program, origin, rules
        self.faults, self.where, self.sites = [], "", []

    def site(self, *options, **more):
        site = Site(self.program, *options, **more)
        self.sites.append(site)
        return site

    def check(self, is_so, what):
        if not is_so:
            self.faults.append(f"{self.browser.name}: {self.where}: {what}")
            print(self.faults[-1], file=sys.stderr, flush=True)

    def look(self, what, apart=()):
        """What must hold of every page: axe finds nothing but by some rules, nothing is wider than the page, nobody complained."""
        for text in self.browser.complaints():
            self.check(False, f"{what}: {text}")
        wide = self.browser.js(WIDE)
        self.check(not wide, f"{what}: wider than the window: {wide}")
        if not self.rules:
            return self.name_check(what)
        found = self.browser.js(f"""(async () => {{
            if (!window.axe) {{ {self.rules}; }}
            const report = await axe.run(document, {{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }});
            return report.violations.filter((v) => !{json.dumps(list(apart))}.includes(v.id)).map((v) => `${{v.id}}: ${{v.nodes.slice(0, 3).map((n) => n.html.slice(0, 140)).join(' | ')}}`);
        }})()""")
        for text in found:
            self.check(False, f"{what}: axe: {text}")
        return None

    def name_check(self, what):
        """Without axe-core: controls have names, pictures have texts."""
        found = self.browser.js("""[...document.querySelectorAll('button, a[href], input, select, textarea')].filter((e) =>
            !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.getAttribute('aria-hidden'))).map((e) => e.outerHTML.slice(0, 140))""")
        self.check(not found, f"{what}: without a name: {found}")

    def run(self, flow):
        self.where = flow.__name__.replace("_", " ")
        began = time.monotonic()
        try:
            flow(self)
            for text in self.browser.complaints():
                self.check(False, text)
            # A page that stays would complain when its server ends.
            self.browser.leave()
        except (Failed, AssertionError, OSError) as error:
            self.check(False, f"{type(error).__name__} {error}")
        finally:
            for site in self.sites:
                site.stop()
            self.sites.clear()
        print(f"{self.browser.name:9} {time.monotonic() - began:5.1f} s  {self.where}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/debug/offline-server"))
    parser.add_argument("--browser", choices=["chromium", "firefox"])
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wanted = options.only.replace(" ", "_")
    tried = [flow for flow in flows.ALL + viewing.ALL + changes.ALL + troubles.ALL if wanted in flow.__name__]
    if not tried:
        parser.error(f"no flow has {options.only!r} in its name")
    kinds = [kind for kind in (Chromium, Firefox) if options.browser in (None, kind.name.lower())]
    missing = [kind.name for kind in kinds if not kind.program()]
    if missing:
        print(f"not tried, because it is missing: {', '.join(missing)}", file=sys.stderr)
        if os.environ.get("CI"):
            sys.exit(1)
    rules = axe()
    if not rules:
        print("axe-core could not be had from PyPI: names of controls are checked alone", file=sys.stderr)
    folder = Path(tempfile.mkdtemp(prefix="pages-origin-"))
    make_stream(folder / "show")
    origin = Origin(folder)
    faults = []
    for kind in kinds:
        if not kind.program():
            continue
        visit = Visit(kind(), options.program, origin, rules)
        try:
            for flow in tried:
                visit.run(flow)
        finally:
            visit.browser.close()
        faults += visit.faults
    origin.close()
    print("\n".join([f"{len(faults)} faults", *faults]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
