import { createKeys, Problem } from '../client/client.js'
import { parseAmount } from '../client/money.js'
import { incompleteTime, isolated, localTimeInAnHour, parseLocalTime, timeZone } from '../format.js'
import { html, nothing } from '../html.js'

/** @typedef {import('../app.js').Page} Page */

const hourMs = 3_600_000
const path = 'api/Auctions'

/** The state of the form. */
export const openForm = () => ({
  problem: '',
  /** What is wrong with a field, by its name in the API. @type {Record<string, string>} */
  errors: {},
  isSending: false,
  /** The end that the form suggests. */
  end: '',
  keys: createKeys(),
  /** The start of an auction that starts now. A repeated request must not change it. */
  start: '',
})

/** The errors of fields whose text is no value, such as a date without a time: their value is empty. @param {HTMLFormElement} form */
const incompleteIn = (form) =>
  Object.fromEntries(
    [...form.querySelectorAll('input')]
      .filter(({ validity }) => validity.badInput)
      .map(({ name, type }) => [name, type === 'number' ? 'Enter a whole number.' : incompleteTime]),
  )

/** The auction in a form, and the errors of its amounts and times. @param {FormData} form @param {Page} page */
function auctionIn(form, page) {
  /** @type {Record<string, string>} */
  const errors = {}
  const text = (/** @type {string} */ name) => String(form.get(name) ?? '').trim()
  const currency = text('currency').toUpperCase()
  /** @param {string} name */
  const amount = (name) => {
    const parsed = text(name) === '' ? undefined : parseAmount(text(name), currency)
    if (parsed === undefined && text(name) !== '') errors[name] = `Enter a valid amount in ${currency}.`
    return parsed
  }
  /** @param {string} name */
  const time = (name) => {
    if (text(name) === '') return undefined
    const parsed = parseLocalTime(text(name))
    if ('ms' in parsed) return new Date(parsed.ms).toISOString()
    errors[name] = parsed.error
    return undefined
  }
  /** Each line has a price and its increment. */
  const steps = () => {
    const lines = text('incrementSteps').split('\n')
    const parsed = lines.map((line) => line.split(':').map((part) => parseAmount(part, currency)))
    if (text('incrementSteps') === '') return null
    if (parsed.some((step) => step.length !== 2 || step.includes(undefined)))
      errors['incrementSteps'] = `Enter a price and its increment in ${currency} in each line, such as 100: 10.`
    return parsed.map(([fromPrice, increment]) => ({ fromPrice, increment }))
  }
  const percent = () => {
    if (text('incrementPercent') === '') return null
    const parsed = parseAmount(text('incrementPercent'), 'USD') // Which has two decimal places, too.
    if (parsed === undefined) errors['incrementPercent'] = 'Enter a percentage such as 5.'
    return parsed
  }
  const endTime = time('endTime')
  const softClose = {
    windowSeconds: Number(text('windowSeconds')) * 60,
    extensionSeconds: Number(text('extensionSeconds')) * 60,
    latestEndTime: time('latestEndTime') ?? (endTime && new Date(Date.parse(endTime) + hourMs).toISOString()),
  }
  const auction = {
    productId: Number(text('productId')),
    ownerId: page.state.user,
    title: text('title') || null,
    description: text('description') || null,
    startingPrice: amount('startingPrice'),
    minimumBidIncrement: amount('minimumBidIncrement'),
    currency,
    startTime: time('startTime') ?? page.state.form.start,
    endTime,
    softClose: text('windowSeconds') === '' ? null : softClose,
    reservePrice: amount('reservePrice') ?? null,
    buyNowPrice: amount('buyNowPrice') ?? null,
    cancellableUntilEnd: form.has('cancellableUntilEnd'),
    metadata: text('pictureUrl') === '' ? null : { pictureUrl: text('pictureUrl') },
    incrementSteps: steps(),
    incrementPercent: percent(),
    maximumBidIncrement: amount('maximumBidIncrement') ?? null,
  }
  return { auction, errors }
}

