const minuteMs = 60_000

/** Limits a report to one a minute. It receives how many times it was requested since the last one, and the latest value. */
export function onceAMinute<Value = void>(report: (times: number, latest: Value) => void): (value: Value) => void {
  let times = 0
  let quietUntilMs = 0

  return (value) => {
    times += 1
    if (performance.now() < quietUntilMs) return
    report(times, value)
    times = 0
    quietUntilMs = performance.now() + minuteMs
  }
}
