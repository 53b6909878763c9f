/// The style sheet of a drawing: the page's colours, by the viewer's preference.
let drawingStyle = #"""
    svg { background: #fff; font: 11px system-ui, "DejaVu Sans", sans-serif }
    text { fill: #57606a } .title { fill: #1b1f24; font-size: 15px; font-weight: 600 }
    .sum { font-size: 12.5px } .end { text-anchor: end } .mid { text-anchor: middle }
    .plain { fill: none; stroke: #d0d7de } .grid { stroke: #d0d7de; stroke-width: .5 }
    .band { fill: #d9e7f7; stroke: #7ba3d6 } .blank { fill: url(#dots) }
    .seen { fill: #00805d } .seen-wait { fill: #009e73; fill-opacity: .3 }
    .wasted { fill: #c24e00 } .wasted-wait { fill: #d55e00; fill-opacity: .22 }
    .hatch { fill: url(#hatch); fill-opacity: .6 } #hatch path { stroke: #c24e00 }
    .back { fill: #77808a } .back-wait { fill: #6e7781; fill-opacity: .2 }
    .fetch { stroke-opacity: .55; stroke: #57606a } .cross { stroke: #1b1f24; stroke-width: 1.5 }
    .lift { stroke: #57606a; stroke-dasharray: 3 3 }
    .target { stroke: #0072b2; stroke-width: 1.5; stroke-dasharray: 6 4 }
    .complete { stroke: #c99a00; stroke-width: 2 } .never { stroke: #c24e00; stroke-dasharray: 2 3 }
    .complete-label { fill: #7d5c00; stroke: #fff; stroke-width: 3px; paint-order: stroke }
    .frame { fill: #9fc4b4 } .late { fill: #d55e00 } .dropped { stroke: #d55e00 }
    .queue { fill: #56b4e9 } .input { fill: #57606a } #dots rect { fill: #cc79a7; fill-opacity: .38 }
    #dots circle { fill: #a3326f }
    @media (prefers-color-scheme: dark) {
      svg { background: #0e1318 } text { fill: #9aa7b4 } .title { fill: #e6edf3 }
      .plain, .grid { stroke: #364150 } .band { fill: #1b3048; stroke: #5688c0 }
      .seen { fill: #2cc497 } .seen-wait { fill: #2cc497 }
      .wasted { fill: #ff8433 } .wasted-wait { fill: #ff8433 } #hatch path { stroke: #ff8433 }
      .back { fill: #8f9ba8 } .back-wait { fill: #8f9ba8 } .fetch { stroke: #9aa7b4 }
      .cross { stroke: #e6edf3 } .lift { stroke: #9aa7b4 } .target { stroke: #56b4e9 }
      .complete { stroke: #f0c52c } .complete-label { fill: #f3d060; stroke: #0e1318 }
      .frame { fill: #3d6f5d } .late { fill: #ff8433 } .dropped { stroke: #ff8433 }
      .queue { fill: #2f7fb3 } .input { fill: #9aa7b4 } #dots circle { fill: #ee8fc4 }
    }
    """#
