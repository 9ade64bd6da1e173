import { isFalling } from '../falling.js'
import { html, nothing } from '../html.js'
import { pictureNames } from '../pictures.js'
import { outcomeView } from './actions.js'
import { fieldView, incompleteIn, metadataOf, readField, textsOf, typed } from './fields.js'

/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Detail } from './auction.js' */
/** @import { FieldName } from './fields.js' */

/** What can be corrected before the first bid. @type {readonly FieldName[]} */
const risingNames = [
  ...['title', 'description', 'pictureUrls', 'startingPrice', 'minimumBidIncrement', 'incrementSteps'],
  ...['incrementPercent', 'maximumBidIncrement', 'reservePrice', 'buyNowPrice', 'startTime', 'endTime'],
  ...['windowSeconds', 'extensionSeconds', 'latestEndTime'],
].map((name) => /** @type {FieldName} */ (name))

/** What can be corrected before the start, if the price falls. @type {readonly FieldName[]} */
const fallingNames = [
  ...['title', 'description', 'pictureUrls', 'startingPrice', 'decrement', 'intervalSeconds', 'floorPrice'],
  ...['startTime', 'endTime'],
].map((name) => /** @type {FieldName} */ (name))

/** @param {Auction} auction */
const namesOf = (auction) => (isFalling(auction) ? fallingNames : risingNames)

/** How the price falls, which a correction replaces whole. */
const falling = ['decrement', 'intervalSeconds', 'floorPrice']

/** A correction replaces all of these. */
const softClose = ['windowSeconds', 'extensionSeconds', 'latestEndTime']

/** The merge patch of what was changed in a form, and the errors of its fields. @param {HTMLFormElement} element @param {Auction} auction @param {Page} page */
function patchIn(element, auction, { format }) {
  const form = new FormData(element)
  const before = textsOf(format, auction)
  /** @type {Record<string, unknown>} */
  const patch = {}
  /** @type {Record<string, unknown>} */
  const late = {}
  /** @type {Record<string, unknown>} */
  const fall = { ...auction.falling }
  /** @type {Record<string, string>} */
  const errors = incompleteIn(format, element)
  for (const name of namesOf(auction)) {
    const text = typed(form.get(name))
    const isLate = softClose.includes(name)
    const isSame = text === typed(before[name])
    // A form has no field of a start that has passed.
    if (!form.has(name) || (isSame && !isLate)) continue
    const read = text === '' ? { value: null } : readField(format, name, text, auction.currency)
    if ('error' in read) errors[name] = read.error
    else if (name === 'pictureUrls') patch['metadata'] = picturePatch(auction, read.value)
    else if (falling.includes(name)) {
      fall[name] = read.value
      patch['falling'] = fall
    } else if (isLate) late[name] = isSame ? (keptOf(auction, name) ?? read.value) : read.value
    else patch[name] = read.value
  }
  if (
    softClose.some((name) => form.has(name) && typed(form.get(name)) !== typed(before[/** @type {FieldName} */ (name)]))
  )
    patch['softClose'] = late['windowSeconds'] === null ? null : withoutNull(late)
  return { patch, errors }
}

/** What replaces the pictures. @param {Auction} auction @param {unknown} urls */
function picturePatch({ metadata = {} }, urls) {
  const after = metadataOf(urls)
  const gone = pictureNames.filter((name) => name in metadata && !(name in after)).map((name) => [name, null])
  return { ...Object.fromEntries(gone), ...after }
}

/** The exact value that a field shows rounded, such as a time with seconds. @param {Auction} auction @param {string} name */
const keptOf = ({ softClose: rule }, name) => (rule === undefined ? undefined : Reflect.get(rule, name))

/** @param {Record<string, unknown>} values */
const withoutNull = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** The form in which a seller corrects an auction. @param {Page} page @param {Detail} detail @param {Auction} auction */
export function correctView(page, detail, auction) {
  const { actions } = detail
  const { format } = page
  const { text } = format
  const hasStarted = page.known.now() >= Date.parse(auction.startTime)

  /** Reads the state that the form shows, and its entity tag. */
  async function load() {
    actions.tag = (await page.known.readAuction(auction.id)) ?? '*'
    page.schedule()
  }
  /** @param {Event & { currentTarget: HTMLDetailsElement }} event */
  const toggle = ({ currentTarget }) => currentTarget.open && void page.known.attempt(detail.history, load)

  /** @param {SubmitEvent} event */
  function correct(event) {
    event.preventDefault()
    const { patch, errors } = patchIn(/** @type {HTMLFormElement} */ (event.currentTarget), auction, page)
    const hasErrors = Object.keys(errors).length > 0
    const isSame = Object.keys(patch).length === 0
    const name = hasErrors ? 'checkFields' : isSame ? 'nothingChanged' : undefined
    actions.show('correctAuction', name && { isGood: false, text: text(name) }, errors)
    if (name !== undefined) return page.schedule()
    const corrected = () => {
      actions.isTyped = false
      return { isGood: true, text: text('auctionCorrected') }
    }
    void send()

    async function send() {
      await actions.send(page, 'correctAuction', patch, corrected)
      if (actions.outcome?.isGood === false) await page.known.attempt(detail.history, load)
    }
  }

  const texts = textsOf(format, auction)
  return html`
    <details @toggle=${toggle}>
      <summary><span>${text('correctAuction')}</span></summary>
      <form @submit=${correct} @input=${() => (actions.isTyped = true)} novalidate>
        ${namesOf(auction).map((name) =>
          name === 'startTime' && hasStarted
            ? nothing
            : fieldView(format, name, actions.form === 'correctAuction' ? actions.errors[name] : undefined, {
                value: texts[name],
              }),
        )}
        <p class="hint">${text('timesAreIn', { zone: format.timeZone })}</p>
        ${outcomeView(actions, 'correctAuction')}
        <button>${text('correctAuction')}</button>
      </form>
    </details>`
}
