const minuteMs = 60_000

/** Limits a report to one a minute. It receives how many times it was requested since the last one. */
export function onceAMinute(report: (times: number) => void): () => void {
  let times = 0
  let quietUntilMs = 0

  return () => {
    times += 1
    if (performance.now() < quietUntilMs) return
    report(times)
    times = 0
    quietUntilMs = performance.now() + minuteMs
  }
}
