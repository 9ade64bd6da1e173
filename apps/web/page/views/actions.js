import { isMuchMore } from '../amounts.js'
import { AuctionClientError } from '../client.js'
import { html, nothing } from '../html.js'
import { createKeys } from '../requests.js'
import { correctView } from './correct.js'
import { errorsOf } from './fields.js'
import { lowerView, staffView } from './staff.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {ReturnType<typeof createActions>} Actions
 * @typedef {{ isGood: boolean, text: string, offer?: number, isLead?: boolean }} Outcome What happened, and an amount that would be
 *   accepted. One with `isLead` is shown as long as the user leads.
 * @typedef {'placeBidOnAuction' | 'buyNow' | 'cancelAuction' | 'correctAuction' | 'extendAuction' | 'withdrawBidder' | 'lowerReserve'
 *   | 'endAuction'} Operation
 * @typedef {{ code: string, status: number, message: string, errors?: readonly import('./fields.js').FieldError[],
 *   minimumNextBid?: number | null, maximumNextBid?: number, buyNowPrice?: number }} Refusal
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
    /** What the field shows; undefined while it follows the minimum. @type {string | undefined} */
    amount: undefined,
    isAmountTyped: false,
    isTyped: false,
    maximum: '',
    /** The entity tag of the state that a correction replaces. */
    tag: '*',
    /** An unusual bid that the user has to confirm. @type {{ amount: number, maximum: number | undefined } | undefined} */
    question: undefined,
    /** A repair that staff have to confirm. @type {import('./staff.js').Confirmation | undefined} */
    confirmation: undefined,
    /** What is wrong with a field of a correction, by its name. @type {Record<string, string>} */
    errors: {},
    /** The request in progress. */
    pending: '',
    /** @type {Outcome | undefined} */
    outcome: undefined,

    /**
     * Sends a request once, however often it is called, and until it has an answer. A correction replaces the state with the entity tag.
     * @param {Page} page @param {Operation} operation @param {any} body @param {(data: any) => Outcome} outcomeOf @returns {Promise<void>}
     */
    async send(page, operation, body, outcomeOf) {
      const isRepeated = !actions.isTyped && performance.now() - doneAtMs < doubleClickMs
      if (actions.pending !== '' || isRepeated) return
      const { text } = page.format
      actions.pending = text('sending')
      Object.assign(actions, { outcome: undefined, question: undefined, confirmation: undefined, errors: {} })
      page.schedule()
      const slow = setTimeout(() => {
        actions.pending = text('noResponseYet')
        page.schedule()
      }, slowMs)
      try {
        const options = { key: keys.of(operation, body), ifMatch: actions.tag }
        const result = await page.known.client[operation](id, body, options)
        keys.done()
        if (result.ok) {
          // Another operation changes the state, too, but the form shows the one before.
          if (operation === 'correctAuction') actions.tag = result.etag ?? '*'
          actions.outcome = outcomeOf(result.data)
          doneAtMs = performance.now()
        } else refuse(page, result.refusal)
      } catch (error) {
        // The outcome is unknown, so the same request keeps its key.
        if (!(error instanceof AuctionClientError)) throw error
        actions.outcome = { isGood: false, text: text('unavailable') }
      } finally {
        clearTimeout(slow)
        actions.pending = ''
        page.announce(actions.outcome?.text ?? '', true)
        page.opened.refresh?.()
        page.schedule()
      }
    },

    /**
     * Bids, or asks again before an amount of more than ten times the minimum: it may have a zero too many.
     * @param {Page} page @param {Auction} auction @param {number} amount @param {number | undefined} maximum @returns {void}
     */
    bidOrAsk(page, { currency, minimumNextBid }, amount, maximum) {
      if (minimumNextBid === null || !isMuchMore(amount, minimumNextBid, currency)) {
        void actions.bid(page, amount, maximum)
        return
      }
      actions.outcome = undefined
      actions.question = { amount, maximum }
      page.announce(page.format.text('isAmountRight'))
      page.schedule()
    },

    /** @param {Page} page @param {number} amount @param {number | undefined} maximumAmount @returns {Promise<void>} */
    bid(page, amount, maximumAmount) {
      const body = {
        bidderId: page.known.reader.user,
        amount,
        ...(maximumAmount !== undefined && { maximumAmount }),
      }
      return actions.send(page, 'placeBidOnAuction', body, (data) => {
        page.known.reader.notePseudonym(id, data.yourPseudonym ?? data.bidderId)
        page.known.reader.bidOn.add(id)
        Object.assign(actions, { amount: undefined, isAmountTyped: false, isTyped: false, maximum: '' })
        const isGood = data.youLead ?? page.known.reader.isSelf(id)(data.leaderId)
        const name = data.raisesMaximum ? 'maximumRaised' : 'bidLeads'
        return { isGood, isLead: isGood, text: page.format.text(isGood ? name : 'bidOutbid') }
      })
    },
  }

  /** @param {Page} page @param {Refusal} refusal */
  function refuse(page, refusal) {
    if (refusal.status === 401) page.known.noteSignedOut()
    actions.outcome = refusalOf(page, id, refusal)
    actions.errors = errorsOf(page.format, refusal)
  }
  return actions
}

