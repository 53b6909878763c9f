/// The page's style sheet: Okabe and Ito's colours, in light and dark.
let pageStyle = #"""
    :root {
      color-scheme: light;
      --bg: #ffffff; --soft: #f4f6f8; --ink: #1b1f24; --muted: #57606a; --line: #d0d7de;
      --grid: #eceff2; --band: #d9e7f7; --band-edge: #7ba3d6;
      --seen: #00805d; --seen-pale: rgba(0, 158, 115, .30);
      --wasted: #c24e00; --wasted-pale: rgba(213, 94, 0, .22);
      --back: #77808a; --back-pale: rgba(110, 119, 129, .20);
      --blank: #a3326f; --blank-pale: rgba(204, 121, 167, .38);
      --target: #0072b2; --complete: #c99a00; --complete-ink: #7d5c00;
      --frame: #9fc4b4; --late: #d55e00; --queue: #56b4e9; --hover: rgba(27, 31, 36, .55);
    }
    :root[data-theme="dark"] {
      color-scheme: dark;
      --bg: #0e1318; --soft: #171e26; --ink: #e6edf3; --muted: #9aa7b4; --line: #364150;
      --grid: #1c242d; --band: #1b3048; --band-edge: #5688c0;
      --seen: #2cc497; --seen-pale: rgba(44, 196, 151, .30);
      --wasted: #ff8433; --wasted-pale: rgba(255, 132, 51, .25);
      --back: #8f9ba8; --back-pale: rgba(143, 155, 168, .24);
      --blank: #ee8fc4; --blank-pale: rgba(204, 121, 167, .40);
      --target: #56b4e9; --complete: #f0c52c; --complete-ink: #f3d060;
      --frame: #3d6f5d; --late: #ff8433; --queue: #2f7fb3; --hover: rgba(230, 237, 243, .6);
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 0 16px 48px; max-width: 1600px; background: var(--bg);
      color: var(--ink); font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif;
    }
    header { padding-top: 16px; }
    h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
    h2 { font-size: 16px; margin: 24px 0 6px; overflow-wrap: anywhere; }
    small, .settings, .help, .note { color: var(--muted); }
    .settings { margin: 0 0 8px; overflow-wrap: anywhere; }
    .verdict { font-size: 16px; margin: 4px 0; max-width: 80ch; overflow-wrap: anywhere; }
    .bar {
      position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 6px 12px;
      align-items: center; padding: 8px 0; background: var(--bg);
      border-bottom: 1px solid var(--line);
    }
    .group, .pick { display: flex; gap: 4px; align-items: center; }
    .pick { min-width: 0; max-width: 100%; }
    .pick label { min-width: 0; display: flex; gap: 6px; align-items: center; }
    #theme { margin-left: auto; }
    button, select {
      font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line);
      border-radius: 6px; padding: 4px 10px; min-height: 32px; min-width: 32px;
    }
    select { min-width: 0; max-width: 100%; flex: 0 1 auto; text-overflow: ellipsis; }
    button:hover, select:hover { border-color: var(--muted); }
    :focus-visible { outline: 2px solid var(--target); outline-offset: 1px; }
    .legend {
      list-style: none; display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 0; margin: 8px 0;
      font-size: 12.5px; color: var(--muted);
    }
    .legend li { display: flex; align-items: center; gap: 6px; }
    .legend b { color: var(--ink); font-weight: 600; }
    .key { display: inline-block; width: 22px; height: 12px; position: relative; flex: none; }
    .key i { position: absolute; right: 0; top: 0; bottom: 0; width: 8px; }
    .k-band { background: var(--band); border: solid var(--band-edge); border-width: 1px 0; }
    .k-seen { background: var(--seen-pale); } .k-seen i { background: var(--seen); }
    .k-wasted { background: var(--wasted-pale); }
    .k-wasted i, .k-wasted::before {
      background: repeating-linear-gradient(135deg, var(--wasted) 0 2px, transparent 2px 4px);
    }
    .k-wasted i { background-color: var(--wasted); }
    .k-wasted::before { content: ""; position: absolute; inset: 0; opacity: .45; }
    .k-back { background: var(--back-pale); border: 1px dotted var(--back); }
    .k-blank {
      background: radial-gradient(var(--blank) 1.2px, transparent 1.5px) 0 0/5px 5px,
        var(--blank-pale);
    }
    .k-lift { width: 2px; border-left: 2px dashed var(--muted); height: 16px; }
    .k-target { height: 0; border-top: 2px dashed var(--target); }
    .k-complete { width: 2px; background: var(--complete); height: 16px; width: 3px; }
    .k-late { width: 8px; height: 14px; background: var(--late); }
    .k-dropped { width: auto; height: auto; color: var(--late); font-weight: 700; }
    .panel { margin: 12px 0 0; }
    .panel h2 { margin: 0; font-size: 15px; }
    .numbers {
      margin: 0 0 2px; color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums;
    }
    .plot { position: relative; touch-action: pan-y; }
    .plot canvas { display: block; width: 100%; border-radius: 3px; }
    .plot canvas + canvas { position: absolute; inset: 0; pointer-events: none; }
    .plot canvas:first-child { cursor: crosshair; }
    .dragging .plot canvas:first-child { cursor: grabbing; }
    .help { font-size: 12.5px; max-width: 110ch; }
    #tip {
      position: fixed; z-index: 5; max-width: min(430px, calc(100vw - 16px)); padding: 8px 10px;
      pointer-events: none; background: var(--bg); color: var(--ink); font-size: 12.5px;
      border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 3px 14px rgba(0, 0, 0, .22);
    }
    #story { border: 1px solid var(--line); border-radius: 6px; padding: 8px 14px; }
    .story-title { font-weight: 600; margin: 0; overflow-wrap: anywhere; }
    .story-what { margin: 0 0 4px; }
    .story-lines { margin: 0; padding: 0; list-style: none; }
    .story-lines li { display: flex; gap: 8px; overflow-wrap: anywhere; }
    .story-lines time {
      flex: 0 0 9ch; text-align: right; color: var(--muted); font-variant-numeric: tabular-nums;
    }
    .stories { display: grid; gap: 12px 24px; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); }
    .scroller { overflow-x: auto; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
    th, td { padding: 3px 10px; text-align: right; white-space: nowrap; }
    thead th { border-bottom: 1px solid var(--line); vertical-align: bottom; font-weight: 600; }
    thead small { display: block; font-weight: 400; }
    th:first-child {
      text-align: left; font-weight: 400; position: sticky; left: 0; background: var(--bg);
    }
    .part th { font-weight: 600 !important; padding-top: 10px; color: var(--ink); }
    .best { font-weight: 700; }
    dl { display: grid; gap: 8px 24px; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); margin: 0; }
    dt { font-weight: 600; } dd { margin: 0; color: var(--muted); }
    pre {
      background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px;
      white-space: pre-wrap; overflow-wrap: anywhere;
    }
    [hidden] { display: none !important; }
    @media (max-width: 520px) {
      body { padding: 0 10px 32px; }
      .bar { position: static; }
      #theme { margin-left: 0; }
    }
    @media (prefers-reduced-motion: reduce) {
      * { transition: none !important; animation: none !important; scroll-behavior: auto !important; }
    }
    @media print {
      body { padding: 0; max-width: none; font-size: 11px; }
      .bar, .help, #tip { display: none !important; }
      .panel, tr, dl div { break-inside: avoid; }
      .scroller { overflow: visible; } table { font-size: 9px; } th, td { padding: 1px 4px; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """#
