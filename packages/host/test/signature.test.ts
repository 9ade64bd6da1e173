import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createSigner } from '../src/signed-posts.ts'

const [current, next, other] = [24, 32, 64].map((length) => randomBytes(length)) as [Buffer, Buffer, Buffer]
const verifierOf = (secret: Buffer) => new Webhook(`whsec_${secret.toString('base64')}`)
const message = { id: 'evt_1_0', body: '{"title":"Für Elise 🎹"}' }

test('the library of the standard verifies a message, by each of its secrets and by no other', () => {
  const headers = createSigner([current, next])(message, Date.now())
  for (const secret of [current, next]) {
    expect(verifierOf(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body))
  }
  expect(() => verifierOf(other).verify(message.body, headers)).toThrow('No matching signature')
  expect(() => verifierOf(current).verify(`${message.body} `, headers)).toThrow('No matching signature')
})

test('each attempt is signed at its time, because receivers refuse old ones', () => {
  const sixMinutesAgo = createSigner([current])(message, Date.now() - 360_000)
  expect(() => verifierOf(current).verify(message.body, sixMinutesAgo)).toThrow('too old')
  const moved = { ...sixMinutesAgo, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  expect(() => verifierOf(current).verify(message.body, moved)).toThrow('No matching signature')
})

test('the signature is that of the specification', () => {
  // From https://github.com/standard-webhooks/standard-webhooks, libraries/javascript/src/webhook.test.ts.
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const known = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  expect(createSigner([secret])(known, 1_614_265_330_999)).toEqual({
    'webhook-id': known.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})
