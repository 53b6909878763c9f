public import CLull
internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel
internal import LullCalls

/// Returns the number of rows; see lull.h.
@c @implementation
public func lull_list_count(_ list: OpaquePointer!) -> Int64 {
    unsafe ask(list) {
        Int64($0.viewport.list.rowCount)
    } refused: {
        Int64($0)
    }
}

/// Returns the list's offset; see lull.h.
@c @implementation
public func lull_list_offset(_ list: OpaquePointer!) -> Double {
    unsafe ask(list) {
        $0.viewport.offset
    } refused: {
        Double($0)
    }
}

/// Returns the price of work; see lull.h.
@c @implementation
public func lull_list_price(_ list: OpaquePointer!) -> Double {
    unsafe ask(list) {
        $0.loader.price.secondsInView
    } refused: {
        Double($0)
    }
}

/// Returns the number of rows in view, and the first of them; see lull.h.
@c @implementation
public func lull_list_visible(
    _ list: OpaquePointer!, _ first: UnsafeMutablePointer<Int64>!
) -> Int64 {
    unsafe ask(list) { list in
        let rows = list.viewport.visibleRows
        unsafe first?.pointee = Int64(rows.lowerBound)
        return Int64(rows.count)
    } refused: {
        Int64($0)
    }
}

/// Gets the top and the height of a row; see lull.h.
@c @implementation
public func lull_list_extent(
    _ list: OpaquePointer!, _ row: Int64, _ top: UnsafeMutablePointer<Double>!,
    _ height: UnsafeMutablePointer<Double>!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CList.named(list)
        let extent = object.list.viewport.list.extent(ofRowAt: try object.row(row))
        unsafe top?.pointee = extent.offset
        unsafe height?.pointee = extent.height
        return LULL_OK
    }
}

/// Gets the rectangle of a row that flows in lines; see lull.h.
@c @implementation
public func lull_list_get_frame(
    _ list: OpaquePointer!, _ row: Int64, _ frame: UnsafeMutablePointer<lull_frame>!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CList.named(list)
        let number = try object.row(row)
        let frame = try unsafe given(frame, "frame")
        let layout = object.list.viewport.list
        guard layout.flow != nil else { return LULL_ABSENT }
        let found = layout.frame(ofRowAt: number)
        unsafe frame.pointee = lull_frame(
            x: found.x, y: found.y, width: found.width, height: found.height)
        return LULL_OK
    }
}

/// Gets the landing position of a fling; see lull.h.
@c @implementation
public func lull_list_landing(
    _ list: OpaquePointer!, _ offset: UnsafeMutablePointer<Double>!
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CList.named(list)
        let offset = try unsafe given(offset, "offset")
        guard let forecast = object.list.forecast else { return LULL_ABSENT }
        unsafe offset.pointee = forecast.target
        return LULL_OK
    }
}

/// Gets the content of a row; see lull.h.
@c @implementation
public func lull_list_get_row(
    _ list: OpaquePointer!, _ row: Int64, _ shown: UnsafeMutablePointer<lull_row>!, _ size: Int
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CList.named(list)
        let number = try object.row(row)
        let shown = try unsafe given(shown, "shown")
        var known = unsafe lull_row(number, object.list.state(ofRow: number))
        unsafe fill(shown, size, with: &known)
        return LULL_OK
    }
}

/// Explains why a row is wanted or isn't; see lull.h.
@c @implementation
public func lull_list_explain(
    _ list: OpaquePointer!, _ row: Int64, _ text: UnsafeMutablePointer<CChar>!, _ size: Int
) -> Int64 {
    do throws(StatusError) {
        let object = unsafe try CList.named(list)
        let words = (object.list.explanation(ofRow: try object.row(row)) ?? "").utf8
        if let text = unsafe text, size > 0 {
            let room = unsafe UnsafeMutableBufferPointer(start: text, count: size)
            let end = unsafe room.update(fromContentsOf: words.prefix(size - 1).map(CChar.init))
            unsafe room[end] = 0
        }
        return Int64(words.count)
    } catch {
        return Int64(error.report(by: #function).rawValue)
    }
}

/// Fills a struct with a list's counts; see lull.h.
@c @implementation
public func lull_list_get_statistics(
    _ list: OpaquePointer!, _ statistics: UnsafeMutablePointer<lull_list_statistics>!,
    _ size: Int
) -> lull_status {
    status { () throws(StatusError) in
        let object = unsafe try CList.named(list)
        let statistics = try unsafe given(statistics, "statistics")
        var counts = lull_list_statistics(object.list)
        unsafe fill(statistics, size, with: &counts)
        return LULL_OK
    }
}

extension lull_list_statistics {
    fileprivate init(_ list: DeferredList<UInt64, CValue>) {
        self.init()
        entered = UInt64(list.statistics.entered)
        ready = UInt64(list.statistics.ready)
        loaded = UInt64(list.statistics.loaded)
        failed = UInt64(list.statistics.failed)
        kept = UInt64(list.loader.count)
        bytes = UInt64(list.loader.byteCount)
    }
}

/// Returns what `question` says of the list that a handle names, or the status of a refused call.
private func ask<Answer>(
    _ handle: OpaquePointer?, for function: StaticString = #function,
    _ question: (DeferredList<UInt64, CValue>) -> Answer,
    refused: (Int32) -> Answer
) -> Answer {
    do {
        return question(unsafe try CList.named(handle).list)
    } catch {
        return refused(error.report(by: function).rawValue)
    }
}
