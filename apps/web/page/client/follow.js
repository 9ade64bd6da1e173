import { anyOf, Problem, pause } from './client.js'

/** @typedef {'connecting' | 'live' | 'lost' | 'over'} StreamState `over`: nothing follows. */

/** The server sends at least a comment every 15 seconds. */
export const silenceMs = 45_000
const suspiciousMs = 20_000

/**
 * Follows an event stream, which `EventSource` cannot: it sends no token, and stops at any status but 200. Reconnects from the last position
 * until it is closed, refused or over.
 * @param {import('./client.js').Client} client
 * @param {string} path Such as `api/Auctions/3/Events`.
 * @param {object} options
 * @param {(event: string, data: any) => void} options.onEvent
 * @param {(state: StreamState) => void} [options.onState] Also called with `live` whenever something arrives.
 * @param {(problem: Problem) => void} [options.onRefused] The service refuses the stream for good, for example because the token expired.
 */
export function follow(client, path, { onEvent, onState = () => undefined, onRefused = () => undefined }) {
  const closing = new AbortController()
  let connection = new AbortController()
  let heardAtMs = Date.now()
  /** @type {string | undefined} */
  let position
  let retryMs = 1_000
  let isOver = false

  /** Receives until the connection ends. */
  async function receive() {
    connection = new AbortController()
    heardAtMs = Date.now()
    /** @type {Record<string, string>} */
    const headers = { accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) }
    const response = await client.request(path, { headers, signal: anyOf(closing.signal, connection.signal) })
    isOver = response.status === 204
    if (response.body === null) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      heardAtMs = Date.now()
      onState('live')
      const frames = (rest + part.value).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) handle(frame)
    }
  }

  /** @param {string} frame */
  function handle(frame) {
    const fields = new Map(frame.split('\n').map((line) => /** @type {[string, string]} */ (line.split(/: ?(.*)/s, 2))))
    const event = fields.get('event')
    retryMs = Number(fields.get('retry') ?? retryMs)
    const data = JSON.parse(fields.get('data') ?? 'null')
    if (event !== undefined) onEvent(event, data)
    if (event === 'bye') isOver = data.reason === 'over'
    position = fields.get('id') ?? position
  }

  async function run() {
    while (!closing.signal.aborted) {
      onState('connecting')
      let waitMs = retryMs
      const watchdog = setInterval(() => quietForMs() > silenceMs && connection.abort(), 5_000)
      try {
        await receive()
        if (isOver) return onState('over')
      } catch (error) {
        if (error instanceof Problem && !error.isTemporary) return onRefused(error)
        if (error instanceof Problem && error.status !== 0) waitMs = error.retryAfterMs
      } finally {
        clearInterval(watchdog)
      }
      if (closing.signal.aborted) return
      onState('lost')
      // A new controller, so that `check` can end the pause when the device is online.
      connection = new AbortController()
      await pause(waitMs, anyOf(closing.signal, connection.signal)).catch(() => undefined)
    }
  }

  // The wall clock, because other clocks may stop while the device sleeps.
  const quietForMs = () => Math.abs(Date.now() - heardAtMs)
  void run()

  return {
    close: () => closing.abort(),
    /** Reconnects if nothing has arrived lately, or in any case. Call it when the page is visible or online again. */
    check: (isForced = false) => (isForced || quietForMs() > suspiciousMs) && connection.abort(),
  }
}
