// Imported by its path, because browsers have no node_modules, and the policy of the page forbids an import map within it.
export { html, noChange, nothing, render, svg } from '../node_modules/lit-html/lit-html.js'
