import { checksOf } from '../checks.js'
import { incompleteIn, kinds, metadataOf, readField, typed } from '../fields.js'
/**
 * @import { Page } from '../../app.js'
 * @import { InputGroup, InputName, SellingFormat } from '../../selling.js'
 * @import { Form } from '../create.js'
 * @import { FieldName } from '../fields.js'
 * @typedef {{ title: 'stepItem' | 'stepPrice' | 'stepTime' | 'stepPreview', inputs: readonly InputName[] }} Step
 */

/** @type {readonly FieldName[]} */
export const itemFields = ['title', 'description', 'pictureUrls', 'productId']
/** What every new auction needs. @type {readonly FieldName[]} */
const required = ['productId', 'currency', 'startingPrice', 'endTime']

/** Who may bid, in each format. @type {InputGroup} */
export const admissionGroup = { title: 'moreAdmission', fields: ['registerId', 'showPaddles'] }

/** The steps, each with its inputs. @param {SellingFormat} format @returns {readonly Step[]} */
export const stepsOf = ({ priceFields, timeFields }) => [
  { title: 'stepItem', inputs: itemFields },
  { title: 'stepPrice', inputs: ['currency', 'startingPrice', ...inputsIn([...priceFields, admissionGroup])] },
  { title: 'stepTime', inputs: ['startTime', 'endTime', ...inputsIn(timeFields)] },
  { title: 'stepPreview', inputs: [] },
]

/** @param {readonly (InputName | InputGroup)[]} parts */
const inputsIn = (parts) => parts.flatMap((part) => (typeof part === 'string' ? [part] : part.fields))

/** Whether an input is a field, not a box to check. @param {InputName} name @returns {name is FieldName} */
export const isField = (name) => name in kinds

/** Whether a step has an error. @param {Step | undefined} step @param {Record<string, string>} errors */
export const isStepWrong = (step, errors) => step?.inputs.some((name) => isField(name) && name in errors) === true

/** @param {SellingFormat} format @param {FieldName} name */
export const isRequired = (format, name) => required.includes(name) || format.required.includes(name)

/** The auction in a form, and the errors of its fields. @param {HTMLFormElement} element @param {Page} page @param {Form} opened */
export function auctionIn(element, { format, known }, opened) {
  const { nested, sent, choices } = opened.format
  const form = new FormData(element)
  const currency = typed(form.get('currency')).toUpperCase()
  const errors = incompleteIn(format, element)
  const inputs = stepsOf(opened.format).flatMap((step) => step.inputs)
  /** @type {Record<string, any>} */
  const values = {}
  for (const name of inputs.filter(isField)) {
    const text = typed(form.get(name))
    const read = text === '' ? { value: null } : readField(format, name, text, currency)
    if ('error' in read) errors[name] = read.error
    else if (read.value === null && isRequired(opened.format, name)) errors[name] ??= format.text('required')
    else values[name] = read.value
  }
  const { pictureUrls, startTime, ...others } = values
  const own = Object.entries(others).filter(([name]) => !nested?.fields.some((field) => field === name))
  const boxes = inputs.filter((name) => !isField(name)).map((name) => [name, form.has(name)])
  const auction = {
    ...Object.fromEntries([...own, ...boxes, ...choices.map(({ name }) => [name, form.get(name)])]),
    ownerId: known.reader.user,
    startTime: startTime ?? opened.start,
    metadata: pictureUrls === null ? null : metadataOf(pictureUrls),
    ...(nested && { [nested.member]: nested.valueOf(values) }),
    ...sent,
  }
  return { auction, errors: { ...checksOf(format, values, known.now()), ...errors } }
}
