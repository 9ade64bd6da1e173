import { expect, test } from 'vitest'
import { parseAuctionId, parseBidId, parseProductId, parseSaleId, parseUserId } from '../../src/values/url-ids.ts'

test('an id in a URL is parsed from digits', () => {
  for (const parse of [parseAuctionId, parseBidId, parseProductId, parseSaleId, parseUserId]) {
    expect(parse('7')).toEqual({ ok: true, value: 7 })
    expect(parse('9007199254740991')).toEqual({ ok: true, value: Number.MAX_SAFE_INTEGER })
  }
})

test.each(['', '0', '07', '+7', '-7', '7.0', '7e1', ' 7', '0x7', '٧', '9007199254740992'])(
  'a text that is no id is refused: "%s"',
  (text) => {
    const message = 'must be an integer from 1 to 9007199254740991'
    const refusal = { code: 'validation-failed', errors: [{ pointer: '/auctionId', message }], moreErrors: 0 }
    expect(parseAuctionId(text)).toEqual({ ok: false, refusal })
  },
)
