import { expect, test } from 'vitest'
import { readConfiguration } from '../src/configuration/read-configuration.ts'
import { startupMessage } from '../src/process/startup-message.ts'

test.each([
  { what: 'one user', environment: {}, count: 1 },
  { what: 'two users', environment: { JWT_SUBJECT_CLAIM: 'uid' }, count: 2 },
])('the links to the page have the tokens of the shell, each signed once: $what', ({ environment, count }) => {
  const reading = readConfiguration(environment, () => '')
  if (!reading.ok) throw new Error(reading.faults.join('\n'))
  const listening = { url: 'http://127.0.0.1:3000', onEveryInterface: false }
  let signed = 0
  const text = startupMessage(reading.configuration, listening, 'memory', 1, () => `signed-${++signed}`)
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, token]) => token)
  expect(found(/TOKEN=(signed-\d+)/g)).toEqual(Array.from({ length: count }, (_, index) => `signed-${index + 1}`))
  expect(found(/#token=(signed-\d+)/g)).toEqual(found(/TOKEN=(signed-\d+)/g))
})
