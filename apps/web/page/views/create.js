import { AuctionClientError } from '../client.js'
import { html, nothing } from '../html.js'
import { createKeys } from '../requests.js'
import { isolated, localTimeAfter } from '../times.js'
import { aboutView, detailsView } from './about.js'
import { cardView } from './card.js'
import { checksOf } from './checks.js'
import {
  errorsOf,
  errorView,
  fieldView,
  incompleteIn,
  kinds,
  metadataOf,
  moreView,
  readField,
  typed,
} from './fields.js'

/**
 * @import { Page } from '../app.js'
 * @import { Auction, Body } from '../client.js'
 * @import { Refusal } from './actions.js'
 * @import { FieldName } from './fields.js'
 * @typedef {ReturnType<typeof createForm>} Form
 * @typedef {Body<'createAuction'>} NewAuction
 */

const hourMs = 3_600_000

/** The steps, each with its fields. @type {readonly { title: 'stepItem' | 'stepPrice' | 'stepTime' | 'stepPreview', fields: readonly FieldName[] }[]} */
const steps = [
  { title: 'stepItem', fields: ['title', 'description', 'pictureUrls', 'productId'] },
  {
    title: 'stepPrice',
    fields: [
      ...['currency', 'startingPrice', 'decrement', 'intervalSeconds', 'floorPrice'],
      ...['minimumBidIncrement', 'incrementSteps', 'bidSteps'],
      ...['incrementPercent', 'maximumBidIncrement', 'reservePrice', 'buyNowPrice'],
    ].map((name) => /** @type {FieldName} */ (name)),
  },
  { title: 'stepTime', fields: ['startTime', 'endTime', 'windowSeconds', 'extensionSeconds', 'latestEndTime'] },
  { title: 'stepPreview', fields: [] },
]
const fallingFields = ['decrement', 'intervalSeconds', 'floorPrice']
const required = {
  english: new Set(['productId', 'currency', 'startingPrice', 'minimumBidIncrement', 'endTime']),
  falling: new Set(['productId', 'currency', 'startingPrice', ...fallingFields, 'endTime']),
}
/** The fields that only auctions have in which bids rise. */
const risingFields = [
  ...['minimumBidIncrement', 'incrementSteps', 'bidSteps', 'incrementPercent', 'maximumBidIncrement', 'reservePrice'],
  ...['buyNowPrice', 'windowSeconds', 'extensionSeconds', 'latestEndTime'],
]
const lastStep = steps.length - 1

/** What a new form shows, besides its end. @type {Partial<Record<FieldName, string>>} */
const defaults = { productId: '1', currency: 'USD', intervalSeconds: '60', windowSeconds: '2', extensionSeconds: '2' }
/** Ends that a click sets. */
const durationsMs = [hourMs / 6, hourMs, 24 * hourMs, 7 * 24 * hourMs]

/** The state of the form. */
export function createForm() {
  return {
    problem: '',
    /** What is wrong with a field, by its name in the API. @type {Record<string, string>} */
    errors: {},
    step: 0,
    /** The kind of the auction. @type {'english' | 'falling'} */
    format: 'english',
    /** What the preview shows. @type {Record<string, any> | undefined} */
    draft: undefined,
    isSending: false,
    /** The end that the form suggests. */
    end: '',
    keys: createKeys(),
    /** The start of an auction that starts now. A repeated request must not change it. */
    start: '',
  }
}

/** The auction in a form, and the errors of its fields. @param {HTMLFormElement} element @param {Page} page @param {Form} opened */
function auctionIn(element, { format, known }, opened) {
  const form = new FormData(element)
  const currency = typed(form.get('currency')).toUpperCase()
  const errors = incompleteIn(format, element)
  /** @type {Record<string, any>} */
  const values = {}
  for (const name of /** @type {FieldName[]} */ (Object.keys(kinds))) {
    const isOther = (opened.format === 'falling' ? risingFields : fallingFields).includes(name)
    const text = isOther ? '' : typed(form.get(name))
    const read = text === '' ? { value: null } : readField(format, name, text, currency)
    if ('error' in read) errors[name] = read.error
    else if (read.value === null && required[opened.format].has(name)) errors[name] ??= format.text('required')
    else values[name] = read.value
  }
  const { windowSeconds, extensionSeconds, latestEndTime, pictureUrls, startTime, ...plain } = values
  const latest = latestEndTime ?? new Date(Date.parse(plain['endTime'] ?? 0) + hourMs).toISOString()
  const common = {
    ownerId: known.reader.user,
    startTime: startTime ?? opened.start,
    cancellableUntilEnd: form.has('cancellableUntilEnd'),
    metadata: pictureUrls === null ? null : metadataOf(pictureUrls),
  }
  const rising = {
    softClose: windowSeconds === null ? null : { windowSeconds, extensionSeconds, latestEndTime: latest },
    onlySteps: form.has('onlySteps'),
  }
  const isRising = opened.format === 'english'
  const names = isRising ? fallingFields : [...risingFields, ...fallingFields]
  const own = Object.fromEntries(Object.entries(plain).filter(([name]) => !names.includes(name)))
  const falling = Object.fromEntries(fallingFields.map((name) => [name, values[name]]))
  const auction = { ...own, ...common, ...(isRising ? rising : { format: 'falling', falling }) }
  return { auction, errors: { ...checksOf(format, values, known.now()), ...errors } }
}

