import { AuctionClientError } from '../client.js'
import { html, nothing } from '../html.js'
import { createKeys } from '../requests.js'

/**
 * @import { Page } from '../app.js'
 * @import { Auction } from '../client.js'
 * @import { Format, TextName } from '../format.js'
 * @import { Registration } from './registration.js'
 * @typedef {ReturnType<typeof createActions>} Actions
 * @typedef {{ readonly pointer: string, readonly message: string }} FieldError
 * @typedef {'placeBidOnAuction' | 'buyNow' | 'cancelAuction' | 'correctAuction' | 'extendAuction' | 'withdrawBidder' | 'lowerReserve'
 *   | 'endAuction' | 'withdrawOwnBid'} Operation
 * @typedef {{ isGood: boolean, text: string, offer?: number | undefined, isLead?: boolean }} Outcome What happened, and an amount that would be
 *   accepted. One with `isLead` is shown as long as the user leads.
 * @typedef {{ code: string, status: number, message: string, errors?: readonly FieldError[],
 *   currentPrice?: number,
 *   minimumNextBid?: number | null, maximumNextBid?: number, buyNowPrice?: number, lowerAmount?: number,
 *   higherAmount?: number | null, limit?: number }} Refusal
 */

/** A response takes a fraction of this time, unless it is lost or the service is busy. */
const slowMs = 2_000
/** A second click so soon after a success, with nothing typed between them, is part of the first. */
const doubleClickMs = 1_000

/** The state of what a user does in an auction. @param {number} id */
export function createActions(id) {
  const keys = createKeys()
  let doneAtMs = Number.NEGATIVE_INFINITY

  const actions = {
    /** What the field of a bid shows; undefined while it follows the minimum. @type {string | undefined} */
    amount: undefined,
    isAmountTyped: false,
    isTyped: false,
    maximum: '',
    /** What the register of the auction says of the user, if that is known. @type {Registration | undefined} */
    registration: undefined,
    /** The entity tag of the state that a correction replaces. */
    tag: '*',
    /** What is wrong with a field of the last form, by its name. @type {Record<string, string>} */
    errors: {},
    /** The form that was sent last, or has an error. @type {Operation | ''} */
    form: '',
    /** The request in progress, in words. */
    pending: '',
    /** @type {Outcome | undefined} */
    outcome: undefined,

    /** Auctions without a register do not need this file. @param {Page} page @returns {Promise<void>} */
    async readRegistration(page) {
      const { auctions, reader } = page.known
      const register = auctions.get(id)?.register
      if (register === undefined || reader.isVisitor() || !reader.session.bid) return
      const read = async () => (await import('./registration.js')).readRegistration(page, register.id)
      actions.registration = await read().catch(() => undefined)
      page.schedule()
    },

    /** Whether the user cannot take part. @param {Page} page @param {Auction} auction */
    isBarred: ({ known }, auction) =>
      known.reader.isOfferedTo(auction) === false || actions.registration?.mayBid === false,

    /** Shows what happened in the box of a form. @param {Operation} form @param {Outcome | undefined} outcome @param {Record<string, string>} [errors] */
    show(form, outcome, errors = {}) {
      Object.assign(actions, { form, outcome, errors })
    },

    /**
     * Sends a request once, however often it is called, and until it has a response. A correction replaces the state with the entity tag.
     * @param {Page} page @param {Operation} operation @param {any} body @param {(data: any) => Outcome} outcomeOf @returns {Promise<void>}
     */
    async send(page, operation, body, outcomeOf) {
      const isRepeated = !actions.isTyped && performance.now() - doneAtMs < doubleClickMs
      if (actions.pending !== '' || isRepeated) return
      const { text } = page.format
      actions.show(operation, undefined)
      actions.pending = text('sending')
      page.schedule()
      const slow = setTimeout(() => {
        actions.pending = text('noResponseYet')
        page.schedule()
      }, slowMs)
      try {
        const options = { key: keys.of(operation, body), ifMatch: actions.tag }
        // The form of staff sends the same request with more fields.
        const method = operation === 'withdrawOwnBid' ? 'withdrawBidder' : operation
        const result = await page.known.client[method](id, body, options)
        keys.done()
        if (result.ok) {
          // Another operation changes the state, too, but the form shows the one before.
          if (operation === 'correctAuction') actions.tag = result.etag ?? '*'
          actions.outcome = outcomeOf(result.data)
          doneAtMs = performance.now()
        } else {
          if (result.refusal.status === 401) page.known.noteSignedOut()
          if (registrationCodes.has(result.refusal.code)) void actions.readRegistration(page)
          const outcome = refusalText(page, id, result.refusal, operation)
          actions.show(operation, outcome, errorsOf(page.format, result.refusal))
        }
      } catch (error) {
        // The outcome is unknown, so the same request keeps its key.
        if (!(error instanceof AuctionClientError)) throw error
        actions.outcome = { isGood: false, text: text(unavailableTexts[error.code] ?? 'unavailable') }
      } finally {
        clearTimeout(slow)
        actions.pending = ''
        page.announce(actions.outcome?.text ?? '', true)
        page.opened.refresh?.()
        page.schedule()
      }
    },
  }
  return actions
}