/** @param {Page} page @param {HTMLFormElement} element */
async function create(page, element) {
  const { form } = page.state
  if (form.isSending) return
  form.start ||= new Date(page.now()).toISOString()
  const { auction, errors } = auctionIn(new FormData(element), page)
  form.errors = { ...errors, ...incompleteIn(element) }
  form.problem = ''
  if (Object.keys(form.errors).length > 0) return page.schedule()
  form.isSending = true
  page.schedule()
  try {
    const created = await page.client.send(path, auction, { key: form.keys.of(path, auction) })
    location.hash = `#/auctions/${created.id}`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 401) page.state.isSignedOut = true
    form.problem = error.isTemporary
      ? 'The service is unavailable or busy, and may not have received this. Send it again; it counts only once.'
      : error.message
    for (const { pointer, message } of error.members.errors ?? []) {
      const [name = '', ...within] = pointer.split('/').slice(1)
      if (name === 'incrementSteps' && within.length > 0)
        form.errors[name] = `Line ${Number(within[0]) + 1}: ${within[1]} ${message}.`
      else form.errors[within.at(-1) ?? name] = `This ${message}.`
    }
    if (!error.isTemporary) {
      form.keys.done()
      form.start = ''
    }
  } finally {
    form.isSending = false
    page.schedule()
  }
}

/** @param {Page} page */
export function createView(page) {
  const { form, session } = page.state
  if (!session.create) return html`<h1>Sell</h1><p>Your token does not permit creating auctions.</p>`
  form.end ||= localTimeInAnHour(page.now())
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    void create(page, /** @type {HTMLFormElement} */ (event.currentTarget))
  }
  /** A labelled field with its error. @param {string} name @param {string} label @param {(error: unknown) => unknown} input */
  const field = (name, label, input) => {
    const error = form.errors[name]
    return html`<label>${label} ${input(error !== undefined)}
      ${error === undefined ? nothing : html`<span class="problem">${error}</span>`}</label>`
  }
  /** @param {string} name @param {string} label @param {{ value?: string, isRequired?: boolean, type?: string, mode?: string }} [options] */
  const input = (name, label, { value = '', isRequired = false, type = 'text', mode = '' } = {}) =>
    field(
      name,
      label,
      (isWrong) => html`<input name=${name} type=${type} inputmode=${mode || nothing} ?required=${isRequired}
        value=${value} min=${type === 'number' ? 1 : nothing} autocomplete="off" aria-invalid=${isWrong}>`,
    )
  const amount = { mode: 'decimal' }
  const whole = { type: 'number', mode: 'numeric' }
  const local = { type: 'datetime-local' }
  return html`
    <h1>Sell</h1>
    <form class="panel create" @submit=${submit} novalidate>
      ${input('title', 'Title')}
      ${field('description', 'Description', () => html`<textarea name="description" rows="3" maxlength="10000"></textarea>`)}
      ${input('pictureUrl', 'Picture: its https address')}
      ${input('productId', 'Product', { ...whole, value: '1', isRequired: true })}
      ${input('currency', 'Currency', { value: 'USD', isRequired: true })}
      ${input('startingPrice', 'Starting price', { ...amount, isRequired: true })}
      ${input('minimumBidIncrement', 'Increment', { ...amount, isRequired: true })}
      <p class="hint">Times are in the time zone ${isolated(timeZone)}.</p>
      ${input('startTime', 'Start (if empty: now)', local)}
      ${input('endTime', 'End', { ...local, value: form.end, isRequired: true })}
      <details><summary><span>Increments, limit of a bid</span></summary>
        ${field('incrementSteps', 'Increments from a price on: in each line a price and its increment, such as 100: 10', () => html`<textarea name="incrementSteps" rows="3"></textarea>`)}
        ${input('incrementPercent', 'Or the increment in percent of the price', amount)}
        ${input('maximumBidIncrement', 'How far a bid may exceed the price', amount)}
      </details>
      <details><summary><span>Reserve, buy now, cancellation</span></summary>
        ${input('reservePrice', 'Reserve: the lowest price at which you sell', amount)}
        ${input('buyNowPrice', 'Buy-now price', amount)}
        <label class="check"><input name="cancellableUntilEnd" type="checkbox"> Can be cancelled until the end</label>
      </details>
      <details><summary><span>Late bids</span></summary>
        ${input('windowSeconds', 'Minutes before the end in which a bid counts as late', whole)}
        ${input('extensionSeconds', 'Minutes from a late bid to the new end', whole)}
        ${input('latestEndTime', 'Latest end (if empty: an hour after the end)', local)}
      </details>
      ${form.problem === '' ? nothing : html`<p class="problem" role="alert">${form.problem}</p>`}
      <button class="main" aria-busy=${form.isSending}>Create the auction</button>
    </form>`
}
