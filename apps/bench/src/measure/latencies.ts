export type Latencies = {
  add(ms: number): void
  /** All of them, the shortest first. */
  sorted(): Float64Array
}

/** Every latency is kept, so that percentiles are exact; the array doubles, so that adding one costs next to nothing. */
export function recordLatencies(): Latencies {
  let values = new Float64Array(1 << 16)
  let count = 0
  return {
    add(ms) {
      if (count === values.length) {
        const larger = new Float64Array(values.length * 2)
        larger.set(values)
        values = larger
      }
      values[count++] = ms
    },
    sorted: () => values.slice(0, count).sort(),
  }
}
