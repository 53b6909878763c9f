// Declarations for the names that examples of adapters to other packages use, compiled with them and
// Context.swift.

import CoreMetrics
import Logging
import LoopLifecycle
import LoopLogging
import LoopMetrics
import ServiceLifecycle

var logger: Logger { given() }

enum LoopMetricsExamples {
    static var factory: any MetricsFactory { given() }
}
