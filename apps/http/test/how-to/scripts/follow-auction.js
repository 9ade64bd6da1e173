/** Calls `onEvent` with each event of an auction until it is over. Reconnects from the last position when the connection breaks. */
export async function followAuction(url, token, onEvent, lastPosition) {
  let position = lastPosition
  for (let waitMs = 1_000; ; await new Promise((resolve) => setTimeout(resolve, waitMs))) {
    const ending = new AbortController()
    // The server sends something every 15 seconds.
    let silence = setTimeout(() => ending.abort(), 45_000)
    try {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
      if (position !== undefined) headers['last-event-id'] = String(position)
      const response = await fetch(url, { headers, signal: ending.signal })
      if (response.status === 204) return
      if (response.status < 500 && ![200, 429].includes(response.status)) throw new Error(await response.text())
      if (response.status !== 200) {
        waitMs = 1000 * (Number(response.headers.get('retry-after')) || 5)
        continue
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(() => ending.abort(), 45_000)
        const frames = (rest + part.value).split('\n\n')
        rest = frames.pop()
        for (const frame of frames) {
          const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: ?(.*)/s)))
          if (fields.retry) waitMs = Number(fields.retry)
          if (fields.event) onEvent(fields.event, JSON.parse(fields.data))
          if (fields.id) position = Number(fields.id)
        }
      }
    } catch (error) {
      // `fetch` and the reader throw these when the connection breaks; others are of `onEvent` or of this request.
      if (!(error instanceof TypeError) && error.name !== 'AbortError') throw error
    } finally {
      clearTimeout(silence)
    }
  }
}
