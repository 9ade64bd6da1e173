// Starts Swagger UI with less of the document: operations without standard parameters and headers, and with one row of refusals.

const standardHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
const standardParameters = ['X-Request-Id', 'traceparent']

const moments = /(?<=")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z(?=")/g

// Moves the times of the examples to now, so that their auctions are open.
function moved(text) {
  const [, now] = /"now":"([^"]+)"/.exec(text)
  const laterMs = Math.floor((Date.now() - Date.parse(now)) / 60000) * 60000
  return text.replaceAll(moments, (moment) => `${new Date(Date.parse(moment) + laterMs).toISOString().slice(0, 19)}Z`)
}

function shown(document) {
  const { headers, parameters, responses } = document.components
  const resolved = (item, components) => ('$ref' in item ? components[item.$ref.split('/').at(-1)] : item)
  const code = (name) => `\`${name}\``
  document.info.description +=
    '\n\nNot shown below: the request headers ' +
    standardParameters.map(code).join(' and ') +
    ', and the response headers ' +
    standardHeaders.map(code).join(', ') +
    '. [openapi.json](openapi.json) describes them.'
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    // Swagger UI shows an operation with optional security as authorized, with a closed lock, before it has a token.
    operation.security = operation.security?.filter((each) => 'bearer' in each)
    operation.parameters = operation.parameters.filter(
      (each) => !standardParameters.includes(resolved(each, parameters).name),
    )
    const all = Object.entries(operation.responses).map(([status, each]) => [
      status,
      shownResponse(resolved(each, responses)),
    ])
    const isRefusal = ([status]) => !/^[123]/.test(status)
    operation.responses = Object.fromEntries(all.filter((each) => !isRefusal(each)))
    operation.responses.default = joined(all.filter(isRefusal))
  }
  return document

  function shownResponse(response) {
    const special = Object.entries(response.headers ?? {}).filter(([name]) => !standardHeaders.includes(name))
    return { ...response, headers: Object.fromEntries(special.map(([name, each]) => [name, resolved(each, headers)])) }
  }
}

// One response for all refusals: a table of their codes, and all of their headers and examples.
function joined(responses) {
  const rows = responses.flatMap(([status, { description }]) =>
    description.split('\n').map((line) => `| ${status} | ${line.replace(/^- (`[^`]+`): /, '$1 | ')} |`),
  )
  const examples = responses.flatMap(([status, { content }]) =>
    Object.entries(content['application/problem+json'].examples ?? {}).map(([name, { summary, value }]) => [
      `${status}-${name}`,
      { summary: `${status}: ${summary}`, value },
    ]),
  )
  return {
    summary: responses.map(([status]) => status).join(' '),
    description: ['| Status | Code | Meaning |', '| --- | --- | --- |', ...rows].join('\n'),
    headers: Object.assign({}, ...responses.map(([, { headers }]) => headers)),
    content: { 'application/problem+json': { examples: Object.fromEntries(examples) } },
  }
}

// Opens on a click.
const foldRefusals =
  (Response, { React: { createElement } }) =>
  (props) => {
    const row = createElement(Response, props)
    if (props.code !== 'default') return row
    const summary = createElement('summary', null, `Refusals: ${props.response.get('summary')}`)
    const table = createElement('table', null, createElement('tbody', null, row))
    return createElement(
      'tr',
      { className: 'refusals' },
      createElement('td', { colSpan: 3 }, createElement('details', null, summary, table)),
    )
  }

// The browser forgets the token with the tab. Other services of this origin have other paths.
const storage = `authorization of ${location.pathname}`

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  plugins: [
    () => ({
      wrapComponents: { response: foldRefusals },
      statePlugins: {
        auth: {
          wrapActions: {
            persistAuthorizationIfNeeded:
              (_, { authSelectors }) =>
              () =>
                sessionStorage.setItem(storage, JSON.stringify(authSelectors.authorized())),
          },
        },
        spec: {
          wrapActions: {
            updateSpec: (update) => (text) => update(JSON.stringify(shown(JSON.parse(moved(text))))),
          },
        },
      },
    }),
  ],
  onComplete: () =>
    ui.authActions.restoreAuthorization({ authorized: JSON.parse(sessionStorage.getItem(storage) ?? '{}') }),
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
