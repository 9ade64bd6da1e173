/** What a scripted service does with a request: responds, or breaks the connection. */
export type Step = Response | 'breaks' | ((request: SentRequest) => Response | Promise<Response>)

export type SentRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal
  /** When it was sent, in milliseconds since 1970. */
  readonly atMs: number
}

/** A `fetch` whose requests get these responses, in this order; the last step serves all others. */
export function scriptedFetch(...steps: readonly Step[]) {
  const requests: SentRequest[] = []
  return {
    requests,
    fetch: async (url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> => {
      if (!signal) throw new Error('each request has a signal')
      signal.throwIfAborted()
      const sent = { method, url, headers: Object.fromEntries(new Headers(headers)), body, signal, atMs: Date.now() }
      requests.push(sent)
      const step = steps[Math.min(requests.length, steps.length) - 1]
      if (step === undefined || step === 'breaks') throw new TypeError('fetch failed')
      return step instanceof Response ? step.clone() : step(sent)
    },
  }
}

export const succeeded = (data: object, headers: Record<string, string> = {}): Response =>
  Response.json({ success: true, message: 'Done.', data, now: '2030-01-31T12:00:00.000Z' }, { headers })

export const failed = (
  status: number,
  code: string,
  members: object = {},
  headers: Record<string, string> = {},
): Response =>
  Response.json({ success: false, status, code, message: `It is ${code}.`, ...members }, { status, headers })

/** A request that never gets a response. */
export const hangs = ({ signal }: SentRequest): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
