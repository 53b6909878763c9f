// What every contender is given to do, how it is measured, and the lines that say what came out.
//
// A contender's program is called as
//
//     bench-X [MODE] WORKLOAD
//
// and prints lines of five columns, separated by tabs:
//
//     workload  contender  variant  unit  value
//
// A C program fills in a `struct contender` and calls `run_workload`. A Swift program uses the
// module Workloads, which wraps the rest of this.

#ifndef CWORKLOADS_H
#define CWORKLOADS_H

#include "report.h"
#include "clock.h"

#include "tiny_jobs.h"    // M1
#include "foreground.h"   // M2
#include "chain.h"        // M3
#include "timers.h"       // M4
#include "submissions.h"  // M5
#include "quiet.h"        // M6
#include "frames.h"       // M7

#include "contender.h"

#endif
