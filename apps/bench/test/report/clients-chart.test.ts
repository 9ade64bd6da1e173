import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../src/measure/measurement.ts'
import type { Sample } from '../../src/measure/sample.ts'
import { clientsChart } from '../../src/report/clients-chart.ts'

const measured = (series: string, clients: number, median: Sample): Measurement => {
  return { section: 'bids', series, label: `the ${series} of <us>`, clients, median, rounds: [] }
}

const svg = clientsChart([
  measured('insertOne', 1, { acceptedPerSecond: 1_000, p50Ms: 1, p99Ms: 2 }),
  measured('insertOne', 256, { acceptedPerSecond: 0, p50Ms: 10, p99Ms: 20 }),
  measured('placeBid/hot-auction', 256, { acceptedPerSecond: 9_000, p50Ms: 15, p99Ms: 30 }),
  measured('find-then-insert/hot-auction-with-proxy', 256, { acceptedPerSecond: 8_000, p50Ms: 15, p99Ms: 30 }),
])

describe('the chart', () => {
  test('is an SVG that needs nothing beside it', () => {
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).not.toMatch(/href=|url\(http/)
  })

  test('has its axes labelled with units, and a legend', () => {
    for (const text of ['Accepted bids per second', 'Latency, median (ms)', 'concurrent clients', '>1K<', '>256<']) {
      expect(svg).toContain(text)
    }
    expect(svg).toContain('the placeBid/hot-auction of &lt;us&gt;')
  })

  test('leaves out what a logarithmic axis has no place for', () => {
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  test('has its own paper', () => {
    expect(svg).toMatch(/<rect [^>]*fill="#ffffff"/)
  })

  test('has broken lines for a hot auction only, and others for one with a proxy', () => {
    const dashes = (color: string) => svg?.match(new RegExp(`stroke="${color}"[^>]*stroke-dasharray="([^"]*)"`))?.[1]
    expect(dashes('#0969da')).toEqual(expect.any(String))
    expect(dashes('#bc4c00')).toEqual(expect.any(String))
    expect(dashes('#bc4c00')).not.toBe(dashes('#0969da'))
    expect(svg).not.toMatch(/stroke="#6e7781"[^>]*stroke-dasharray/)
  })

  test('has a row for each database, and one legend', () => {
    const of = (database: string) => ({ ...measured('insertOne', 1, { acceptedPerSecond: 1_000 }), database })
    const both = clientsChart([of('one'), of('<two>')]) ?? ''
    expect(both.match(/Accepted bids per second</g)).toHaveLength(2)
    expect(both.match(/the insertOne of &lt;us&gt;/g)).toHaveLength(1)
    expect(both).toContain('>one<')
    expect(both).toContain('>&lt;two&gt;<')
  })

  test('is not drawn when there is nothing to show', () => {
    expect(clientsChart([])).toBeUndefined()
  })
})
