import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { soon } from '../../requests.js'
import { isolated } from '../../times.js'
import { refusalTexts } from '../actions.js'
import { fieldView, readField, typed } from '../fields.js'
import { statusTexts } from './register.js'
import { createSending, sendingView } from './sending.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Body, Data } from '../../client.js'
 * @import { Screen } from '../on-demand.js'
 * @typedef {Body<'setBidder'>} Change
 * @typedef {Data<'readBidder'>} Entry
 * @typedef {NonNullable<Data<'setBidder'>['withdrawn']>} Withdrawn
 */

/** One bidder of a register, whose whole entry the form sends. @param {Page} page @param {number} id @param {number} bidderId @returns {Screen} */
export function openBidder(page, id, bidderId) {
  const { format, known } = page
  const { text } = format
  const { client, reader } = known
  const sending = createSending(page)
  /** @type {Entry | undefined} */
  let entry
  /** The entity tag of the entry that the form shows. */
  let tag = '*'
  /** The status that is chosen. */
  let status = 'admitted'
  /** The last withdrawal of bids, and what came of it. @type {{ body: Change, result: Withdrawn } | undefined} */
  let withdrawal

  async function load() {
    const { data, etag } = orThrow(await client.readBidder(id, bidderId, soon()))
    entry = data
    tag = etag
    status = data.status === 'none' ? 'admitted' : data.status
  }

  /** Shows what is stored now instead of what was typed. @param {HTMLFormElement} element */
  async function reload(element) {
    // Without a response, the next request is refused for its entity tag.
    await known.attempt({ problem: undefined }, load)
    // The reset needs the new values in the form.
    page.tick()
    element.reset()
  }

  /** @param {HTMLFormElement} element @param {Change} body */
  async function send(element, body) {
    const call = (/** @type {string} */ key) => client.setBidder(id, bidderId, body, { key, ifMatch: tag })
    const code = await sending.send(body, call, ({ withdrawn }) => {
      withdrawal = withdrawn === undefined ? undefined : { body, result: withdrawn }
      sending.show(true, text('bidderSaved'))
    })
    if (code === undefined || code === 'precondition-failed') await reload(element)
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    const form = new FormData(element)
    const [limitText, paddle, reason] = ['limit', 'paddle', 'reason'].map((name) => typed(form.get(name)))
    const limit = limitText === '' ? undefined : readField(format, 'limit', limitText ?? '', entry?.currency ?? '')
    if (limit !== undefined && 'error' in limit) return sending.show(false, text('checkFields'), { limit: limit.error })
    const isWithdrawing = status === 'refused' && form.has('withdrawBids')
    if (isWithdrawing && reason === '') return sending.show(false, text('checkFields'), { reason: text('required') })
    // The cast: the service refuses what is wrong.
    const body = /** @type {Change} */ ({
      status,
      ...(limit !== undefined && { limit: limit.value }),
      ...(paddle !== '' && { paddle }),
      ...(isWithdrawing && { withdrawBids: true, reason }),
    })
    if (!isWithdrawing) return void send(element, body)
    page.ask({
      title: text('withdrawOf', { bidder: text('userNumber', { id: bidderId }) }),
      text: () => text('withdrawEverywhereHint'),
      yes: text('yes', { action: text('refuseAndWithdraw') }),
      isDangerous: true,
      send: () => void send(element, body),
    })
  }

  function formView() {
    const { limit, paddle, currency = '' } = entry ?? {}
    const { errors } = sending
    /** @param {Event & { currentTarget: HTMLInputElement }} event */
    function choose({ currentTarget }) {
      status = currentTarget.value
      page.schedule()
    }
    const fields = /** @type {const} */ (['admitted', 'pending', 'refused']).map(
      (each) => html`
      <label class="check"><input name="status" type="radio" value=${each} ?checked=${each === (entry?.status === 'none' ? 'admitted' : entry?.status)} @change=${choose}> ${text(statusTexts[each] ?? 'status')}</label>`,
    )
    return html`
      <form class="panel create" @submit=${submit} @reset=${() => page.schedule()} novalidate>
        <fieldset><legend>${text('status')}</legend>${fields}</fieldset>
        ${fieldView(format, 'limit', errors['limit'], { value: limit === undefined ? '' : format.editable(limit, currency), label: text('limitField', { currency }) })}
        ${fieldView(format, 'paddle', errors['paddle'], { value: paddle ?? '', label: text('paddleFieldHint') })}
        ${status === 'refused' && reader.session.manage ? withdrawalFields(errors) : nothing}
        ${sendingView(page, sending)}
        <button class="main" aria-busy=${sending.isSending}>${text('saveBidder')}</button>
        ${withdrawal === undefined ? nothing : withdrawnView(withdrawal)}
      </form>`
  }

  /** @param {Record<string, string>} errors */
  const withdrawalFields = (errors) => html`
    <label class="check"><input name="withdrawBids" type="checkbox"> ${text('withdrawBidsToo')}</label>
    ${fieldView(format, 'reason', errors['reason'], { label: text('reasonOfWithdrawal') })}`

  /** The outcome of the withdrawal, per auction. A bid that arrived before it needs the request again. @param {NonNullable<typeof withdrawal>} done */
  function withdrawnView({ body, result: { auctions, more, settledAt } }) {
    const nowMs = known.now()
    const isEarly = nowMs < Date.parse(settledAt)
    const time = isolated(format.moment(settledAt, nowMs))
    const again = (/** @type {Event & { currentTarget: HTMLButtonElement }} */ { currentTarget: { form } }) =>
      form && void send(form, body)
    const outcomeOf = (/** @type {string} */ outcome) => {
      const name = outcome === 'withdrawn' ? 'bidsGone' : refusalTexts[outcome]
      return name === undefined ? outcome : text(name)
    }
    return html`
      <div class="withdrawn">
        ${auctions.length === 0 ? html`<p>${text('noOpenBids')}</p>` : nothing}
        <ul>${auctions.map(({ auctionId, outcome }) => html`<li><a href="#/auctions/${auctionId}">${text('auctionNumber', { id: auctionId })}</a>: ${outcomeOf(outcome)}</li>`)}</ul>
        ${more ? html`<p>${text('moreWithdrawals')}</p>` : nothing}
        <p class="hint">${text('sendAgainAfter', { time })}</p>
        <button type="button" ?disabled=${isEarly} @click=${again}>${text('sendAgain')}</button>
      </div>`
  }

  return {
    load,
    draw() {
      const shown = entry?.status ?? 'none'
      return html`
        <p><a href="#/registers/${id}">${text('registerNumber', { id })}</a></p>
        <h1>${text('userNumber', { id: bidderId })}</h1>
        ${entry === undefined ? nothing : html`<p data-status=${shown}><strong>${text(statusTexts[shown] ?? 'status')}</strong>${entry.byClaim ? html` ${text('byClaim')}` : nothing}</p>`}
        ${entry === undefined || !reader.session.register ? nothing : formView()}`
    },
  }
}
