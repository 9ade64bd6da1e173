const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Makes a fetch that sends a request again, up to five times in all, where that may help and can do no harm. */
export function createPatientFetch(wait: (ms: number) => Promise<void> = pause) {
  return async (request: Request): Promise<Response> => {
    // Whatever became of it, sent again it is done once.
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key')
    for (let tries = 1; ; tries++) {
      const response = await answerTo(request.clone(), isRepeatable && tries < 5)
      const mayHelp = response === undefined || response.status === 429 || (response.status === 503 && isRepeatable)
      if (response !== undefined && (!mayHelp || tries === 5)) return response
      // Later each time, and not all clients at once.
      const seconds = Number(response?.headers.get('retry-after') ?? 0) + tries * Math.random()
      await response?.body?.cancel()
      await wait(seconds * 1000)
    }
  }
}

/** The answer, or undefined where the connection broke and the request is to be sent again. */
async function answerTo(request: Request, isSentAgain: boolean): Promise<Response | undefined> {
  try {
    return await fetch(request)
  } catch (error) {
    if (!isSentAgain) throw error
    return undefined
  }
}
