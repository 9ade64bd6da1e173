import { bidderCountOf } from '../formats/sealed.js'
import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { phaseOf } from '../times.js'
/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Actions } from './actions.js' */
/** @import { Detail } from './auction.js' */
/** @import { Question } from './frame.js' */

/** What the winner pays, who sees what, and what only the user may see. @param {Page} page @param {Detail} _detail @param {Auction} auction */
export function sealedTerms({ format, known: { reader } }, _detail, auction) {
  const { text, money } = format
  const { result, reservePrice, reveal } = auction
  const bid = reader.sealedBidIn(auction)
  const count = bidderCountOf(auction)
  const isSeller = reader.isSelf(auction.id)(auction.ownerId)
  const secret = text(isSeller ? 'secretToSeller' : 'secretToAll')
  return html`
    <div class="terms">
      <p><strong>${text('formatSealed')}</strong>${count === undefined ? nothing : html` <span class="hint">${text('bidderCount', { count })}</span>`}</p>
      <p>${formatOf(auction).rule(format, auction)}</p>
      ${
        result === null
          ? html`<p>${secret} ${text(reveal === 'bids' ? 'afterEndBids' : 'afterEndResult')}</p>${isSeller ? nothing : html`<p>${text('replaceable')}</p>`}`
          : nothing
      }
      ${result !== null && typeof bid === 'number' ? html`<p>${text('yourSealedBid', { price: money(bid, auction) })}</p>` : nothing}
      ${reservePrice === undefined ? nothing : html`<p>${text('yourReserve', { price: money(reservePrice, auction) })}</p>`}
    </div>`
}

/** The form of a sealed bid. @param {Page} page @param {Actions} actions @param {Auction} auction */
export function sealView(page, actions, auction) {
  const { format, known } = page
  const { text } = format
  if (phaseOf(auction, known.now()) === 'ending') return html`<p class="hint">${text('resultFollows')}</p>`
  const bid = known.reader.sealedBidIn(auction)
  const hasBid = typeof bid === 'number'
  const isWrong = actions.form === 'placeBidOnAuction' && actions.outcome?.isGood === false
  /** @param {{ currentTarget: HTMLInputElement }} event */
  function type({ currentTarget }) {
    actions.amount = currentTarget.value
    actions.outcome = undefined
    page.schedule()
  }
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  function submit(event) {
    event.preventDefault()
    askToSeal(page, actions, auction, hasBid)
    if (page.question === undefined) event.currentTarget.querySelector('input')?.focus()
  }
  return html`
    <form class="bid" novalidate @submit=${submit}>
      <label><span>${text(hasBid ? 'newBid' : 'yourBid', { currency: auction.currency })}</span>
        <input name="amount" inputmode="decimal" autocomplete="off" .value=${actions.amount ?? ''} aria-invalid=${isWrong} aria-describedby="bar-message" @input=${type}></label>
      <button class="main">${text(hasBid ? 'replaceBid' : 'placeSealedBid')}</button>
      ${bid === undefined ? html`<p class="hint">${text('bidUnknown')}</p>` : nothing}
      ${withdrawView(page, actions, auction)}
    </form>`
}

/** The button that withdraws a bid, if the user may have one. @param {Page} page @param {Actions} actions @param {Auction} auction */
export function withdrawView(page, actions, auction) {
  const bid = page.known.reader.sealedBidIn(auction)
  if (bid !== undefined && typeof bid !== 'number') return nothing
  return html`<button type="button" @click=${() => askToWithdraw(page, actions, auction)}>${page.format.text('withdrawOwn')}</button>`
}

/** Sends what the field contains after a question, because a wrong amount shows nowhere before the end. @param {Page} page @param {Actions} actions @param {Auction} auction @param {boolean} hasBid */
function askToSeal(page, actions, auction, hasBid) {
  const { format, known } = page
  const { text, money } = format
  const { id, currency, startingPrice } = auction
  const typed = actions.amount ?? ''
  const amount = format.parse(typed, currency)
  const isLow = amount !== undefined && amount < startingPrice
  const problem = isLow
    ? text('atLeast', { price: money(startingPrice, auction) })
    : (format.amountProblem(typed, currency) ?? actions.registration?.limitProblem(amount))
  actions.show('placeBidOnAuction', problem === undefined ? undefined : { isGood: false, text: problem })
  if (problem !== undefined || amount === undefined) return page.schedule()
  const price = money(amount, auction)
  const send = () =>
    void actions.send(page, 'placeBidOnAuction', { bidderId: known.reader.user, amount }, (data) => {
      known.reader.noteSealedBid(id, data.amount)
      known.reader.notePseudonym(id, data.yourPseudonym ?? data.bidderId)
      actions.amount = undefined
      return { isGood: true, text: text(hasBid ? 'bidReplaced' : 'bidSealed') }
    })
  ask(page, actions, {
    title: text('isAmountRight'),
    text: () => text('sealQuestion', { price }),
    yes: text('yesBid', { price }),
    send,
  })
}

/** @param {Page} page @param {Actions} actions @param {Auction} auction */
function askToWithdraw(page, actions, auction) {
  const {
    format: { text },
    known: { reader },
  } = page
  const send = () =>
    void actions.send(page, 'withdrawOwnBid', { bidderId: reader.user }, () => {
      reader.noteSealedBid(auction.id, 'withdrawn')
      return { isGood: true, text: text('ownBidWithdrawn') }
    })
  ask(page, actions, {
    title: text('withdrawOwn'),
    text: () => text('withdrawQuestion'),
    yes: text('yesWithdraw'),
    isDangerous: true,
    send,
  })
}

/** Asks before something is sent. What follows a question is no part of a double click. @param {Page} page @param {Actions} actions @param {Question} question */
function ask(page, actions, { send, ...question }) {
  page.ask({
    ...question,
    send() {
      actions.isTyped = true
      send()
    },
  })
}
