import ScrollModel

let rows = Viewport(rows: try RowHeights(count: 5000, height: 80), height: 400)
print(rows.visibleRows)