/** The texts of refusals that have no values, by their codes. @type {Record<string, import('../format.js').TextName>} */
const refusalTexts = {
  unauthenticated: 'signInAndSend',
  'auction-not-started': 'notStarted',
  'auction-ended': 'hasEnded',
  'auction-cancelled': 'wasCancelled',
  'maximum-not-raised': 'maximumNotRaised',
  'owner-cannot-bid': 'ownAuction',
  'bidder-blocked': 'blocked',
  'no-bids-of-bidder': 'noBidsOfBidder',
  'precondition-failed': 'auctionChanged',
}

/** @param {Page} page @param {number} id @param {Refusal} refusal @returns {Outcome} */
function refusalOf({ known, format }, id, { code, message, ...members }) {
  const auction = known.auctions.get(id)
  const { minimumNextBid, maximumNextBid, buyNowPrice, errors = [] } = members
  const { text } = format
  const price = (/** @type {number} */ amount) => ({
    price: auction === undefined ? '' : format.money(amount, auction),
  })
  /** @param {import('../format.js').TextName} name @returns {Outcome} */
  const withOffer = (name) =>
    typeof minimumNextBid === 'number'
      ? {
          isGood: false,
          text: `${text(name)} ${text('nextBidIsAtLeast', price(minimumNextBid))}`,
          offer: minimumNextBid,
        }
      : { isGood: false, text: text(name) }
  if (code === 'bid-too-low') return withOffer('bidTooLow')
  if (code === 'buy-now-not-offered') return withOffer('buyNowOver')
  if (code === 'bid-too-high' && typeof maximumNextBid === 'number')
    return { isGood: false, text: text('bidTooHigh', price(maximumNextBid)) }
  if (code === 'buy-now-is-lower' && typeof buyNowPrice === 'number')
    return { isGood: false, text: text('buyNowIsLower', price(buyNowPrice)) }
  const name = refusalTexts[code]
  if (name !== undefined) return { isGood: false, text: text(name) }
  const [error] = errors
  return {
    isGood: false,
    text: error === undefined ? message : `${error.pointer.split('/').at(-1)} ${error.message}.`,
  }
}

