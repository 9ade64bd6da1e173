// The service replaces the name of the package with its address, as in client.js.
export { html, noChange, nothing, render, svg } from 'lit-html'
