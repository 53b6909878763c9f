/// The page's script, in its parts.
let pageScript =
    "(() => {\n'use strict';\n"
    + [
        scriptData, scriptStory, scriptColours, scriptDrawing, scriptStrips, scriptPanels,
        scriptHands,
    ]
    .joined(separator: "\n") + "\n})();"
