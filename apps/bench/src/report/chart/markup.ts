const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '')

/** One element of XML. Numbers are cut to a tenth of a pixel; content is markup already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...content: readonly string[]
): string {
  const written = Object.entries(attributes).map(([key, value]) => {
    return ` ${key}="${typeof value === 'number' ? Number(value.toFixed(1)) : escaped(value)}"`
  })
  return content.length === 0
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content.join('\n')}</${name}>`
}

export const label = (text: string, attributes: Readonly<Record<string, string | number>>): string =>
  element('text', attributes, escaped(text))
