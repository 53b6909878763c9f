/// The page's script, assembled from its parts.
let pageScript =
    "(() => {\n'use strict';\n"
    + [
        scriptData, scriptStory, scriptColours, scriptDrawing, scriptStrips, scriptPanels,
        scriptHands,
    ]
    .joined(separator: "\n") + "\n})();"
