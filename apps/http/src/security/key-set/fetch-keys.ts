import { parseKeySet, type VerificationKey } from './verification-keys.ts'

const timeoutMs = 5_000
const maxBytes = 1024 * 1024

/**
 * Fetches a key set, within bounds of time and size, and from this very address: a redirect is refused.
 * @param closing ends it early
 * @throws KeySetError
 */
export async function fetchKeys(url: URL, closing: AbortSignal): Promise<readonly VerificationKey[]> {
  const ending = new AbortController()
  const tooLate = new KeySetError(`it has not answered within ${timeoutMs / 1000} s`)
  const timer = setTimeout(() => ending.abort(tooLate), timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([ending.signal, closing]),
    })
    if (response.status !== 200) throw new KeySetError(`it answers with status ${response.status}`)
    return parsed(await boundedText(response))
  } catch (error) {
    throw error instanceof KeySetError ? error : new KeySetError(`the connection fails (${codeOf(error)})`)
  } finally {
    clearTimeout(timer)
    // What was not read of the answer is not wanted.
    ending.abort()
  }
}

/** A key set that can't be had. Its message, for the log, repeats neither the address nor what was answered. */
class KeySetError extends Error {
  override readonly name = 'KeySetError'
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new KeySetError(`its answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): readonly VerificationKey[] {
  try {
    return parseKeySet(text)
  } catch {
    throw new KeySetError('its answer is no JWK set')
  }
}

/** What the system or the HTTP client calls a failure. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause ? String(cause.code) : cause.name
}
