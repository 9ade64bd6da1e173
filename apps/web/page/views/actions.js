import { createKeys, Problem } from '../client/client.js'
import { editableAmount, isMuchMore, parseAmount } from '../client/money.js'
import { money } from '../format.js'
import { html, nothing } from '../html.js'
import { correctView } from './correct.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {ReturnType<typeof createActions>} Actions
 * @typedef {{ isGood: boolean, text: string, offer?: number }} Outcome What happened, and an amount that would be accepted.
 */

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
    /** The request in progress. */
    pending: '',
    /** @type {Outcome | undefined} */
    outcome: undefined,

    /**
     * Sends a request once, however often it is called, and until it has an answer.
     * @param {Page} page @param {string} path @param {object} body @param {(data: any) => Outcome} outcomeOf
     * @param {{ method?: string, headers?: Record<string, string> }} [options] @returns {Promise<void>}
     */
    async send(page, path, body, outcomeOf, options) {
      const isRepeated = !actions.isTyped && performance.now() - doneAtMs < doubleClickMs
      if (actions.pending !== '' || isRepeated) return
      actions.pending = 'Sending…'
      actions.outcome = undefined
      actions.question = undefined
      page.schedule()
      try {
        const onRetry = () => {
          actions.pending = 'No response yet. Sending it again; it counts only once.'
          page.schedule()
        }
        const data = await page.client.send(path, body, { ...options, key: keys.of(path, body), onRetry })
        actions.outcome = outcomeOf(data)
        keys.done()
        doneAtMs = performance.now()
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.status === 401) page.state.isSignedOut = true
        actions.outcome = refusal(page, error)
        if (!error.isTemporary) keys.done()
      } finally {
        actions.pending = ''
        page.announce(actions.outcome?.text ?? '')
        page.state.detail.refresh(page)
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
      page.announce('Is this amount right?')
      page.schedule()
    },

    /** @param {Page} page @param {number} amount @param {number | undefined} maximumAmount @returns {Promise<void>} */
    bid(page, amount, maximumAmount) {
      const body = {
        auctionId: id,
        bidderId: page.state.user,
        amount,
        ...(maximumAmount !== undefined && { maximumAmount }),
      }
      return actions.send(page, 'api/Bids', body, (data) => {
        if (data.bidderId < 0) page.pseudonyms.set(id, data.bidderId)
        Object.assign(actions, { amount: undefined, isAmountTyped: false, isTyped: false, maximum: '' })
        const isGood = data.youLead ?? page.isSelf(id)(data.leaderId)
        if (!isGood) return { isGood, text: 'Your bid was placed, but another bidder’s maximum outbid it.' }
        return { isGood, text: data.raisesMaximum ? 'Your maximum was raised.' : 'Your bid leads.' }
      })
    },
  }
  return actions
}

/** @param {Page} page @param {Problem} problem @returns {Outcome} */
function refusal(page, problem) {
  const auction = page.auctions.get(page.state.detail.id)
  const { minimumNextBid, maximumNextBid, buyNowPrice } = problem.members
  const offer = typeof minimumNextBid === 'number' ? { offer: minimumNextBid } : {}
  const next = auction && offer.offer !== undefined ? ` The next bid is at least ${money(offer.offer, auction)}.` : ''
  if (problem.isTemporary)
    return {
      isGood: false,
      text: 'The service is unavailable or busy, and may not have received this. Send it again; it counts only once.',
    }
  if (problem.code === 'bid-too-low') return { isGood: false, text: `The bid is too low.${next}`, ...offer }
  if (problem.code === 'bid-too-high' && auction && typeof maximumNextBid === 'number')
    return { isGood: false, text: `The bid is too high. The next bid is at most ${money(maximumNextBid, auction)}.` }
  if (problem.code === 'buy-now-is-lower' && auction && typeof buyNowPrice === 'number')
    return { isGood: false, text: `You can buy it now for ${money(buyNowPrice, auction)}, so a bid must be lower.` }
  if (problem.code === 'buy-now-not-offered')
    return { isGood: false, text: `The buy-now offer has ended.${next}`, ...offer }
  if (problem.code === 'precondition-failed')
    return { isGood: false, text: 'The auction has changed. Check its values, and send the correction again.' }
  const [error] = problem.members.errors ?? []
  if (error !== undefined) return { isGood: false, text: `${error.pointer.split('/').at(-1)} ${error.message}.` }
  return { isGood: false, text: problem.message }
}

