/** The maximum number of words of a title that a search finds. */
const maxTitleWords = 32
/** The maximum number of words of a search. */
export const maxSearchWords = 8
/** Longer words are cut, at this many code points. */
const maxWordLength = 64
/** Longer folded titles are cut, at this many UTF-16 units: a character may become 18, and searches split many. */
const maxFoldedLength = 1_000

/** Languages that write no spaces between words: each character, with its marks, is a word. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]'
const character = '[\\p{L}\\p{N}\\p{M}]'
const word = new RegExp(`[${character}&&${unspaced}]\\p{M}*|[${character}--${unspaced}]+`, 'gv')

/** Lower case comes first, since ẞ has no other upper case. A sigma at the end of a word is like any other. */
const withoutCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** Unicode separates these accents from their letter. */
const withoutAccents = (text: string): string =>
  withoutCase(
    withoutCase(text)
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036f]/g, ''),
  )

/** Letters lose also strokes and hooks, and ligatures become their letters. */
const folded = (text: string): string =>
  withoutAccents(text).replaceAll(specialLetter, (letter) => plainLetters.get(letter) ?? letter)

/**
 * The distinct words of a title or a search, in their order: runs of letters and digits, without case and accents.
 * Searches compare them, so stores index these words of each title.
 */
export function wordsOf(title: string): readonly string[] {
  const matches = folded(title).slice(0, maxFoldedLength).matchAll(word)
  const words = new Set(Array.from(matches, ([characters]) => [...characters].slice(0, maxWordLength).join('')))
  return [...words].slice(0, maxTitleWords)
}

/** Whether a title has all the words, which are as `wordsOf` returns them. */
export function hasWords(title: string | undefined, words: readonly string[]): boolean {
  const own = wordsOf(title ?? '')
  return words.every((searched) => own.includes(searched))
}

/**
 * Latin letters that Unicode does not decompose, by the letters that people without them type: those that remain in
 * lower case and NFKD of the transform Latin-ASCII of the Unicode CLDR.
 */
const specialLetters = {
  a: 'ⱥᴀᶏ',
  aa: 'ꜳ',
  ae: 'æᴁ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃʙᴃᵬᶀ',
  c: 'ƈȼɕᴄꞓ',
  d: 'ðđɖɗƌȡᴅᴆᵭᶁᶑꝱꝺ',
  db: 'ȸ',
  dz: 'ʣʥ',
  e: 'ɛɇᴇᶒᶓⱸ',
  f: 'ƒᵮᶂꜰꝼ',
  g: 'ɠǥɡɢʛᶃꞡ',
  h: 'ħɦɧʜⱨ',
  hv: 'ƕ',
  i: 'ɨɪᵻᶖ',
  j: 'ȷɉɟʝᴊ',
  k: 'ƙᴋᶄⱪꝁꝃꝅꞣ',
  l: 'łƚȴɫɬɭʟᴌᶅⱡꝇꝉꝲ',
  ll: 'ỻ',
  ls: 'ʪ',
  lz: 'ʫ',
  m: 'ɱᴍᵯᶆꝳ',
  n: 'ŋɲƞȵɳɴᵰᶇꝴꞑꞥ',
  o: 'øᴏⱺꝋꝍ',
  oe: 'œɶ',
  oi: 'ƣ',
  oo: 'ꝏ',
  p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
  q: 'ĸʠꝗꝙ',
  qp: 'ȹ',
  r: 'ʀɍɼɽɾᵲᵳᶉꝵꝶꞧ',
  s: 'ȿʂᵴᶊẜẝꜱꞩ',
  t: 'ŧƫƭʈȶⱦᴛᵵꝷꞇ',
  th: 'þᵺꝥꝧ',
  ts: 'ʦ',
  u: 'ʉᴜᵾᶙ',
  ue: 'ᵫ',
  v: 'ʋᴠᶌỽⱱⱴꝟ',
  vy: 'ꝡ',
  w: 'ᴡⱳ',
  x: 'ᶍ',
  y: 'ƴɏʏỿ',
  z: 'ƶȥɀʐʑᴢᵶᶎⱬ',
}

const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries(specialLetters).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain])),
)

const specialLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g')