/** What came of the last request of a form, in its box. @param {Actions} actions @param {Operation} form */
export function outcomeView({ form: shown, pending, outcome }, form) {
  if (shown !== form) return nothing
  if (pending !== '') return html`<p class="hint">${pending}</p>`
  return outcome === undefined ? nothing : html`<p class=${outcome.isGood ? 'good' : 'problem'}>${outcome.text}</p>`
}

/** The refusals after which the page reads what the register says of the user. */
const registrationCodes = new Set(['not-admitted', 'above-limit'])

/** The texts of refusals that have no values, by their codes. @type {Record<string, TextName>} */
export const refusalTexts = {
  unauthenticated: 'signInAndSend',
  'validation-failed': 'checkFields',
  'auction-not-started': 'notStarted',
  'auction-ended': 'hasEnded',
  'auction-cancelled': 'wasCancelled',
  'maximum-not-raised': 'maximumNotRaised',
  'owner-cannot-bid': 'ownAuction',
  'bidder-blocked': 'blocked',
  'not-admitted': 'notAdmitted',
  'owner-cannot-buy': 'ownFalling',
  'auction-started': 'auctionStarted',
  'no-bids-of-bidder': 'noBidsOfBidder',
  'reserve-lowered-before': 'reserveLoweredBefore',
  'precondition-failed': 'auctionChanged',
}

/** The texts of failures that change nothing, by their codes. @type {Record<string, TextName>} */
export const unavailableTexts = { 'sealed-bids-unavailable': 'sealedUnavailable' }

/** Why the service refused a request. @param {Page} page @param {number} id @param {Refusal} refusal @param {Operation} operation @returns {Outcome} */
function refusalText(
  { known, format },
  id,
  { code, message, currentPrice, minimumNextBid, maximumNextBid, buyNowPrice, lowerAmount, higherAmount, limit },
  operation,
) {
  const auction = known.auctions.get(id)
  const { text } = format
  const priced = (/** @type {TextName} */ name, /** @type {number} */ amount) =>
    text(name, { price: auction === undefined ? '' : format.money(amount, auction) })
  const failed = (/** @type {string} */ reason, offer = minimumNextBid ?? undefined) => ({
    isGood: false,
    text: reason,
    offer,
  })
  const betweenSteps = (/** @type {number} */ lower, /** @type {number | null | undefined} */ higher) => {
    const money = (/** @type {number} */ amount) => (auction === undefined ? '' : format.money(amount, auction))
    if (higher == null) return text('bidAboveSteps', { lower: money(lower) })
    return text('bidBetweenSteps', { lower: money(lower), higher: money(higher) })
  }
  const least = typeof minimumNextBid === 'number' ? ` ${priced('nextBidIsAtLeast', minimumNextBid)}` : ''
  if (code === 'bid-too-low') return failed(`${text('bidTooLow')}${least}`)
  if (code === 'buy-now-not-offered') return failed(`${text('buyNowOver')}${least}`)
  if (code === 'bid-too-high' && maximumNextBid !== undefined) return failed(priced('bidTooHigh', maximumNextBid))
  if (code === 'bid-not-on-step' && lowerAmount !== undefined)
    return failed(betweenSteps(lowerAmount, higherAmount), lowerAmount)
  if (code === 'price-is-higher' && currentPrice !== undefined) return failed(priced('priceIsHigher', currentPrice))
  if (code === 'buy-now-is-lower' && buyNowPrice !== undefined) return failed(priced('buyNowIsLower', buyNowPrice))
  if (code === 'no-bids-of-bidder' && operation === 'withdrawOwnBid') return failed(text('noOwnBid'))
  if (code === 'above-limit' && limit !== undefined)
    return failed(text('aboveLimit', { limit: auction === undefined ? '' : format.money(limit, auction) }))
  const name = refusalTexts[code]
  return failed(name === undefined ? message : text(name))
}

/** The errors of a refusal by the names of fields. @param {Format} format @param {{ code: string, errors?: readonly FieldError[] }} refusal */
export function errorsOf(format, { errors: found = [] }) {
  /** @type {Record<string, string>} */
  const errors = {}
  for (const { pointer, message } of found) {
    const [name = '', ...within] = pointer.split('/').slice(1)
    if (['incrementSteps', 'bidSteps'].includes(name) && within.length > 0)
      errors[name] = format.text('stepLine', { line: Number(within[0]) + 1, name: within[1] ?? '', message })
    else errors[within.at(-1) ?? name] = format.text('thisField', { message })
  }
  return errors
}
