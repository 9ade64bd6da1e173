import { html, nothing } from '../html.js'
import { pictureNames } from '../pictures.js'
import { sellingOf } from '../selling.js'
import { outcomeView } from './actions.js'
import { fieldView, incompleteIn, metadataOf, nestedIn, readField, textsOf, typed } from './fields.js'

/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */
/** @import { Detail } from './auction.js' */

/** The merge patch of what was changed in a form, and the errors of its fields. @param {HTMLFormElement} element @param {Auction} auction @param {Page} page */
function patchIn(element, auction, { format }) {
  const form = new FormData(element)
  const before = textsOf(format, auction)
  /** @type {Record<string, unknown>} */
  const patch = {}
  /** @type {Record<string, unknown>} */
  const changed = {}
  const { correctable, nested } = sellingOf(auction)
  const errors = incompleteIn(format, element)
  for (const name of correctable) {
    const text = typed(form.get(name))
    // A form has no field of a start that has passed. What has not changed may be more exact than its text.
    if (!form.has(name) || text === typed(before[name])) continue
    const read = text === '' ? { value: null } : readField(format, name, text, auction.currency)
    if ('error' in read) errors[name] = read.error
    else if (name === 'pictureUrls') patch['metadata'] = picturePatch(auction, read.value)
    else if (nested?.fields.includes(name)) changed[name] = read.value
    else patch[name] = read.value
  }
  if (nested && Object.keys(changed).length > 0)
    patch[nested.member] = nested.valueOf({ ...nestedIn(auction), ...changed })
  return { patch, errors }
}

/** What replaces the pictures. @param {Auction} auction @param {unknown} urls */
function picturePatch({ metadata = {} }, urls) {
  const after = metadataOf(urls)
  const gone = pictureNames.filter((name) => name in metadata && !(name in after)).map((name) => [name, null])
  return { ...Object.fromEntries(gone), ...after }
}

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
        ${sellingOf(auction).correctable.map((name) =>
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
