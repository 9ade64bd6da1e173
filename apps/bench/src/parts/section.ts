import { connections, type HttpPoint, measurePoints } from '../http/measure-points.ts'
import { type NoteStarted, withProcesses } from '../http/running.ts'
import { startService } from '../http/service.ts'
import type { Findings, NotMeasured } from '../measure/measurement.ts'
import { besideBase } from '../measure/ratios.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'
import { type Part, parts } from './parts.ts'

const allOff = 'parts/off'

/** What each part of the server costs a bid when it is on: a server for each, beside one on which all are off. */
export const measureParts = (options: Options, progress: Progress): Promise<Findings> =>
  withScratchFile((file) =>
    withProcesses(async (started) => {
      const off = started(await startService({}))
      const points: HttpPoint[] = [{ ...pointOf(allOff, 'all of them off'), server: off, headers: {} }]
      const notMeasured: NotMeasured[] = []
      const notes: string[] = []
      for (const part of parts) {
        const found = await startWith(part, file, started)
        if (!('missing' in found)) points.push(found)
        else {
          notMeasured.push({ section: 'parts', label: part.label, reason: 'not run' })
          notes.push(`What ${part.label} costs was NOT measured: ${found.missing}.`)
        }
      }
      const measured = await measurePoints(points, options, progress)
      const measurements = besideBase(measured.measurements, allOff)
      return { measurements, notMeasured, notes: [...notes, ...measured.notes] }
    }),
  )

async function startWith(
  part: Part,
  file: string,
  started: NoteStarted,
): Promise<HttpPoint | { readonly missing: string }> {
  const needs = await part.prepare(file)
  if ('missing' in needs) return needs
  const { settings, headers = {}, stop } = needs
  if (stop !== undefined) started({ stop })
  return { ...pointOf(`parts/${part.name}`, part.label), server: started(await startService(settings)), headers }
}

const pointOf = (series: string, label: string) =>
  ({ section: 'parts', series, label: `bids: ${label}`, clients: connections, request: 'bid' }) as const
