import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientsChart } from './clients-chart.ts'
import { pageOf } from './markdown.ts'
import type { Results } from './results.ts'

/** Writes all forms of the results into the folder, and answers the paths. A chart of an earlier run is not left behind. */
export async function writeResults(results: Results, folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const [json, page, svg] = ['results.json', 'results.md', 'results.svg'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ] // As many as the names.
  const chart = clientsChart(results.measurements.filter(({ section }) => section === 'bids'))
  await writeFile(json, `${JSON.stringify(results, undefined, 2)}\n`)
  await writeFile(page, pageOf(results, chart !== undefined))
  if (chart === undefined) {
    await rm(svg, { force: true })
    return [json, page]
  }
  await writeFile(svg, chart)
  return [json, page, svg]
}
