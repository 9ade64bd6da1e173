import { expect, test } from 'vitest'
import { createFormat, localeOf } from '../page/format.js'
import { german } from '../page/texts.german.js'
import { english } from '../page/texts.js'
import { managing } from '../page/texts.managing.js'
import { sales } from '../page/texts.sales.js'

type Text = string | Readonly<Record<string, string>>

const formsOf = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

/** The values that each form of a text contains. */
const valuesOf = (text: Text) => formsOf(text).map((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

test('German has each text, with the same values in each form, and a form for each plural', () => {
  const all: Readonly<Record<string, Text>> = { ...english, ...managing, ...sales }
  expect(Object.keys(german).sort()).toEqual(Object.keys(all).sort())
  const { pluralCategories } = new Intl.PluralRules('de').resolvedOptions()
  for (const [name, text] of Object.entries<Text>(german)) {
    const original = all[name] ?? ''
    // `Intl` has the English ones.
    const [values] = original === '' ? [['count']] : valuesOf(original)
    for (const found of valuesOf(text)) expect([...found].sort(), name).toEqual([...(values ?? [])].sort())
    if (typeof text !== 'string') expect(Object.keys(text).sort(), name).toEqual([...pluralCategories].sort())
    expect(formsOf(text), name).not.toContain('')
  }
})

test('counts, amounts and durations follow the language', () => {
  const format = createFormat(german, 'de')
  expect([1, 2, 1234].map((count) => format.text('bidCount', { count }))).toEqual([
    '1 Gebot',
    '2 Gebote',
    '1.234 Gebote',
  ])
  expect(format.money(1234.5, { currency: 'EUR' }).replaceAll(/\s/g, ' ')).toBe('1.234,50 €')
  expect(format.parse('1.234,50', 'EUR')).toBe(1234.5)
  expect(format.text('timeLeft', { time: format.duration(65_000) })).toMatch(/^noch 1/)
})

test('plurals follow the rules of their language, and missing texts are English', () => {
  const polish = { language: 'pl', bidCount: { one: '{count} oferta', few: '{count} oferty', other: '{count} ofert' } }
  const { text } = createFormat(polish, 'pl')
  expect([1, 3, 5].map((count) => text('bidCount', { count }))).toEqual(['1 oferta', '3 oferty', '5 ofert'])
  expect(text('youLead')).toBe(english.youLead)
})

test.each([
  ['de', ['en-US', 'de-AT'], 'de-AT'],
  ['de', ['en-US'], 'de'],
  ['en', ['fr-FR', 'en-GB'], 'en-GB'],
  ['en', ['ar'], 'ar'],
])('with texts in %s, a reader of %j has amounts of %s', (language, languages, locale) => {
  expect(localeOf(language, languages)).toBe(locale)
})
