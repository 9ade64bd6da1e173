import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasWords, wordsOf } from '../../src/auction/title-words.ts'

describe('the words of a title', () => {
  test.each<readonly [string, ...string[]]>([
    ['Walnut desk, two drawers', 'walnut', 'desk', 'two', 'drawers'],
    ['Straße STRASSE GROẞ', 'strasse', 'gross'],
    ['Ångström élan ÉTÉ Ñandú', 'angstrom', 'elan', 'ete', 'nandu'],
    ['e\u0301te\u0301 été', 'ete'],
    ['İstanbul ıŞIK', 'istanbul', 'isik'],
    ['Łódź Smørrebrød ŻÓŁTY Đurđa Ægir', 'lodz', 'smorrebrod', 'zolty', 'durda', 'aegir'],
    ['Þórr ðe ŒUVRE ĦAL-TAĦT Sámi ŧŋ ĸ', 'thorr', 'de', 'oeuvre', 'hal', 'taht', 'sami', 'tn', 'q'],
    ['Ɓalɗe Ƙasa ƴa Ɛwe Ⱥ ᴠɪɴᴛᴀɢᴇ ǿ ǽ', 'balde', 'kasa', 'ya', 'ewe', 'a', 'vintage', 'o', 'ae'],
    ['Gəncə ɔ', 'gəncə', 'ɔ'],
    ['ὈΔΥΣΣΕΎΣ Οδυσσεύς ΟΔΟΣ:Α', 'οδυσσευσ', 'οδοσ', 'α'],
    ['ﬁne ＦＵＬＬ ½ ㎒', 'fine', 'full', '1', '2', 'mhz'],
    ["don't l'arbre a.b-c_d", 'don', 't', 'l', 'arbre', 'a', 'b', 'c', 'd'],
    ['東京の花瓶', '東', '京', 'の', '花', '瓶'],
    ['ガラスmaker ｶﾞ', 'カ\u3099', 'ラ', 'ス', 'maker'],
    ['กิน ลาว', 'กิ', 'น', 'ล', 'า', 'ว'],
    ['हिन्दी العربية 한국어', 'हिन्दी', 'العربية', '한국어'.normalize('NFKD')],
    ['1939 24k 3.5', '1939', '24k', '3', '5'],
    ['a\u0000b \ud800 🏺 $set', 'a', 'b', 'set'],
    ['   – … “” ', ...[]],
    ['', ...[]],
  ])('%j are folded, distinct and in order', (title, ...words) => {
    expect(wordsOf(title)).toEqual(words)
  })

  test('are at most 32, each of at most 64 code points', () => {
    const numbers = Array.from({ length: 60 }, (_, index) => `${index}`)
    expect(wordsOf(numbers.join(' '))).toEqual(numbers.slice(0, 32))
    expect(wordsOf('𒀀'.repeat(100))).toEqual(['𒀀'.repeat(64)])
    expect(wordsOf(`${'x'.repeat(64)}y ${'x'.repeat(64)}z`)).toEqual(['x'.repeat(64)])
    expect(wordsOf(`カ${'\u3099'.repeat(100)}`)).toEqual([`カ${'\u3099'.repeat(63)}`])
  })

  test('are those in the first 1,000 UTF-16 units of the folded title', () => {
    expect(wordsOf(`${'힣 '.repeat(99)}end`)).toEqual(['힣'.normalize('NFKD'), 'end'])
    expect(wordsOf(`${'\ufdfa '.repeat(40)}end`)).toContain('end')
    expect(wordsOf(`${'\ufdfa '.repeat(99)}end`)).not.toContain('end')
  })

  // Any UTF-16, letters of many scripts, and short texts whose words repeat.
  const text = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('a', 'B', 'ß', 'É', 'Σ', 'ς', ' ', '東', 'カ', '\u3099', '\u0301', '-') }),
  )

  test('are whole after a second folding, whatever the text', () => {
    fc.assert(
      fc.property(text, (title) => {
        const words = wordsOf(title)
        expect(wordsOf(words.join(' '))).toEqual(words)
        for (const word of words) expect([word, wordsOf(word)]).toEqual([word, [word]])
        expect(words.every((word) => word.isWellFormed() && !/[\s\p{Cc}\p{P}]/u.test(word))).toBe(true)
      }),
    )
  })

  test('do not depend on case and composition', () => {
    fc.assert(
      fc.property(text, (title) => {
        const forms = [title.toUpperCase(), title.toLowerCase(), title.normalize('NFC'), title.normalize('NFD')]
        // A title in capitals may be longer, but not in words.
        for (const form of forms) expect(wordsOf(form)).toEqual(wordsOf(title))
      }),
    )
  })

  test('are found in any order, and only all together', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('zzz', '0'), (title, other) => {
        const words = wordsOf(title)
        expect(hasWords(title, words.toReversed())).toBe(true)
        expect(hasWords(words.slice(1).join(' '), words)).toBe(words.length === 0)
        expect(hasWords(title, [...words, other])).toBe(words.includes(other))
      }),
    )
    expect([hasWords(undefined, []), hasWords(undefined, ['a'])]).toEqual([true, false])
  })

  test('have a letter of ASCII for each letter of Latin-1 and Latin Extended-A', () => {
    const letters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).filter((each) =>
      /\p{L}/u.test(each),
    )
    // Its apostrophe is a letter to Unicode.
    expect(letters.filter((letter) => !/^[a-z]+$/.test(wordsOf(letter).join(' ')))).toEqual(['µ', 'ŉ'])
  })
})
