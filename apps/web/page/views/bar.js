import { isLarge, priceOf, raisedBy } from '../amounts.js'
import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { phaseOf } from '../times.js'
import { takeView } from './buying.js'
import { standingText } from './card.js'
import { sealView, withdrawView } from './sealing.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Actions } from './actions.js' */
/** @import { Detail } from './auction.js' */

/** The bar in which the user bids. It stays in its place: at the bottom of a phone, and below the price in a wide window. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function barView(page, detail, auction) {
  const { actions } = detail
  const isBarred = auction.result === null && actions.isBarred(page, auction)
  const content = auction.result === null ? contentView(page, actions, auction) : nothing
  const message = messageView(page, actions, auction)
  if (content === nothing && message === nothing) return nothing
  return html`
    <div class="bar panel" aria-busy=${actions.pending !== ''} ?data-barred=${isBarred}>
      <div class="messages">${message}</div>
      ${content === nothing ? nothing : statusView(page, auction)}
      ${content}
    </div>`
}

/** A line for phones, on which the price may be out of sight. @param {Page} page @param {Auction} auction */
function statusView(page, auction) {
  const { format, known } = page
  const standing = known.reader.standingOf(auction)
  const nowMs = known.now()
  const { mark, nextMark } = formatOf(auction)
  const price = priceOf(auction, nowMs)
  const left =
    nextMark === undefined
      ? html`<span class="left" data-phase=${phaseOf(auction, nowMs)}>${format.timeLeft(auction, nowMs)}</span>`
      : html`<span>${nextMark(format, auction, nowMs)}</span>`
  const neutral = nextMark === undefined ? mark(format, auction, nowMs) : ''
  const where = standing === 'none' ? neutral : standingText(page, auction, standing, 'yourSealedBid')
  return html`
    <p class="now" data-standing=${standing} aria-hidden="true">
      ${price === undefined ? nothing : html`<span class="price">${format.money(price, auction)}</span>`} <span class="where">${where}</span> ${left}</p>`
}

/** What readers do, by the `action` of the format. */
const forms = { bid: bidView, buy: takeView, seal: sealView }

/** @param {Page} page @param {Actions} actions @param {Auction} auction */
function contentView(page, actions, auction) {
  const { format, known, options } = page
  const { text } = format
  const { reader } = known
  const { signIn, action } = formatOf(auction)
  const isSoon = phaseOf(auction, known.now()) === 'soon'
  if (reader.isVisitor()) {
    if (isSoon) return nothing
    if (options.signIn === undefined && options.acceptToken === undefined)
      return html`<p class="hint">${text(signIn)}</p>`
    return html`<button class="main" @click=${page.signIn}>${text(signIn)}</button>`
  }
  if (!reader.session.bid || reader.isSelf(auction.id)(auction.ownerId)) return nothing
  const { registration } = actions
  if (!actions.isBarred(page, auction)) {
    const notes = registration?.notesView() ?? nothing
    return isSoon ? notes : [notes, forms[action](page, actions, auction)]
  }
  // An offer to another bidder has its note in the terms.
  const barred = registration?.mayBid === false ? registration.barredView(page, actions) : nothing
  return action === 'seal' ? [barred, withdrawView(page, actions, auction)] : barred
}

/** What is in the fields of a bid, and what the button does. @param {Page} page @param {Actions} actions @param {Auction} auction */
function draftOf({ format, known }, actions, auction) {
  const { currency, startingPrice, currentPrice = startingPrice, minimumNextBid } = auction
  const leads = known.reader.leads(auction) === true
  const least = format.editable(minimumNextBid ?? 0, currency)
  const shown = actions.amount ?? (leads ? '' : least)
  const maximumShown = actions.maximum.trim()
  const amount = shown.trim() === '' ? undefined : format.parse(shown, currency)
  const maximum = maximumShown === '' ? undefined : format.parse(maximumShown, currency)
  // The current price is no bid: with it, only the maximum of the leader rises.
  const isRaise = leads && shown.trim() === ''
  const limitProblem = (/** @type {number | undefined} */ value) => actions.registration?.limitProblem(value)
  const wrong = {
    amount: isRaise ? undefined : (format.amountProblem(shown, currency) ?? limitProblem(amount)),
    maximum: maximumShown === '' ? undefined : (format.amountProblem(maximumShown, currency) ?? limitProblem(maximum)),
  }
  const isWrong = wrong.amount !== undefined || wrong.maximum !== undefined
  return { leads, least, shown, amount: isRaise ? currentPrice : amount, maximum, isRaise, wrong, isWrong }
}