/** What the user may do. @param {Page} page @param {import('./auction.js').Detail} detail @param {Auction} auction */
export function actionsView(page, detail, auction) {
  const { actions } = detail
  const { session } = page.known.reader
  const { pending, outcome } = actions
  const isSeller = page.known.reader.isSelf(auction.id)(auction.ownerId)
  if (auction.result !== null && pending === '' && outcome === undefined) return nothing
  const isOpen = auction.result === null
  const mayLower = isOpen && auction.reserveMet !== undefined && session.correct && isSeller && !session.manage
  return html`
    <div class="actions" aria-busy=${pending !== ''}>
      ${isOpen && session.bid && !isSeller ? bidView(page, auction, actions) : nothing}
      ${isOpen && session.bid && isSeller ? html`<p class="hint">${page.format.text('ownAuction')}</p>` : nothing}
      ${pending === '' ? nothing : html`<p class="hint">${pending}</p>`}
      ${outcome === undefined ? nothing : outcomeView(page, auction, actions, outcome)}
      ${isOpen && session.bid && !isSeller && auction.buyNowOffered ? buyView(page, auction, actions) : nothing}
      ${isOpen && session.correct && isSeller && auction.bidCount === 0 ? correctView(page, detail, auction) : nothing}
      ${mayLower ? lowerView(page, auction, actions, false) : nothing}
      ${isOpen && session.cancel && isSeller ? cancelView(page, auction, actions) : nothing}
      ${isOpen && session.manage ? staffView(page, detail, auction) : nothing}
    </div>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions @param {Outcome} outcome */
function outcomeView(page, auction, actions, { isGood, text, offer, isLead }) {
  const { format } = page
  const { reader } = page.known
  const leads = auction.result === null && reader.leads(auction)
  if (isLead && !leads) return nothing
  const values = offer === undefined ? {} : { price: format.money(offer, auction), user: reader.user }
  return html`
    <p class=${isGood ? 'good' : 'problem'}>${text}
      ${
        offer === undefined
          ? nothing
          : html`<button @click=${() => void actions.bid(page, offer, undefined)}>${format.text('bidAsUser', values)}</button>`
      }
    </p>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function bidView(page, auction, actions) {
  const { format } = page
  const { text } = format
  const { currency, minimumNextBid } = auction
  if (minimumNextBid === null) return html`<p class="hint">${text('noHigherBid')}</p>`
  const money = (/** @type {number} */ value) => format.money(value, auction)
  const least = format.editable(minimumNextBid, currency)
  const shown = actions.amount ?? least
  const amount = format.parse(shown, currency)
  const maximum = actions.maximum.trim() === '' ? undefined : format.parse(actions.maximum, currency)
  const isWrong = amount === undefined || (maximum === undefined && actions.maximum.trim() !== '')
  // The current price is no bid: with it, only the maximum of the leader rises.
  const isRaise = !actions.isAmountTyped && maximum !== undefined && page.known.reader.leads(auction)
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    if (!isWrong) actions.bidOrAsk(page, auction, isRaise ? auction.currentPrice : amount, maximum)
  }
  /** @param {'amount' | 'maximum'} name */
  const onInput =
    (name) =>
    (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
      actions[name] = currentTarget.value
      actions.isTyped = true
      actions.question = undefined
      if (name === 'amount') actions.isAmountTyped = true
      page.schedule()
    }
  // While the pointer or the focus is in the form, the amount stays: it must not change just before a click.
  const hold = () => {
    actions.amount ??= least
  }
  /** @param {Event & { currentTarget: HTMLElement }} event */
  const release = ({ currentTarget }) => {
    if (!actions.isTyped && !currentTarget.matches(':hover, :focus-within')) actions.amount = undefined
  }
  const bidText = amount === undefined ? text('bidButton') : text('bidOf', { price: money(amount) })
  const buttonText = isRaise ? text('raiseMaximum', { price: money(maximum) }) : bidText
  return html`
    <form class="bid" @submit=${submit} @focusin=${hold} @pointerenter=${hold} @focusout=${release} @pointerleave=${release}>
      <label>${text('yourBid', { currency })}
        <input name="amount" inputmode="decimal" autocomplete="off" .value=${shown} aria-invalid=${amount === undefined} @input=${onInput('amount')}></label>
      <label>${text('maximumField')}
        <input name="maximum" inputmode="decimal" autocomplete="off" .value=${actions.maximum} @input=${onInput('maximum')}></label>
      ${isWrong ? html`<p class="problem">${text('enterAmounts', { example: least })}</p>` : nothing}
      ${
        amount !== undefined && amount < minimumNextBid && actions.pending === ''
          ? html`<p class="hint">${text('minimumIsNow', { price: money(minimumNextBid) })}
              <button type="button" @click=${() => {
                actions.amount = least
                page.schedule()
              }}>${text('useThisAmount')}</button></p>`
          : nothing
      }
      <button class="main">${buttonText}</button>
      ${questionView(page, auction, actions)}
    </form>`
}

/** Below the button of the form, so that a second click there confirms nothing. @param {Page} page @param {Auction} auction @param {Actions} actions */
function questionView(page, auction, { question, bid }) {
  const { format } = page
  const { minimumNextBid, currency } = auction
  if (question === undefined || minimumNextBid === null) return nothing
  const { amount, maximum } = question
  // The price may have risen since.
  if (!isMuchMore(amount, minimumNextBid, currency)) return nothing
  const price = format.money(amount, auction)
  return html`
    <p class="problem">${format.text('muchMore', { price, least: format.money(minimumNextBid, auction) })}
      <button type="button" @click=${() => void bid(page, amount, maximum)}>${format.text('yesBid', { price })}</button></p>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function buyView(page, auction, actions) {
  const { format } = page
  const price = format.money(auction.buyNowPrice ?? 0, auction)
  const buy = () =>
    void actions.send(page, 'buyNow', { buyerId: page.known.reader.user }, () => ({
      isGood: true,
      text: format.text('boughtIt', { price }),
    }))
  return html`
    <details>
      <summary><span>${format.text('buyNowFor', { price })}</span></summary>
      <p>${format.text('buyEnds')}</p>
      <button @click=${buy}>${format.text('buyFor', { price })}</button>
    </details>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function cancelView(page, auction, actions) {
  if (auction.bidCount > 0 && !auction.cancellableUntilEnd) return nothing
  const { text } = page.format
  /** @param {SubmitEvent} event */
  function cancel(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const reason = String(new FormData(form).get('reason')).trim()
    void actions.send(page, 'cancelAuction', reason === '' ? {} : { reason }, () => ({
      isGood: true,
      text: text('auctionWasCancelled'),
    }))
  }
  return html`
    <details>
      <summary><span>${text('cancelAuction')}</span></summary>
      <form @submit=${cancel}>
        <label>${text('reasonOptional')} <input name="reason" maxlength="500" autocomplete="off"></label>
        <button>${text('cancelAuction')}</button>
      </form>
    </details>`
}
