"""Uses the large view of a gallery's page as people do, in a browser, and checks what it does.

    python3 viewer.py --program gallery --artifacts DIR [--photos DIR]
        [--browser chromium|firefox] [--times] [TRIAL...]

Keys that are pressed and held, addresses, steps back and forward, what is told and focused,
fingers, a list that becomes another one, and a server that begins anew. Exit status 77 without a
browser.
"""

import json
import os
import shutil
import time

from driver import Screen
from page import FOCUS, IS_OPEN, NAME, ROWS, WHOLE, Trial, run

LARGE = "document.getElementById('view-picture').naturalWidth > 400"
IS_SHOWN = f"{LARGE} && !document.getElementById('view-picture').hidden"
WHY = "document.getElementById('view-why').textContent"
SAID = "document.getElementById('view-said').textContent"
REQUESTS = """performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes("/pictures/")).length"""


class ViewerTrial(Trial):
    """What is tried of the large view."""

    names = [
        "keys", "held_key", "addresses", "focus", "fingers", "another_list", "deleted", "restart",
    ]  # fmt: skip

    def open_view(self, screen, row):
        """A page with a picture open, and its name."""
        (key, name), = self.gallery.rows(row, row + 1)
        page = self.open(screen, f"?p={key[:16]}")
        shown = page.wait(f"{IS_OPEN} && {NAME} === {json.dumps(name)} && {IS_SHOWN}", 15)
        self.check(shown, f"the address of picture {row} shows it")
        return page, name

    def is_named(self, page, name, timeout=3):
        return page.wait(f"{IS_OPEN} && {NAME} === {json.dumps(name)}", timeout)

    def names_of(self, first, end):
        return [name for _, name in self.gallery.rows(first, end)]

    # What is tried.

    def keys(self):
        page = self.open_list(Screen(412, 915))
        page.press("ArrowDown")
        page.press("ArrowRight")
        page.press("Enter")
        self.check(page.wait(IS_OPEN, 2), "Enter opens the large view")
        self.check(page.wait(IS_SHOWN, 10), "it shows a large picture")
        page.screenshot(self.artifacts / "large-view.png")
        first = page.evaluate(NAME)
        page.press("ArrowRight")
        self.check(page.wait(f"{NAME} !== {json.dumps(first)}", 2), "right is the next one")
        page.press("ArrowLeft")
        self.check(page.wait(f"{NAME} === {json.dumps(first)}", 2), "left is the one before")
        page.press("ArrowRight")
        page.press("Escape")
        self.check(page.wait(f"!{IS_OPEN}", 2), "Escape closes it")
        self.check(page.wait(f"{FOCUS} === 2", 2), "the keys then act on the row that was shown")
        page.press("Enter")
        other = f"{IS_OPEN} && {NAME} !== {json.dumps(first)}"
        self.check(page.wait(other, 2), "and open that one")
        self.finish(page)

    def held_key(self):
        """A key that is held flies over pictures, of which none is made."""
        page, _ = self.open_view(Screen(1000, 800, is_touch=False), 20)
        time.sleep(1)
        before = page.evaluate(REQUESTS)
        page.hold("ArrowRight", 60)
        names = self.names_of(80, 82)
        shown = f"{NAME} === {json.dumps(names[0])} && {IS_SHOWN}"
        self.check_time(self.seconds_until(page, shown), 0.5, "the last of 60 pictures shows")
        time.sleep(1.5)
        requests = page.evaluate(REQUESTS) - before
        # Where keys come late, some pictures are in view for long enough.
        most = 8 if self.is_timed else 30
        self.check(requests <= most, f"of those flown over few are requested ({requests})")
        self.check(self.gallery.metric("gallery_requests_waiting") == 0, "nothing waits for it")
        page.press("ArrowRight")
        shown = f"{NAME} === {json.dumps(names[1])} && {IS_SHOWN}"
        self.check_time(self.seconds_until(page, shown), 0.15, "the next one was fetched ahead")
        self.finish(page)

    def addresses(self):
        """Back closes it, forward opens it, and it can be shared."""
        page = self.open_list(Screen(412, 915))
        first, second, third = self.names_of(0, 3)
        page.press("ArrowDown")
        page.press("Enter")
        self.check(self.is_named(page, first), "a picture is open")
        asked = f"location.search === '?p={self.gallery.first()}'"
        self.check(page.wait(asked, 2), "it has an address")
        length = page.evaluate("history.length")
        for name in (second, third):
            page.press("ArrowRight")
            self.check(self.is_named(page, name), "to the next one")
        time.sleep(0.5)
        self.check(page.evaluate("history.length") == length, "steps make no history")
        title = page.evaluate("document.title")
        self.check(title.startswith(third), f"its name is the title ({title})")
        page.evaluate("history.back()")
        self.check(page.wait(f"!{IS_OPEN}", 2), "back closes it")
        self.check(page.evaluate("location.search") == "", "and the list has its address")
        self.check(page.wait(f"{FOCUS} === 2", 2), "the focus is on the picture's row")
        page.evaluate("history.forward()")
        self.check(self.is_named(page, third), "forward opens it again")
        page.press("Escape")
        self.check(page.wait(f"!{IS_OPEN} && location.search === ''", 2), "Escape closes it")
        self.check(page.evaluate("history.length") == length, "which is a step back")
        self.finish(page)
        page, name = self.open_view(Screen(412, 915), 300)
        page.press("Escape")
        self.check(page.wait(f"!{IS_OPEN} && location.search === ''", 2), "and is closed")
        self.check(page.wait(f"{FOCUS} === 300", 2), "then the list is at that picture")
        self.check(page.wait(WHOLE, 5), "and whole")
        page.go(f"{self.gallery.address}?p=0123456789abcdef")
        gone = f"{IS_OPEN} && {WHY} === 'It is no longer there.'"
        self.check(page.wait(gone, 10), "the address of no picture says so")
        page.press("ArrowRight")
        self.check(self.is_named(page, first), "and leads to the first")
        self.finish(page, allowed=("404",))

    def focus(self):
        page = self.open_list(Screen(1000, 800, is_touch=False))
        page.press("ArrowDown")
        page.press("Enter")
        said = f"{json.dumps(self.names_of(0, 1)[0])} + ', 1 of {ROWS}'"
        self.check(page.wait(f"{SAID} === {said}", 3), "a picture's name and place are told")
        order = []
        for _ in range(4):
            order.append(page.evaluate("document.activeElement.id"))
            page.press("Tab")
        buttons = ["view-close", "view-back", "view-next", "view-original"]
        self.check(order == buttons, f"the focus goes {order}")
        page.evaluate("document.getElementById('view-next').focus()")
        page.press("Enter")
        said = f"{json.dumps(self.names_of(1, 2)[0])} + ', 2 of {ROWS}'"
        self.check(page.wait(f"{SAID} === {said}", 3), "and those of the next one")
        page.evaluate("document.getElementById('view-back').focus()")
        page.press("Enter")
        page.press("Enter")
        self.check(page.wait(f"{SAID}.endsWith(', 1 of {ROWS}')", 3), "the first is the last")
        time.sleep(0.2)
        focus = page.evaluate("document.activeElement.id")
        self.check(focus == "view-back", "a button that does nothing keeps the focus")
        link = page.evaluate("document.getElementById('view-original').href")
        self.check("/originals/" in link, "its file can be downloaded")
        page.press("Escape")
        self.check(page.wait(f"{FOCUS} === 0", 2), "the focus returns to the row")
        self.finish(page)

    def fingers(self):
        page, name = self.open_view(Screen(412, 915), 9)
        before, _, after = self.names_of(8, 11)
        page.swipe(1)
        self.check(self.is_named(page, after), "a swipe to the left shows the next one")
        page.swipe(-1)
        self.check(self.is_named(page, name), "and one to the right the one before")
        self.check(page.wait(IS_SHOWN, 5), "which is whole")
        width = "document.getElementById('view-picture').offsetWidth"
        stage = "document.getElementById('view-stage')"
        page.tap(300, 400)
        page.tap(300, 400)
        self.check(page.wait(f"{width} > 1000", 1), "a double tap enlarges it")
        place = page.evaluate(f"[{stage}.scrollLeft, {stage}.scrollTop]")
        self.check(abs(place[0] - 450) < 2, f"around that point ({place})")
        page.screenshot(self.artifacts / "zoomed.png")
        page.swipe(1)
        self.check(page.wait(f"{stage}.scrollLeft > 480", 1), "a finger then moves it")
        time.sleep(0.3)
        self.check(self.is_named(page, name), "and doesn't turn to another")
        page.tap(200, 300)
        page.tap(200, 300)
        self.check(page.wait(f"{width} < 420", 1), "another double tap shows it whole")
        page.pinch(2)
        self.check(page.wait("visualViewport.scale > 1.5", 2), "two fingers enlarge it")
        page.swipe(1)
        time.sleep(0.3)
        self.check(self.is_named(page, name), "and no swipe turns to another")
        page.pinch(0.3)
        self.check(page.wait("visualViewport.scale < 1.05", 2), "or make it small again")
        page.swipe(1)
        self.check(self.is_named(page, after), "then a swipe does")
        self.finish(page)

    def another_list(self):
        """So many files come that a page is told to fetch the list anew."""
        page, name = self.open_view(Screen(412, 915), 300)
        photos = self.gallery.photos
        picture = next(sorted(photos.glob("2*"))[0].iterdir())
        new = photos / "1000 new"
        new.mkdir()
        for number in range(5000):
            os.link(picture, new / f"{number}{picture.suffix}")
        place = "document.getElementById('view-facts').textContent"
        moved = page.wait(f"{place}.startsWith('5,301 of {ROWS + 5000:,}')", 40)
        self.check(moved, f"5,000 pictures come before it ({page.evaluate(place)})")
        self.check(self.is_named(page, name), "the large view stays on its picture")
        self.check(page.wait(IS_SHOWN, 5), "and shows it")
        page.press("Escape")
        self.check(page.wait(f"{FOCUS} === 5300", 3), "the list is where the picture is")
        self.check(page.wait(WHOLE, 5), "and whole")
        top = page.evaluate("scrollY")
        shutil.rmtree(new)
        gone = f"document.getElementById('status').textContent.startsWith('{ROWS} ')"
        self.check(page.wait(gone, 40), "they go again")
        back = f"{FOCUS} === 300 && scrollY < {top - 100_000}"
        is_back = page.wait(back, 5)
        now = page.evaluate(f"[{FOCUS}, scrollY]")
        self.check(is_back, f"and the list is still at that picture {now}")
        self.check(page.wait(WHOLE, 5), "and whole")
        self.finish(page)

    def deleted(self):
        page, name = self.open_view(Screen(412, 915), 30)
        before, _, after = self.names_of(29, 32)
        file = next(self.gallery.photos.glob(f"*/{name}"))
        moved = file.with_name(f".{name}")
        file.rename(moved)
        self.check(page.wait(f"{WHY} === 'It is no longer there.'", 5), "what is gone is told so")
        page.screenshot(self.artifacts / "gone.png")
        page.press("ArrowRight")
        self.check(self.is_named(page, after), "the next one is the one after it")
        page.press("ArrowLeft")
        self.check(self.is_named(page, before), "and before that is the one before it")
        page.press("ArrowRight")
        self.is_named(page, after)
        moved.rename(file)
        page.wait(f"document.getElementById('status').textContent.startsWith('{ROWS} ')", 5)
        page.press("ArrowLeft")
        self.check(self.is_named(page, name), "what is there again is shown again")
        file.rename(moved)
        page.wait(f"{WHY} === 'It is no longer there.'", 5)
        moved.rename(file)
        self.check(page.wait(f"{WHY} === '' && {IS_SHOWN}", 5), "also without a step")
        self.finish(page, allowed=("404",))

    def restart(self):
        page, name = self.open_view(Screen(412, 915), 300)
        self.gallery.kill()
        offline = "document.getElementById('offline').hidden"
        self.check(page.wait(f"!{offline}", 5), "a server is gone")
        self.check(self.is_named(page, name), "the large view stays")
        self.gallery.start()
        self.gallery.wait(ROWS)
        self.check(page.wait(offline, 20), "it comes back")
        time.sleep(2)
        self.check(self.is_named(page, name), "the large view is still on its picture")
        self.check(page.wait(f"{WHY} === '' && {IS_SHOWN}", 3), "and shows it")
        following = self.names_of(301, 302)[0]
        page.press("ArrowRight")
        self.check(self.is_named(page, following) and page.wait(IS_SHOWN, 5), "and the next one")
        page.press("Escape")
        self.check(page.wait(f"{FOCUS} === 301", 3), "the list is where the picture is")
        self.check(page.wait(WHOLE, 5), "and whole")
        self.finish(page, allowed=("ERR_", "Failed to load resource"))


if __name__ == "__main__":
    run(ViewerTrial, __doc__)