/** @param {Page} page @param {Actions} actions @param {Auction} auction */
function bidView(page, actions, auction) {
  const { text } = page.format
  if (auction.minimumNextBid === null) return html`<p class="hint">${text('noHigherBid')}</p>`
  const draft = draftOf(page, actions, auction)
  const { leads, least, shown, wrong } = draft
  const { currency } = auction
  /** @param {'amount' | 'maximum'} name */
  const onInput =
    (name) =>
    (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
      actions[name] = currentTarget.value
      actions.isTyped = true
      actions.outcome = undefined
      if (name === 'amount') actions.isAmountTyped = currentTarget.value !== ''
      page.schedule()
    }
  // While the pointer or the focus is in the form, the amount stays: it must not change just before a click.
  const hold = () => {
    if (!leads) actions.amount ??= least
  }
  /** @param {Event & { currentTarget: HTMLElement }} event */
  const release = ({ currentTarget }) => {
    if (!actions.isAmountTyped && !currentTarget.matches(':hover, :focus-within')) actions.amount = undefined
  }
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    submitDraft(page, actions, auction, draft)
  }
  const field = (
    /** @type {'amount' | 'maximum'} */ name,
    /** @type {string} */ label,
    /** @type {string} */ value,
  ) => html`
    <label><span>${label}</span>
      <input name=${name} inputmode="decimal" autocomplete="off" placeholder=${(name === 'amount') === leads ? text('optional') : nothing} .value=${value} aria-invalid=${wrong[name] !== undefined}
        aria-describedby="bar-message" @input=${onInput(name)}></label>`
  const amountField = field('amount', text(leads ? 'raiseBidField' : 'yourBid', { currency }), shown)
  const maximumField = field('maximum', text(leads ? 'newMaximumField' : 'maximumField', { currency }), actions.maximum)
  return html`
    <form class="bid" novalidate @submit=${submit} @focusin=${hold} @pointerenter=${hold} @focusout=${release} @pointerleave=${release}>
      <div class="pair">${leads ? [maximumField, amountField] : [amountField, maximumField]}</div>
      <button class="main">${buttonText(page, auction, draft)}</button>
    </form>`
}

/** @typedef {ReturnType<typeof draftOf>} Draft */

/** @param {Page} page @param {Auction} auction @param {Draft} draft */
function buttonText({ format: { text, money } }, auction, { amount, maximum, isRaise }) {
  if (isRaise)
    return maximum === undefined ? text('raiseMaximum') : text('raiseMaximumTo', { price: money(maximum, auction) })
  return amount === undefined ? text('bidButton') : text('bidOf', { price: money(amount, auction) })
}

/** Sends what the fields contain. A large amount is sent after a question. @param {Page} page @param {Actions} actions @param {Auction} auction @param {Draft} draft */
function submitDraft(page, actions, auction, { amount, maximum, isRaise, isWrong }) {
  if (isWrong || amount === undefined) return
  const { format } = page
  if (isRaise && maximum === undefined) {
    const raised = raisedBy(auction, auction.yourMaximum ?? auction.currentPrice ?? 0)
    if (raised !== undefined) actions.maximum = format.editable(raised, auction.currency)
    return page.schedule()
  }
  const most = Math.max(amount, maximum ?? 0)
  const send = () => void bid(page, actions, auction.id, amount, maximum)
  if (!isLarge(most, auction)) return send()
  const least = format.money(auction.minimumNextBid ?? 0, auction)
  const values = { price: format.money(amount, auction), most: format.money(most, auction), least }
  const hasMaximum = most > amount
  page.ask({
    title: format.text('isAmountRight'),
    text: () => format.text(isRaise ? 'largeRaise' : hasMaximum ? 'largeMaximum' : 'largeBid', values),
    yes: format.text(isRaise ? 'yesRaise' : hasMaximum ? 'yesBidUpTo' : 'yesBid', values),
    send,
  })
}

