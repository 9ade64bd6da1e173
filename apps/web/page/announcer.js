const betweenMs = 5_000

/**
 * Speaks to screen readers: what the reader has done at once, else the newest text, at most every 5 seconds.
 * @param {(text: string) => void} speakNow
 */
export function createAnnouncer(speakNow) {
  let waiting = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  return (/** @type {string} */ text, isOwn = false) => {
    if (text === '') return
    waiting = text
    if (isOwn || timer === undefined) speak()
  }
  function speak() {
    clearTimeout(timer)
    timer = undefined
    if (waiting === '') return
    speakNow(waiting)
    waiting = ''
    timer = setTimeout(speak, betweenMs)
  }
}
