import { unlessDue, unlessSilent } from './time.ts'

/** An event of a stream (HTML, section 9.2, server-sent events). A comment has no fields. */
type Frame = { readonly event?: string; readonly id?: string; readonly data?: string; readonly retry?: string }

/** The service sends at least a comment every 15 seconds. */
export const silenceMs = 45_000
/** The service sends frames of some kilobytes. */
const maxFrameCharacters = 1_000_000

/**
 * The frames of a stream, and `undefined` whenever `dueMs` has passed before the next one. They end when the connection does. `close` closes
 * it when nothing arrives.
 */
export async function* framesOf(
  body: NonNullable<Response['body']>,
  close: () => void,
  dueMs: () => number,
): AsyncGenerator<Frame | undefined, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  // A broken connection is an end, too.
  const read = () => unlessSilent(reader.read(), silenceMs, close).catch(() => undefined)
  let pending = read()
  for (let rest = ''; rest.length <= maxFrameCharacters; ) {
    const arrived = await unlessDue(pending, dueMs())
    if (arrived === undefined) {
      yield undefined
      continue
    }
    const text = arrived.value?.value
    if (text === undefined) return
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)))
    pending = read()
  }
  // A frame without an end is a damaged one.
  yield { event: 'endless' }
}
