/**
 * Latin letters that Unicode does not decompose, by the letters that people without them type: those that remain in lower case and NFKD
 * of the transform Latin-ASCII of the Unicode CLDR.
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

export const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries(specialLetters).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain])),
)

export const specialLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'g')