/** What the user may do. @param {Page} page @param {Auction} auction @param {Actions} actions */
export function actionsView(page, auction, actions) {
  const { session } = page.state
  const { pending, outcome } = actions
  const isSeller = page.isSelf(auction.id)(auction.ownerId)
  const isOpen = auction.result === null
  return html`
    <div class="actions" aria-busy=${pending !== ''}>
      ${isOpen && session.bid && !isSeller ? bidView(page, auction, actions) : nothing}
      ${isOpen && session.bid && isSeller ? html`<p class="hint">This is your auction, so you cannot bid on it.</p>` : nothing}
      ${pending === '' ? nothing : html`<p class="hint">${pending}</p>`}
      ${outcome === undefined ? nothing : outcomeView(page, auction, actions, outcome)}
      ${isOpen && session.bid && !isSeller && auction.buyNowOffered ? buyView(page, auction, actions) : nothing}
      ${isOpen && session.correct && isSeller && auction.bidCount === 0 ? correctView(page, auction, actions) : nothing}
      ${isOpen && session.cancel && isSeller ? cancelView(page, auction, actions) : nothing}
    </div>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions @param {Outcome} outcome */
function outcomeView(page, auction, actions, { isGood, text, offer }) {
  const { user } = page.state
  return html`
    <p class=${isGood ? 'good' : 'problem'}>${text}
      ${
        offer === undefined
          ? nothing
          : html`<button @click=${() => void actions.bid(page, offer, undefined)}>Bid ${money(offer, auction)} as user ${user}</button>`
      }
    </p>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function bidView(page, auction, actions) {
  const { currency, minimumNextBid } = auction
  if (minimumNextBid === null) return html`<p class="hint">No higher bid is possible.</p>`
  const least = editableAmount(minimumNextBid, currency)
  const shown = actions.amount ?? least
  const amount = parseAmount(shown, currency)
  const maximum = actions.maximum.trim() === '' ? undefined : parseAmount(actions.maximum, currency)
  const isWrong = amount === undefined || (maximum === undefined && actions.maximum.trim() !== '')
  // The current price is no bid: with it, only the maximum of the leader rises.
  const isRaise = !actions.isAmountTyped && maximum !== undefined && page.isSelf(auction.id)(auction.leaderId)
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
  return html`
    <form class="bid" @submit=${submit} @focusin=${hold} @pointerenter=${hold} @focusout=${release} @pointerleave=${release}>
      <label>Your bid (${currency})
        <input name="amount" inputmode="decimal" autocomplete="off" .value=${shown} aria-invalid=${amount === undefined} @input=${onInput('amount')}></label>
      <label>Maximum, for automatic bids (optional)
        <input name="maximum" inputmode="decimal" autocomplete="off" .value=${actions.maximum} @input=${onInput('maximum')}></label>
      ${isWrong ? html`<p class="problem">Enter amounts such as ${least}.</p>` : nothing}
      ${
        amount !== undefined && amount < minimumNextBid && actions.pending === ''
          ? html`<p class="hint">The minimum is now ${money(minimumNextBid, auction)}.
              <button type="button" @click=${() => {
                actions.amount = least
                page.schedule()
              }}>Use this amount</button></p>`
          : nothing
      }
      <button class="main">${isRaise ? `Raise your maximum to ${money(maximum, auction)}` : bidText(amount, auction)}</button>
      ${questionView(page, auction, actions)}
    </form>`
}

/** Below the button of the form, so that a second click there confirms nothing. @param {Page} page @param {Auction} auction @param {Actions} actions */
function questionView(page, auction, { question, bid }) {
  const { minimumNextBid, currency } = auction
  if (question === undefined || minimumNextBid === null) return nothing
  const { amount, maximum } = question
  // The price may have risen since.
  if (!isMuchMore(amount, minimumNextBid, currency)) return nothing
  return html`
    <p class="problem">${money(amount, auction)} is more than ten times the minimum of ${money(minimumNextBid, auction)}.
      <button type="button" @click=${() => void bid(page, amount, maximum)}>Yes, bid ${money(amount, auction)}</button></p>`
}

/** @param {number | undefined} amount @param {Auction} auction */
const bidText = (amount, auction) => (amount === undefined ? 'Bid' : `Bid ${money(amount, auction)}`)

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function buyView(page, auction, actions) {
  const price = money(auction.buyNowPrice ?? 0, auction)
  const buy = () =>
    void actions.send(page, `api/Auctions/${auction.id}/Purchase`, { buyerId: page.state.user }, () => ({
      isGood: true,
      text: `You bought it for ${price}.`,
    }))
  return html`
    <details>
      <summary><span>Buy now for ${price}</span></summary>
      <p>This ends the auction.</p>
      <button @click=${buy}>Buy for ${price}</button>
    </details>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions */
function cancelView(page, auction, actions) {
  if (auction.bidCount > 0 && !auction.cancellableUntilEnd) return nothing
  /** @param {SubmitEvent} event */
  function cancel(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const reason = String(new FormData(form).get('reason')).trim()
    void actions.send(page, `api/Auctions/${auction.id}/Cancellation`, reason === '' ? {} : { reason }, () => ({
      isGood: true,
      text: 'The auction was cancelled.',
    }))
  }
  return html`
    <details>
      <summary><span>Cancel the auction</span></summary>
      <form @submit=${cancel}>
        <label>Reason, visible to everyone (optional) <input name="reason" maxlength="500" autocomplete="off"></label>
        <button>Cancel the auction</button>
      </form>
    </details>`
}
