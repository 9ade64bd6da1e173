const quietMs = 60_000

/**
 * Reports what comes in floods by its begin and its end: an episode is over when it has not happened for a minute. What is
 * returned is called each time that it happens.
 */
export function reportEpisodes(onBegin: () => void, onEnd: (times: number) => void): () => void {
  let times = 0
  let untilQuiet: NodeJS.Timeout | undefined

  return () => {
    times += 1
    if (untilQuiet !== undefined) {
      untilQuiet.refresh()
      return
    }
    onBegin()
    untilQuiet = setTimeout(() => {
      onEnd(times)
      times = 0
      untilQuiet = undefined
    }, quietMs).unref()
  }
}
