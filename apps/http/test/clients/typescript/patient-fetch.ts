const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Creates a fetch that sends a request up to five times, if a retry may help and has no second effect. */
export function createPatientFetch(wait: (ms: number) => Promise<void> = pause) {
  return async (request: Request): Promise<Response> => {
    // A retry of such a request takes effect once.
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key')
    for (let tries = 1; ; tries++) {
      const response = await answerTo(request.clone(), isRepeatable && tries < 5)
      const mayHelp = response === undefined || response.status === 429 || (response.status === 503 && isRepeatable)
      if (response !== undefined && (!mayHelp || tries === 5)) return response
      // The wait grows, and differs between clients.
      const seconds = Number(response?.headers.get('retry-after') ?? 0) + tries * Math.random()
      await response?.body?.cancel()
      await wait(seconds * 1000)
    }
  }
}

/** The response, or undefined if the connection broke and the request can be sent again. */
async function answerTo(request: Request, isSentAgain: boolean): Promise<Response | undefined> {
  try {
    return await fetch(request)
  } catch (error) {
    if (!isSentAgain) throw error
    return undefined
  }
}