/** Where the first error is. @param {Record<string, string>} errors */
const stepOf = (errors) => steps.findIndex(({ fields }) => fields.some((name) => name in errors))

/** Reads the form, and moves to another step, or to the first one before it that has an error. @param {Page} page @param {Form} form @param {HTMLFormElement} element @param {number} wanted @returns {boolean} Whether it has moved there. */
function moveTo(page, form, element, wanted) {
  form.start ||= new Date(page.known.now()).toISOString()
  const { auction, errors } = auctionIn(element, page, form)
  const wrong = stepOf(errors)
  const isWrong = wrong !== -1 && wrong < wanted
  // A step shows its errors after the user has left it.
  const left = steps.slice(0, wanted).flatMap(({ fields }) => fields)
  form.errors = Object.fromEntries(Object.entries(errors).filter(([name]) => left.some((field) => field === name)))
  form.step = isWrong ? wrong : wanted
  form.draft = auction
  form.problem = ''
  page.schedule()
  focusSoon(element, isWrong ? '[aria-invalid=true]' : '[aria-current]')
  return !isWrong
}

/** After the view has its new fields. @param {HTMLFormElement} element @param {string} selector */
const focusSoon = (element, selector) =>
  setTimeout(() => /** @type {HTMLElement | null} */ (element.querySelector(selector))?.focus())

/** @param {Page} page @param {Form} form @param {HTMLFormElement} element */
async function create(page, form, element) {
  const { format } = page
  if (form.isSending || !moveTo(page, form, element, lastStep)) return
  const { draft: auction = {} } = form
  form.isSending = true
  page.schedule()
  try {
    // The cast: the service refuses what is missing.
    const result = await page.known.client.createAuction(/** @type {NewAuction} */ (auction), {
      key: form.keys.of(auction),
    })
    form.keys.done()
    form.start = ''
    if (result.ok) location.hash = `#/auctions/${result.data.id}`
    else refuse(result.refusal)
  } catch (error) {
    // The outcome is unknown, so the same request keeps its key.
    if (!(error instanceof AuctionClientError)) throw error
    form.problem = format.text('unavailable')
  } finally {
    form.isSending = false
    page.schedule()
  }

  /** @param {Refusal} refusal */
  function refuse(refusal) {
    if (refusal.status === 401) page.known.noteSignedOut()
    form.errors = errorsOf(format, refusal)
    const wrong = stepOf(form.errors)
    form.problem = wrong === -1 ? refusal.message : ''
    if (wrong !== -1) form.step = wrong
  }
}

/** @param {Page} page @param {Form} form */
export function formView(page, form) {
  const { text } = page.format
  form.end ||= localTimeAfter(page.known.now())
  const isLast = form.step === lastStep
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    if (isLast) void create(page, form, element)
    else moveTo(page, form, element, form.step + 1)
  }
  /** @param {number} step */
  const go =
    (step) =>
    (/** @type {Event & { currentTarget: HTMLButtonElement }} */ { currentTarget: { form: element } }) => {
      if (element !== null) moveTo(page, form, element, step)
    }
  return html`
    <form class="panel create" @submit=${submit} novalidate>
      <ol class="steps" aria-label=${text('steps')}>
        ${steps.map(
          ({ title }, step) => html`
          <li>${stepView(page, form, title, step, go(step))}</li>`,
        )}
      </ol>
      <div class="fields" ?hidden=${form.step !== 0}>${itemFields(page, form)}</div>
      <div class="fields" ?hidden=${form.step !== 1}>${priceFields(page, form)}</div>
      <div class="fields" ?hidden=${form.step !== 2}>${timeFields(page, form)}</div>
      ${isLast ? previewView(page, form.draft ?? {}) : nothing}
      ${form.problem === '' ? nothing : html`<p class="problem" role="alert">${form.problem}</p>`}
      <div class="moves">
        ${form.step === 0 ? nothing : html`<button type="button" @click=${go(form.step - 1)}>${text('back')}</button>`}
        <button class="main" aria-busy=${form.isSending}>${text(isLast ? 'createAuction' : 'next')}</button>
      </div>
    </form>`
}

/** @param {Page} page @param {Form} form @param {typeof steps[number]['title']} title @param {number} step @param {(event: any) => void} go */
function stepView({ format: { text } }, form, title, step, go) {
  const isWrong = steps[step]?.fields.some((name) => name in form.errors)
  return html`
    <button type="button" aria-current=${step === form.step ? 'step' : nothing} ?data-wrong=${isWrong} @click=${go}>${step + 1}. ${text(title)}
      ${isWrong ? html`<span class="problem" role="img" aria-label=${text('stepIsWrong')}>!</span>` : nothing}</button>`
}

