/** Calls `onEvent` with each event of a stream until it is over. Reconnects from the last position when the connection breaks. */
export async function followAuction(url, token, onEvent, lastPosition) {
  let position = lastPosition
  for (let waitMs = 1_000; ; await new Promise((resolve) => setTimeout(resolve, waitMs))) {
    const ending = new AbortController()
    // The server sends something every 15 seconds.
    let silence = setTimeout(() => ending.abort(), 45_000)
    try {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
      if (position !== undefined) headers['last-event-id'] = String(position)
      // The signal of a `Request` does nothing in Node.js once the `Request` is collected as garbage.
      const response = await unlessBroken(fetch(new Request(url, { headers }), { signal: ending.signal }))
      if (response === undefined) continue
      if (response.status === 204) return
      if (response.status < 500 && ![200, 429].includes(response.status)) throw new Error(await response.text())
      if (response.status !== 200) {
        waitMs = 1000 * (Number(response.headers.get('retry-after')) || 5)
        continue
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      const next = () => unlessBroken(reader.read())
      let rest = ''
      for (let part = await next(); part && !part.done; part = await next()) {
        clearTimeout(silence)
        silence = setTimeout(() => ending.abort(), 45_000)
        const frames = (rest + part.value).split('\n\n')
        rest = frames.pop()
        for (const frame of frames) {
          const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: ?(.*)/s)))
          if (fields.retry) waitMs = Number(fields.retry)
          if (!fields.event) continue
          const data = JSON.parse(fields.data)
          onEvent(fields.event, data)
          if (fields.id) position = Number(fields.id)
          if (fields.event === 'bye' && data.reason === 'over') return
        }
      }
    } finally {
      clearTimeout(silence)
      ending.abort()
    }
  }
}

/** Undefined if the connection breaks, for which `fetch` and its reader throw these errors. */
const unlessBroken = (promise) =>
  promise.catch((error) => {
    if (!(error instanceof TypeError) && error.name !== 'AbortError') throw error
  })
