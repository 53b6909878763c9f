/// The page's Mustache template; every value is escaped before it is inserted.
let pageTemplate = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy"
     content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <meta name="color-scheme" content="light dark">
    <title>{{{title}}}</title>
    <style>
    {{{style}}}
    </style>
    </head>
    <body>
    <header>
    <h1>{{{title}}}</h1>
    {{#hasVerdict}}<p class="verdict">{{{verdict}}}</p>{{/hasVerdict}}
    <p class="settings">{{{settings}}}</p>
    </header>
    <nav class="bar" aria-label="What is shown">
    {{#isSeveral}}
    <span class="pick"><button type="button" id="previous" aria-label="Previous trace">‹</button>
    <label>Trace <select id="trace">
    {{#traces}}<option value="{{{index}}}">{{{name}}}</option>
    {{/traces}}
    </select></label><button type="button" id="next" aria-label="Next trace">›</button></span>
    {{/isSeveral}}
    <span class="group" role="group" aria-label="Zoom">
    <button type="button" id="out" aria-label="Zoom out">−</button>
    <button type="button" id="in" aria-label="Zoom in">+</button>
    <button type="button" id="reset">Reset</button>
    <button type="button" id="all">Everything</button>
    </span>
    <button type="button" id="theme" aria-pressed="false">Dark</button>
    </nav>
    <ul class="legend" aria-label="Legend">
    <li><span class="key k-band"></span>on screen</li>
    <li><span class="key k-seen"><i></i></span><span>asked → <b>work</b>, then seen</span></li>
    <li><span class="key k-wasted"><i></i></span><span>asked → <b>work</b>, never seen: wasted</span></li>
    <li><span class="key k-back"></span>asked, then taken back</li>
    <li><span class="key k-blank"></span>on screen, not loaded: blank</li>
    <li><span class="key k-lift"></span>finger up</li>
    <li><span class="key k-target"></span>predicted landing</li>
    <li><span class="key k-complete"></span>landing complete</li>
    <li><span class="key k-late"></span>late frame</li>
    <li><span class="key k-dropped">×</span>dropped frame</li>
    <li id="key-failed" hidden><span class="key k-dropped">✕</span>after a load: it failed</li>
    </ul>
    <noscript><p class="verdict">The pictures are drawn by a script; the figures below are not.</p>
    </noscript>
    <main>
    <div id="panels"></div>
    <p class="help" id="help">Point at a row for its story; click to keep it below and to let the
    wheel zoom (Shift: time only, Alt: rows only; Ctrl zooms unclicked). Drag moves, a double click
    resets. Keys: ← → ↑ ↓ move, + − zoom, J K the next and previous row, N P the next and previous
    load, 0 resets. All panels keep in step.</p>
    <section id="story" aria-live="polite" aria-label="Story of the chosen row" hidden></section>
    <section class="figures" aria-labelledby="figures-title">
    <h2 id="figures-title">Figures</h2>
    <div class="scroller" tabindex="0" role="region" aria-labelledby="figures-title">
    <table>
    <thead><tr><th scope="col">way</th>
    {{#columns}}<th scope="col" title="{{{meaning}}}">{{{name}}}<small>{{{unit}}}</small></th>
    {{/columns}}</tr></thead>
    {{#parts}}
    <tbody><tr class="part"><th colspan="{{{columnCount}}}" scope="rowgroup">{{{name}}}</th></tr>
    {{#rows}}<tr><th scope="row">{{{name}}}</th>{{#cells}}<td{{#best}} class="best"{{/best}}>{{{text}}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody>
    {{/parts}}
    </table>
    </div>
    <p class="note">The best of each column is bold where they differ.</p>
    </section>
    <section aria-labelledby="meaning-title">
    <h2 id="meaning-title">What the figures mean</h2>
    <dl>
    {{#columns}}<div><dt>{{{name}}} <small>{{{unit}}}</small></dt><dd>{{{meaning}}}</dd></div>
    {{/columns}}
    <div><dt>landing complete <small>ms</small></dt><dd>From what set the list in motion (a finger
    lifted, a wheel, a key) until every row of the viewport in which it then rested was
    loaded.</dd></div>
    </dl>
    </section>
    <section aria-labelledby="repeat-title">
    <h2 id="repeat-title">To make it again</h2>
    {{#hasCommand}}<pre><code>{{{command}}}</code></pre>{{/hasCommand}}
    <p>{{#hasVersion}}{{{version}}}; {{/hasVersion}}{{{settings}}}.
    On virtual time the same traces, options and seed give the same bytes on any machine.</p>
    </section>
    </main>
    <div id="tip" role="tooltip" hidden></div>
    <script type="application/json" id="data">{{{data}}}</script>
    <script>
    {{{script}}}
    </script>
    </body>
    </html>

    """#
