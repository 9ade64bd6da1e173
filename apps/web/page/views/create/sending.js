import { AuctionClientError } from '../../client.js'
import { errorsOf } from '../actions.js'
import { auctionIn, isStepWrong, stepsOf } from './steps.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Body } from '../../client.js'
 * @import { Refusal } from '../actions.js'
 * @import { Form } from '../create.js'
 */

/** Where the first error is. @param {Form} form @param {Record<string, string>} errors */
const stepOf = ({ format }, errors) => stepsOf(format).findIndex((step) => isStepWrong(step, errors))

/** Reads the form, and moves to another step, or to the first one before it that has an error. @param {Page} page @param {Form} form @param {HTMLFormElement} element @param {number} wanted @returns {boolean} Whether it has moved there. */
export function moveTo(page, form, element, wanted) {
  form.start ||= new Date(page.known.now()).toISOString()
  const { auction, errors } = auctionIn(element, page, form)
  const wrong = stepOf(form, errors)
  const isWrong = wrong !== -1 && wrong < wanted
  // A step shows its errors after the user has left it.
  const left = stepsOf(form.format)
    .slice(0, wanted)
    .flatMap(({ inputs }) => inputs)
  form.errors = Object.fromEntries(Object.entries(errors).filter(([name]) => left.some((input) => input === name)))
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
export async function create(page, form, element) {
  const { format } = page
  if (form.isSending || !moveTo(page, form, element, stepsOf(form.format).length - 1)) return
  const { draft: auction = {} } = form
  form.isSending = true
  page.schedule()
  try {
    // The cast: the service refuses what is missing.
    const result = await page.known.client.createAuction(/** @type {Body<'createAuction'>} */ (auction), {
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
    // The choice of the format is in the step of the price.
    const wrong = 'format' in form.errors ? 1 : stepOf(form, form.errors)
    form.problem = wrong === -1 ? refusal.message : ''
    if (wrong !== -1) form.step = wrong
  }
}
