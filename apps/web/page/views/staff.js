import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { endMs, isolated, localTime, parseLocalTime } from '../times.js'
import { outcomeView } from './actions.js'
import { errorView, fieldView } from './fields.js'

/**
 * @import { Page } from '../app.js'
 * @import { Auction, Bid } from '../client.js'
 * @import { TextName } from '../format.js'
 * @import { Actions, Operation } from './actions.js'
 * @import { Detail } from './auction.js'
 * @typedef {{ body?: object, action?: string, effect?: string, errors?: Record<string, string> }} Reading What is sent, and what it does.
 * @typedef {object} Repair
 * @property {Operation} operation
 * @property {TextName} title
 * @property {TextName} [hint]
 * @property {TextName} done What the page shows afterwards.
 * @property {unknown} [fields]
 * @property {boolean} needsReason
 * @property {(form: FormData) => Reading} [read]
 */

const quarterMs = 900_000

/** What staff may change in a running auction, each with its reason. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function staffView(page, detail, auction) {
  const { text } = page.format
  const { session } = page.known.reader
  /** @type {Repair} */
  const ending = {
    operation: 'endAuction',
    title: 'endAuction',
    hint: formatOf(auction).endHint,
    done: 'auctionEnding',
    needsReason: true,
  }
  const managing = [
    extension(page, detail, auction),
    withdrawal(page, detail, auction),
    ...(auction.reserveMet === undefined ? [] : [lowering(page, detail, auction, true)]),
    ending,
  ]
  const repairs = [...(session.manage ? managing : []), ...(session.cancelAny ? [cancellation(true)] : [])]
  return html`
    <section class="staff" aria-labelledby="staff-title">
      <h2 id="staff-title">${text('staff')}</h2>
      <p class="hint">${text('staffHint')}</p>
      ${repairs.map((repair) => repairForm(page, detail, repair))}
    </section>`
}

/** @param {Page} page @param {Detail} detail @param {Auction} auction @returns {Repair} */
function extension({ format, known: { now } }, { actions }, auction) {
  const value = localTime(Math.max(endMs(auction), now()) + quarterMs)
  const label = format.text('newEnd', { zone: isolated(format.timeZone) })
  const moment = (/** @type {number} */ ms) => isolated(format.moment(ms, now()))
  return {
    operation: 'extendAuction',
    title: 'extendAuction',
    done: 'auctionExtended',
    fields: fieldView(format, 'endTime', errorOf(actions, 'extendAuction', 'endTime'), {
      value,
      isRequired: true,
      label,
    }),
    needsReason: true,
    read(form) {
      const time = parseLocalTime(String(form.get('endTime')))
      if (!('ms' in time)) return { errors: { endTime: format.text(time.error) } }
      if (time.ms <= endMs(auction)) return { errors: { endTime: format.text('laterThanEnd') } }
      const values = { from: moment(endMs(auction)), time: moment(time.ms) }
      const body = { endTime: new Date(time.ms).toISOString() }
      return { body, action: format.text('extendTo', values), effect: format.text('extendEffect', values) }
    },
  }
}

/** @param {Page} page @param {Detail} detail @param {Auction} auction @returns {Repair} */
function withdrawal({ format, known: { reader } }, { actions, history }, auction) {
  const isSelf = reader.isSelf(auction.id)
  const { withdrawal: effects, hasPriceHistory } = formatOf(auction)
  const counting = history.bids.filter(({ withdrawn, bidderId }) => !withdrawn && bidderId > 0)
  const bidders = new Map(counting.map(({ bidderId, paddle }) => [format.bidder(bidderId, isSelf, paddle), bidderId]))
  const error = errorOf(actions, 'withdrawBidder', 'bidderId')
  return {
    operation: 'withdrawBidder',
    title: 'withdrawBids',
    hint: effects.hint,
    done: 'bidsWithdrawn',
    fields: html`
      <div class="field"><label>${format.text('bidder')}
        <input name="bidderId" required list="bidders" autocomplete="off" aria-invalid=${error !== undefined}></label>
        ${errorView('bidderId', error)}</div>
      <datalist id="bidders">${[...bidders.keys()].map((name) => html`<option>${name}</option>`)}</datalist>
      <label class="check"><input name="block" type="checkbox"> ${format.text('block')}</label>`,
    needsReason: true,
    read(form) {
      const typed = String(form.get('bidderId')).trim()
      // Bids that are not shown have bidders, too.
      const bidderId = bidders.get(typed) ?? Number(typed)
      if (!Number.isSafeInteger(bidderId) || bidderId < 1) return { errors: { bidderId: format.text('enterBidder') } }
      const bidder = format.bidder(bidderId, isSelf)
      const action = format.text(form.has('block') ? 'withdrawAndBlock' : 'withdrawOf', { bidder })
      const reading = { body: { bidderId, ...(form.has('block') && { block: true }) }, action }
      if (!hasPriceHistory) return reading
      const { startingPrice, currentPrice = startingPrice } = auction
      const price = format.money(priceWithout(history.bids, bidderId) ?? startingPrice, auction)
      const effect = format.text('withdrawEffect', { bidder, from: format.money(currentPrice, auction), price })
      return { ...reading, effect }
    },
  }
}

