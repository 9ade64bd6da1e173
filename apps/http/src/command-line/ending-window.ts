import { parseMoment } from '@auction/domain/moment'
import { accepted, type Result, refused } from '@auction/domain/result'

type Window = { readonly fromMs: number; readonly toMs: number }

const utcRule = 'must be two times in UTC, such as 2026-11-26T18:00Z..18:30Z'
const zoneRule = 'must be two times without Z, such as 2026-11-26T18:00..18:30, since --zone is given'
const orderRule = 'the second time is before the first; if it is on the next day, give both dates, such as'

/** Reads two times in UTC, or of the clocks in a zone. The second may omit the date, and both may omit the seconds. */
export function windowIn(text: string, zone: string | undefined): Result<Window, string> {
  if (zone !== undefined && !isZone(zone)) return refused('--zone: must be a time zone, such as Europe/Vienna')
  const [first = '', last = '', ...more] = text.split('..')
  const full = last.includes('T') ? last : `${first.split('T', 1)[0]}T${last}`
  const [starts, ends] = [timesIn(first, zone), timesIn(full, zone)]
  if (starts === undefined || ends === undefined || more.length > 0)
    return refused(`--ending: ${zone === undefined ? utcRule : zoneRule}`)
  if (starts.length === 0 || ends.length === 0)
    return refused('--ending: the clocks of the zone skip one of these times')
  const window = { fromMs: Math.min(...starts), toMs: Math.max(...ends) }
  if (window.fromMs <= window.toMs) return accepted(window)
  const example = zone === undefined ? '2026-11-26T23:45Z..2026-11-27T00:15Z' : '2026-11-26T23:45..2026-11-27T00:15'
  return refused(`--ending: ${orderRule} ${example}`)
}

/**
 * Returns the times that a text means: with a zone, none if its clocks skip it, and two while they are set back; undefined
 * if it is not a time.
 */
function timesIn(text: string, zone: string | undefined): readonly number[] | undefined {
  const full = text.replace(/T(\d\d:\d\d)(?=Z?$)/, 'T$1:00')
  const clockMs = parseMoment(zone === undefined ? full : `${full}Z`)?.epochMs
  if (zone === undefined || clockMs === undefined) return clockMs === undefined ? undefined : [clockMs]
  const offsets = new Set([-dayMs, dayMs].map((ms) => offsetMs(clockMs + ms, zone)))
  return [...offsets].map((offset) => clockMs - offset).filter((ms) => ms + offsetMs(ms, zone) === clockMs)
}

const dayMs = 86_400_000

/** How far the clocks of a zone are ahead of UTC. Swedish times have the form of ISO 8601. */
const offsetMs = (ms: number, timeZone: string): number =>
  Date.parse(`${new Date(ms).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`) - Math.floor(ms / 1_000) * 1_000

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
