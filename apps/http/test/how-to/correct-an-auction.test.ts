import { expect } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { correcting, permissions, tokenOf } from '../support/tokens.ts'
import { openScene, testFormatPage } from './test-format-page.ts'

const token = tokenOf('moderator', { permissions: [...permissions, correcting] })
const path = '/api/Auctions/1'

async function openCorrectable(fields: object = {}) {
  const { anna: _, ...scene } = await openScene(fields)
  const staff = clientOf(scene, token)
  const tag = (await staff.get(path)).headers.get('etag') ?? ''
  return { ...scene, staff, tag, correct: correctBy(staff) }
}

const correctBy =
  (client: Client) =>
  (fields: object = { title: 'Oak desk' }, headers: Readonly<Record<string, string>> = { 'if-match': '*' }) =>
    client.patch(path, fields, headers)

testFormatPage(
  'correct-an-auction',
  {
    'The auction has no bids': async () => {
      const { correct, tag, auction } = await openCorrectable()
      const answer = await correct({ title: 'Oak desk', description: null }, { 'if-match': tag })
      expect(await auction()).toEqual(answer.body.data)
      return answer
    },
    'The auction has not started: 200': async () => {
      const { correct, tag } = await openCorrectable({ startTime: '2030-02-01T00:00:00Z' })
      return correct({ title: 'Oak desk' }, { 'if-match': tag })
    },
    '`If-Match` is `*`': async () => {
      const { correct } = await openCorrectable()
      await correct()
      return correct({ title: 'Pine desk' })
    },
    'The auction was corrected after the read': async () => {
      const { correct, tag, auction } = await openCorrectable()
      await correct()
      const answer = await correct({ title: 'Pine desk' }, { 'if-match': tag })
      expect((await auction()).title).toBe('Oak desk')
      return answer
    },
    'Two corrections at the same time, with the same `ETag`': async () => {
      const { correct, tag } = await openCorrectable()
      const answers = await Promise.all(['A', 'B'].map((title) => correct({ title }, { 'if-match': tag })))
      return answers.toSorted((a, b) => a.status - b.status)
    },
    'The auction has started after the read, or it has another `ETag` for this caller': async () => {
      const { correct, tag, clock } = await openCorrectable({ startTime: '2030-01-31T12:30:00Z' })
      clock.set('2030-01-31T12:30:00Z')
      return correct({ title: 'Oak desk' }, { 'if-match': tag })
    },
    '`If-Match` is missing: 428 `precondition-required`': async () =>
      (await openCorrectable()).correct({ title: 'Oak desk' }, {}),
    'The body is not `application/merge-patch+json`: 415 `unsupported-media-type`': async () => {
      const { correct } = await openCorrectable()
      return correct({ title: 'Oak desk' }, { 'if-match': '*', 'content-type': 'application/json' })
    },
    'Another field, or neither text: 400 `validation-failed`': async () => {
      const { correct } = await openCorrectable()
      const neither = await correct({})
      expect(neither.body.code).toBe('validation-failed')
      return correct({ title: 'Oak desk', startingPrice: 1 })
    },
    'The auction has a bid: 409 `auction-has-bids`': async () => {
      const { correct, bid } = await openCorrectable()
      await bid(2, 100)
      return correct()
    },
    'The auction has ended or was bought: 409 `auction-ended`': async () => {
      const { correct, end } = await openCorrectable()
      await end()
      const { correct: correctBought, staff } = await openCorrectable({ buyNowPrice: 200 })
      await staff.buyNow()
      expect((await correctBought()).body.code).toBe('auction-ended')
      return correct()
    },
    'The auction was cancelled: 409 `auction-cancelled`': async () => {
      const { correct, staff } = await openCorrectable()
      await staff.cancelAuction()
      return correct()
    },
    'The auction was corrected 20 times': async () => {
      const { correct } = await openCorrectable()
      for (let count = 1; count <= 20; count++) expect((await correct({ title: `${count}` })).status).toBe(200)
      return correct()
    },
    'The same request again, with its `Idempotency-Key`: 200': async () => {
      const { correct, tag } = await openCorrectable()
      const send = () => correct({ title: 'Oak desk' }, { 'if-match': tag, 'idempotency-key': 'one' })
      const first = await send()
      await correct({ title: 'Pine desk' })
      const answer = await send()
      expect(answer.body).toEqual(first.body)
      return answer
    },
    'Other texts, with the same `Idempotency-Key`: 422 `idempotency-key-reused`': async () => {
      const { correct } = await openCorrectable()
      const headers = { 'if-match': '*', 'idempotency-key': 'one' }
      await correct({ title: 'Oak desk' }, headers)
      return correct({ title: 'Pine desk' }, headers)
    },
    'The token lacks the permission: 403 `forbidden`': async () => {
      const { anna } = await openScene()
      return correctBy(anna)()
    },
    'The auction does not exist: 404 `auction-not-found`': async () => {
      const { staff } = await openCorrectable()
      return staff.patch('/api/Auctions/2', { title: 'Oak desk' }, { 'if-match': '*' })
    },
  },
  token,
)