/**
 * The highest price that an auction can have without a bidder: the highest bid of another that counts, and that the service did not place
 * in reply to one of this bidder. Bids are listed from the newest, and a reply is listed before the bid.
 * @param {readonly Bid[]} bids @param {number} bidderId
 */
function priceWithout(bids, bidderId) {
  const left = bids.filter(({ bidderId: id, automatic, withdrawn }, at) => {
    const isReply = automatic && bids[at + 1]?.bidderId === bidderId
    return id !== bidderId && !withdrawn && !isReply
  })
  return left.length === 0 ? undefined : Math.max(...left.map(({ amount }) => amount))
}

/** The lower reserve, which the owner may set, too. @param {Page} page @param {Detail} detail @param {Auction} auction @param {boolean} needsReason @returns {Repair} */
export function lowering({ format }, { actions }, auction, needsReason) {
  const { currency, reservePrice } = auction
  return {
    operation: 'lowerReserve',
    title: 'lowerReserve',
    done: 'reserveLowered',
    ...(!needsReason && { hint: /** @type {const} */ ('lowerOnce') }),
    fields: fieldView(format, 'reservePrice', errorOf(actions, 'lowerReserve', 'reservePrice'), {
      // A caller who may not read the reserve can only remove it.
      value: reservePrice === undefined ? '0' : '',
      isRequired: true,
      label: format.text('newReserve', { currency }),
    }),
    needsReason,
    read(form) {
      const typed = String(form.get('reservePrice'))
      const problem = format.amountProblem(typed, currency)
      if (problem !== undefined) return { errors: { reservePrice: problem } }
      const price = format.parse(typed, currency) ?? 0
      if (reservePrice !== undefined && price >= reservePrice)
        return { errors: { reservePrice: format.text('lowerThan', { price: format.money(reservePrice, auction) }) } }
      return { body: { reservePrice: price }, action: format.text('lowerTo', { price: format.money(price, auction) }) }
    },
  }
}

/** @param {boolean} needsReason @returns {Repair} */
export const cancellation = (needsReason) => ({
  operation: 'cancelAuction',
  title: 'cancelAuction',
  hint: 'cancelHint',
  done: 'auctionWasCancelled',
  needsReason,
})

/** @param {Actions} actions @param {Operation} form @param {string} name */
const errorOf = ({ form: shown, errors }, form, name) => (shown === form ? errors[name] : undefined)

/** @returns {Reading} */
const nothingMore = () => ({})

/** A form whose request is sent after a question. @param {Page} page @param {Detail} detail @param {Repair} repair */
export function repairForm(page, { actions }, repair) {
  const { operation, title, hint, done, fields = nothing, needsReason, read = nothingMore } = repair
  const { text } = page.format
  /** @param {SubmitEvent} event */
  function ask(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    const form = new FormData(element)
    const reading = read(form)
    actions.show(operation, undefined, reading.errors)
    if (reading.errors !== undefined) return page.schedule()
    const reason = String(form.get('reason')).trim()
    const body = { ...reading.body, ...(reason !== '' && { reason }) }
    const finish = () => {
      element.reset()
      return { isGood: true, text: text(done) }
    }
    const action = reading.action ?? text(title)
    const effect = reading.effect ?? (hint === undefined ? '' : text(hint))
    page.ask({
      title: action,
      text: () => `${effect} ${text('confirmation')}`.trim(),
      yes: text('yes', { action }),
      isDangerous: true,
      send: () => void actions.send(page, operation, body, finish),
    })
  }
  return html`
    <details>
      <summary><span>${text(title)}</span></summary>
      <form @submit=${ask} @input=${() => (actions.isTyped = true)}>
        ${hint === undefined ? nothing : html`<p class="hint">${text(hint)}</p>`}
        ${fields}
        <label>${text(needsReason ? 'reason' : 'reasonOptional')}
          <input name="reason" maxlength="500" ?required=${needsReason} autocomplete="off"></label>
        ${outcomeView(actions, operation)}
        <button>${text(title)}</button>
      </form>
    </details>`
}
