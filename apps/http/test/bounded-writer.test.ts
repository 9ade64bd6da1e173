import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoundedWriter } from '../src/log/bounded-writer.ts'

/** A reader that takes as many bytes as it is allowed to, and what it has got. */
function reader() {
  const taken: Uint8Array[] = []
  const state = { room: Number.POSITIVE_INFINITY, code: 'EAGAIN' }
  return {
    state,
    text: () => Buffer.concat(taken).toString(),
    writeBytes(bytes: Uint8Array): number {
      const some = bytes.slice(0, state.room)
      if (some.length === 0) throw Object.assign(new Error('no room'), { code: state.code })
      state.room -= some.length
      taken.push(some)
      return some.length
    },
  }
}

function writerTo(writeBytes: (bytes: Uint8Array) => number, maxWaitingBytes = 100) {
  const dropped: number[] = []
  const writer = createBoundedWriter(writeBytes, {
    maxWaitingBytes,
    onDropped: (lines) => {
      dropped.push(lines)
      writer.write(`-${lines}\n`)
    },
  })
  return { writer, dropped }
}

test('the lines of a turn are one write, in their order', async () => {
  const out = reader()
  const { writer, dropped } = writerTo(out.writeBytes)
  for (const line of ['a\n', 'b\n', 'é\n']) writer.write(line)
  expect(out.text()).toBe('')
  expect(writer.waitingBytes()).toBe(7)
  await setImmediate()
  expect(out.text()).toBe('a\nb\né\n')
  expect([writer.waitingBytes(), dropped]).toEqual([0, []])
})

test('more than one write in a turn: a busy turn does not fill the bound while its reader is quick', () => {
  const out = reader()
  const { writer, dropped } = writerTo(out.writeBytes, 1024 * 1024)
  const line = `${'x'.repeat(999)}\n`
  for (let count = 0; count < 5_000; count++) writer.write(line)
  writer.flush()
  expect(out.text()).toBe(line.repeat(5_000))
  expect(dropped).toEqual([])
})

test.each(['EAGAIN', 'ENOSPC', 'EPIPE'])(
  'while %s, what waits is bounded; afterwards, the gap is told where it is',
  async (code) => {
    const out = reader()
    const { writer, dropped } = writerTo(out.writeBytes)
    out.state.room = 3
    out.state.code = code
    for (let count = 10; count < 60; count++) {
      writer.write(`${count}\n`)
      expect(writer.waitingBytes()).toBeLessThanOrEqual(100)
    }
    writer.flush()
    // There is room again, but not before everything is written, or the gap could not be told.
    writer.write('later\n')
    expect(writer.waitingBytes()).toBeGreaterThan(90)
    out.state.room = Number.POSITIVE_INFINITY
    await writer.drain(60_000)
    writer.write('end\n')
    writer.flush()
    const kept = Array.from({ length: 33 }, (_, index) => `${index + 10}\n`).join('')
    expect(out.text()).toBe(`${kept}-18\nend\n`)
    expect(dropped).toEqual([18])
  },
)

test('a line that is longer than all that may wait is dropped and told', async () => {
  const out = reader()
  const { writer } = writerTo(out.writeBytes)
  writer.write('x'.repeat(101))
  await setImmediate()
  writer.write('next\n')
  await writer.drain(60_000)
  expect(out.text()).toBe('-1\nnext\n')
})

test('draining gives up when its time is over', async () => {
  const out = reader()
  const { writer } = writerTo(out.writeBytes)
  out.state.room = 0
  writer.write('never\n')
  await writer.drain(20)
  expect([out.text(), writer.waitingBytes()]).toEqual(['', 6])
})

test('whatever the reader takes when, no line is broken, doubled or missed without being counted', () => {
  const step = fc.oneof(
    fc.record({ write: fc.string({ maxLength: 40, unit: 'binary' }) }),
    fc.record({ room: fc.nat({ max: 80 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const out = reader()
      const { writer, dropped } = writerTo(out.writeBytes)
      out.state.room = 0
      const written = steps.flatMap((each) => {
        if ('room' in each) {
          out.state.room = each.room
          writer.flush()
          return []
        }
        const line = `=${each.write.replaceAll('\n', '')}\n`
        writer.write(line)
        return [line]
      })
      expect(writer.waitingBytes()).toBeLessThanOrEqual(100)
      out.state.room = Number.POSITIVE_INFINITY
      writer.flush()
      writer.flush()
      const lines = out.text().split(/(?<=\n)/)
      const arrived = lines.filter((line) => line.startsWith('='))
      expect(arrived.length + dropped.reduce((sum, count) => sum + count, 0)).toBe(written.length)
      // What arrived is what was written, without those that are counted.
      let next = 0
      for (const line of lines) {
        if (line.startsWith('-')) next += Number(line.slice(1))
        else if (line !== '') expect(line).toBe(Buffer.from(written[next++] ?? '').toString())
      }
    }),
  )
})
