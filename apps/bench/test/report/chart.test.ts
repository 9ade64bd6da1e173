import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../src/measure/measurement.ts'
import type { Sample } from '../../src/measure/sample.ts'
import { clientsChart, linesOf } from '../../src/report/chart/clients-chart.ts'
import { logScale } from '../../src/report/chart/log-scale.ts'
import { element, label } from '../../src/report/chart/markup.ts'

const measured = (series: string, clients: number, median: Sample): Measurement => {
  return { section: 'bids', series, label: `the ${series} of <us>`, clients, median, rounds: [] }
}

describe('a logarithmic scale', () => {
  test.each([
    { values: [3, 70], ticks: [1, 10, 100] },
    { values: [100, 1000], ticks: [100, 1000] },
    { values: [0.02, 0.5], ticks: [0.01, 0.1, 1] },
    { values: [10], ticks: [10, 100] },
  ])('of $values has the ticks $ticks', ({ values, ticks }) => {
    expect(logScale(values).ticks).toEqual(ticks)
  })

  test('makes equal ratios equal lengths', () => {
    const { share } = logScale([1, 10_000])
    expect([1, 10, 100, 10_000].map(share)).toEqual([0, 0.25, 0.5, 1])
  })

  test('holds all of its values', () => {
    const values = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(values, (some) => {
        const { share } = logScale(some)
        for (const value of some) {
          expect(share(value)).toBeGreaterThanOrEqual(0)
          expect(share(value)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

describe('lines', () => {
  test('have a place for each number of clients, in the order of measuring', () => {
    const measurements = [
      measured('b', 64, { p50Ms: 2 }),
      measured('a', 1, { p50Ms: 3 }),
      measured('b', 1, { acceptedPerSecond: 1 }),
    ]
    expect(linesOf(measurements, [1, 64], 'p50Ms')).toEqual([
      { series: 'b', values: [undefined, 2] },
      { series: 'a', values: [3, undefined] },
    ])
  })
})

describe('the chart', () => {
  const svg = clientsChart([
    measured('insertOne', 1, { acceptedPerSecond: 1_000, p50Ms: 1, p99Ms: 2 }),
    measured('insertOne', 256, { acceptedPerSecond: 0, p50Ms: 10, p99Ms: 20 }),
    measured('placeBid/hot-auction', 256, { acceptedPerSecond: 9_000, p50Ms: 15, p99Ms: 30 }),
  ])

  test('has its axes labelled with units, and a legend', () => {
    for (const text of ['Accepted bids per second', 'Latency, median (ms)', 'concurrent clients', '>1K<', '>256<']) {
      expect(svg).toContain(text)
    }
    expect(svg).toContain('the placeBid/hot-auction of &lt;us&gt;')
  })

  test('leaves out what a logarithmic axis has no place for', () => {
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  test('reads in the light and in the dark', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)')
    expect(svg).toMatch(/<rect class="paper"/)
  })

  test('has a band for each database, and one legend', () => {
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

describe('markup', () => {
  test('is escaped in texts and attributes', () => {
    expect(label('a < b & "c"', { class: '"x"' })).toBe(
      '<text class="&quot;x&quot;">a &lt; b &amp; &quot;c&quot;</text>',
    )
  })

  test('cuts numbers to a tenth, and closes what is empty', () => {
    expect(element('circle', { cx: 1.234567, r: 3 })).toBe('<circle cx="1.2" r="3"/>')
  })
})
