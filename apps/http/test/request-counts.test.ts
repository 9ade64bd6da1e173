import { describe, expect, test } from 'vitest'
import { createRequestCounts } from '../src/security/rate-limit/request-counts.ts'

const windowMs = 60_000

test('each key is counted in windows of its own', () => {
  const counts = createRequestCounts(windowMs)
  expect(counts.find('anna', 0)).toBeUndefined()
  expect(counts.add('anna', 1_000)).toMatchObject({ requests: 1, startMs: 1_000 })
  expect(counts.add('bert', 2_000)).toMatchObject({ requests: 1, startMs: 2_000 })
  expect(counts.add('anna', 60_999)).toMatchObject({ requests: 2, startMs: 1_000 })
  expect(counts.add('anna', 61_000)).toMatchObject({ requests: 1, startMs: 61_000 })
  expect(counts.find('bert', 61_999)).toMatchObject({ requests: 1 })
  expect(counts.find('bert', 62_000)).toBeUndefined()
})

test('a clock that is set back opens a new window, rather than keep the old one open', () => {
  const counts = createRequestCounts(windowMs)
  counts.add('anna', 3_600_000)
  expect(counts.add('anna', 0)).toMatchObject({ requests: 1, startMs: 0 })
})

test('what was counted elsewhere takes the place of what was counted here', () => {
  const counts = createRequestCounts(windowMs)
  counts.add('anna', 5_000)
  counts.replace('anna', 7, 1_000)
  expect(counts.add('anna', 6_000)).toMatchObject({ requests: 8, startMs: 1_000 })
})

describe('with more keys than there is room for', () => {
  test('100,000 others reset nobody', () => {
    const counts = createRequestCounts(windowMs)
    counts.add('anna', 0)
    for (let other = 0; other < 100_000; other++) counts.add(`other ${other}`, other / 10)
    expect(counts.find('anna', 10_000)).toMatchObject({ requests: 1 })
  })

  test('a million others reset nobody who has used a few requests, and take no more than their room', () => {
    const counts = createRequestCounts(windowMs)
    for (let times = 0; times < 7; times++) counts.add('anna', 0)
    for (let other = 0; other < 1_000_000; other++) counts.add(`other ${other}`, 1)
    expect(counts.find('anna', 2)).toMatchObject({ requests: 7 })
    expect(counts.size()).toBe(200_000)
  })

  test.each([2, 10, 299])('who was counted %i times outlasts as many others as fit, counted so often', (times) => {
    const room = 50
    const counts = createRequestCounts(windowMs, room)
    for (let count = 0; count < times; count++) counts.add('anna', 0)
    for (let other = 0; other < (times - 1) * (room - 1); other++) counts.add(`other ${other}`, 1)
    expect(counts.find('anna', 2)).toMatchObject({ requests: times })
    expect(counts.size()).toBe(room)
  })

  test('room is made even if all have used much', () => {
    const counts = createRequestCounts(windowMs, 1_000)
    for (let key = 0; key < 3_000; key++) for (let times = 0; times < 50; times++) counts.add(`key ${key}`, 0)
    expect(counts.size()).toBe(1_000)
    expect(counts.find('key 2999', 1)).toMatchObject({ requests: 50 })
  })

  test('keys whose window is over go as others come', () => {
    const counts = createRequestCounts(windowMs)
    for (let minute = 0; minute < 20; minute++) {
      for (let key = 0; key < 1_000; key++) counts.add(`${minute} ${key}`, minute * windowMs)
    }
    expect(counts.size()).toBeLessThanOrEqual(2_000)
  })
})