/** @param {Page} page @param {Actions} actions @param {number} id @param {number} amount @param {number | undefined} maximumAmount @returns {Promise<void>} */
function bid(page, actions, id, amount, maximumAmount) {
  const { reader } = page.known
  const body = { bidderId: reader.user, amount, ...(maximumAmount !== undefined && { maximumAmount }) }
  return actions.send(page, 'placeBidOnAuction', body, (data) => {
    reader.notePseudonym(id, data.yourPseudonym ?? data.bidderId)
    reader.bidOn.add(id)
    Object.assign(actions, { amount: undefined, isAmountTyped: false, isTyped: false, maximum: '' })
    const isGood = data.youLead ?? reader.isSelf(id)(data.leaderId)
    const name = data.raisesMaximum ? 'maximumRaised' : 'bidLeads'
    return { isGood, isLead: isGood, text: page.format.text(isGood ? name : 'bidOutbid') }
  })
}

const noProblems = { amount: undefined, maximum: undefined }

/** One message: the error of a field, the request, what came of it, or that the minimum has risen. @param {Page} page @param {Actions} actions @param {Auction} auction */
function messageView(page, actions, auction) {
  const { text } = page.format
  const { pending, outcome, form } = actions
  const isOwn = form === 'placeBidOnAuction' || form === 'buyNow' || form === 'withdrawOwnBid'
  if (isOwn && pending !== '') return html`<p id="bar-message" class="hint">${pending}</p>`
  if (auction.result === null && actions.isBarred(page, auction) && outcome?.isGood !== true) return nothing
  const canBid = auction.result === null && page.known.reader.session.bid && formatOf(auction).action === 'bid'
  const { amount, maximum } = canBid ? draftOf(page, actions, auction).wrong : noProblems
  if (amount ?? maximum) return html`<p id="bar-message" class="problem">${amount ?? maximum}</p>`
  if (isOwn && outcome !== undefined && (!outcome.isLead || (canBid && page.known.reader.leads(auction)))) {
    const { offer, isGood } = outcome
    const useOffer = offer === undefined || !canBid ? nothing : useView(page, actions, auction, offer, 'bidOf')
    return html`<p id="bar-message" class=${isGood ? 'good' : 'problem'}>${outcome.text} ${useOffer}</p>`
  }
  const { minimumNextBid, currency } = auction
  const shown = actions.amount === undefined ? undefined : page.format.parse(actions.amount, currency)
  if (!canBid || minimumNextBid == null || shown === undefined || shown >= minimumNextBid) return nothing
  const price = page.format.money(minimumNextBid, auction)
  return html`
    <p id="bar-message" class="hint">${text('minimumIsNow', { price })} ${useView(page, actions, auction, minimumNextBid, 'useThisAmount')}</p>`
}

/** A button that bids an amount, or puts it into the field. @param {Page} page @param {Actions} actions @param {Auction} auction @param {number} amount @param {'bidOf' | 'useThisAmount'} name */
function useView(page, actions, auction, amount, name) {
  const { format } = page
  function use() {
    if (name === 'bidOf') void bid(page, actions, auction.id, amount, undefined)
    else actions.amount = format.editable(amount, auction.currency)
    page.schedule()
  }
  return html`<button type="button" @click=${use}>${format.text(name, { price: format.money(amount, auction) })}</button>`
}