/** @param {Page} page @param {Form} form @param {FieldName} name */
function field({ format }, form, name) {
  const value = name === 'endTime' ? form.end : defaults[name]
  return fieldView(format, name, form.errors[name], { value, isRequired: required[form.format].has(name) })
}

/** @param {Page} page @param {Form} form */
const itemFields = (page, form) => [
  field(page, form, 'title'),
  field(page, form, 'description'),
  field(page, form, 'pictureUrls'),
  field(page, form, 'productId'),
]

/** The choice of the kind of auction, which decides about the other fields. @param {Page} page @param {Form} form */
function formatView(page, form) {
  const { text } = page.format
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  function choose({ currentTarget }) {
    form.format = currentTarget.value === 'falling' ? 'falling' : 'english'
    form.errors = {}
    page.schedule()
  }
  return html`
    <div class="field">
      <label>${text('fieldFormat')}
        <select name="format" aria-describedby="format-hint" @change=${choose}>
          <option value="english" ?selected=${form.format === 'english'}>${text('formatEnglish')}</option>
          <option value="falling" ?selected=${form.format === 'falling'}>${text('formatFalling')}</option>
        </select></label>
      <p class="hint" id="format-hint">${text(form.format === 'falling' ? 'formatFallingHint' : 'formatEnglishHint')}</p>
    </div>`
}

/** @param {Page} page @param {Form} form */
function priceFields(page, form) {
  const { text } = page.format
  const { errors } = form
  const has = (/** @type {readonly string[]} */ names) => names.some((name) => name in errors)
  const cancellable = html`<label class="check"><input name="cancellableUntilEnd" type="checkbox"> ${text('fieldCancellableUntilEnd')}</label>`
  const common = html`${formatView(page, form)} ${field(page, form, 'currency')} ${field(page, form, 'startingPrice')}`
  if (form.format === 'falling')
    return html`${common} ${fallingFields.map((name) => field(page, form, /** @type {FieldName} */ (name)))} ${cancellable}`
  return html`
    ${common} ${field(page, form, 'minimumBidIncrement')}
    ${moreView(
      text('moreIncrements'),
      [
        field(page, form, 'incrementSteps'),
        field(page, form, 'bidSteps'),
        html`<label class="check"><input name="onlySteps" type="checkbox"> ${text('fieldOnlySteps')}</label>`,
        errorView('onlySteps', errors['onlySteps']),
        field(page, form, 'incrementPercent'),
        field(page, form, 'maximumBidIncrement'),
      ],
      has(['incrementSteps', 'bidSteps', 'onlySteps', 'incrementPercent', 'maximumBidIncrement']),
    )}
    ${moreView(
      text('moreOffers'),
      [field(page, form, 'reservePrice'), field(page, form, 'buyNowPrice'), cancellable],
      has(['reservePrice', 'buyNowPrice']),
    )}`
}

/** @param {Page} page @param {Form} form */
function timeFields(page, form) {
  const { format } = page
  const { text } = format
  const { errors } = form
  /** @param {number} afterMs */
  const setEnd =
    (afterMs) =>
    (/** @type {Event & { currentTarget: HTMLButtonElement }} */ { currentTarget: { form: element } }) => {
      const input = element?.elements.namedItem('endTime')
      if (input instanceof HTMLInputElement) input.value = localTimeAfter(page.known.now(), afterMs)
    }
  return html`
    <p class="hint">${text('timesAreIn', { zone: isolated(format.timeZone) })}</p>
    ${field(page, form, 'startTime')} ${field(page, form, 'endTime')}
    <div class="choices" role="group" aria-label=${text('endsAfter')}>
      ${durationsMs.map((ms) => html`<button type="button" @click=${setEnd(ms)}>${text('after', { time: isolated(format.duration(ms)) })}</button>`)}
    </div>
    ${
      form.format === 'falling'
        ? nothing
        : moreView(
            text('moreLateBids'),
            [
              field(page, form, 'windowSeconds'),
              field(page, form, 'extensionSeconds'),
              field(page, form, 'latestEndTime'),
            ],
            ['windowSeconds', 'extensionSeconds', 'latestEndTime', 'softClose'].some((name) => name in errors),
          )
    }`
}

/** What buyers will see. @param {Page} page @param {Record<string, any>} draft */
function previewView(page, draft) {
  const { text } = page.format
  const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
  const auction = /** @type {Auction} */ ({
    ...{
      id: 0,
      repairCount: 0,
      status: 'Pending',
      title: text('untitled'),
      ...(draft['format'] === 'falling' ? {} : { bidCount: 0 }),
      leaderId: null,
      endedAt: null,
      result: null,
    },
    ...{
      currentPrice: draft['startingPrice'],
      minimumNextBid: draft['startingPrice'],
      effectiveEndTime: draft['endTime'],
    },
    ...{ buyNowOffered: draft['buyNowPrice'] != null, ...(draft['reservePrice'] != null && { reserveMet: false }) },
    ...given,
  })
  return html`
    <div class="fields">
      <p class="hint">${text('previewHint')}</p>
      <div class="card">${cardView(page, auction)}</div>
      ${aboutView(page, auction)}${detailsView(page, auction)}
    </div>`
}
