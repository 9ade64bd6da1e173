/** How the lines of one way to place bids look: on light paper, and on dark. */
type Ink = { readonly light: string; readonly dark: string }

/** By the part of a series' name before the slash. */
const inks: Readonly<Record<string, Ink>> = {
  insertOne: { light: '#6e7781', dark: '#8b949e' },
  insertMany: { light: '#24292f', dark: '#f0f6fc' },
  'insertMany-with-keys': { light: '#57606a', dark: '#c9d1d9' },
  placeBid: { light: '#0969da', dark: '#58a6ff' },
  'placeBid-with-keys': { light: '#1b7c83', dark: '#39c5cf' },
  'find-then-insert': { light: '#bc4c00', dark: '#f0883e' },
  findOneAndUpdate: { light: '#1a7f37', dark: '#3fb950' },
  transaction: { light: '#8250df', dark: '#d2a8ff' },
}

/** What follows the slash when all bids go to one auction: its lines are broken. */
export const hotSuffix = 'hot-auction'

const paper: Ink = { light: '#ffffff', dark: '#0d1117' }
const text: Ink = { light: '#1f2328', dark: '#e6edf3' }
const grid: Ink = { light: '#d0d7de', dark: '#30363d' }

const rules = (shade: keyof Ink): string =>
  [
    `.paper { fill: ${paper[shade]} }`,
    `text { fill: ${text[shade]} }`,
    `.grid { stroke: ${grid[shade]} }`,
    ...Object.entries(inks).flatMap(([method, ink]) => [
      `.${method} { stroke: ${ink[shade]} }`,
      `circle.${method} { fill: ${ink[shade]} }`,
    ]),
    `circle.hollow { fill: ${paper[shade]} }`,
  ].join('\n')

// The chart brings its own paper, so it can be read on whatever page it stands.
export const styleSheet = [
  'text { font: 13px system-ui, sans-serif }',
  '.title { font-weight: 600 }',
  'polyline { fill: none; stroke-width: 2 }',
  'circle { stroke-width: 2 }',
  rules('light'),
  `@media (prefers-color-scheme: dark) {\n${rules('dark')}\n}`,
].join('\n')
