import { decide } from '@auction/domain/auction/decide'
import { evolve } from '@auction/domain/auction/evolve'
import { describe, expect, test } from 'vitest'
import { type Case, caseId, formatsCases, plainCases } from '../src/domain/cases.ts'
import { measureDecisions, measureDecisionsAndStates } from '../src/domain/decisions.ts'

const nowMs = Date.now()

describe('decisions that are measured', () => {
  test('are accepted and refused in turn where auctions are plain', () => {
    const decided = plainCases().map(({ terms, state, command }) => decide(terms, state, command, nowMs).ok)
    expect(decided.filter((ok) => ok)).toHaveLength(500)
    expect(decided.slice(0, 4)).toEqual([true, false, true, false])
  })

  test('make a reply to each bid and move the end where auctions have all formats', () => {
    for (const { terms, state, command, expectedMinor } of formatsCases(nowMs)) {
      const decision = decide(terms, state, command, nowMs)
      expect(decision).toMatchObject({
        ok: true,
        value: { automatic: { amountMinor: expectedMinor }, extendedEndMs: expect.any(Number) },
      })
      if (!decision.ok) continue
      const next = evolve(state, { id: caseId, atMs: nowMs, event: decision.value })
      expect(next.leader?.maximumMinor).toBe(state.leader?.maximumMinor)
    }
  })

  test.each([
    ['plain', plainCases()],
    ['with all formats', formatsCases(nowMs)],
  ])('come out right, %s', (_, cases) => {
    for (const measure of [measureDecisions, measureDecisionsAndStates]) {
      const { acceptedPerSecond = 0, refusedPerSecond = 0 } = measure(cases, 0.01)
      expect(acceptedPerSecond).toBeGreaterThan(0)
      expect(refusedPerSecond > 0).toBe(cases.some(({ isAccepted }) => !isAccepted))
    }
  })

  test('fail where one comes out wrong', () => {
    const [first, ...others] = plainCases()
    const wrong: readonly Case[] = first === undefined ? [] : [{ ...first, expectedMinor: 1 }, ...others]
    for (const measure of [measureDecisions, measureDecisionsAndStates]) {
      expect(() => measure(wrong, 0.01)).toThrow('decisions were made wrongly, or left out')
    }
  })
})
