/** Style sheets of hosts that change elements by their names: each would make the page unreadable if it applied there. */
export const foreignStyles = {
  reset: `
    *, *::before, *::after { all: unset; box-sizing: border-box }
    html { font-size: 62.5% }
    body { display: block; font-size: 1.6rem }
    div { display: block }`,
  classless: `
    :root { --accent: maroon; --text: gray; --line: red; --round: 40px; font-size: 22px }
    body { color: #555; font-family: Georgia, serif; letter-spacing: 0.05em; line-height: 2.2; margin: auto; max-width: 60rem }
    header { background: #112244; color: white; margin-bottom: 3rem; padding: 4rem 2rem; text-align: center }
    nav a, a { color: white; display: block; padding: 1rem; text-transform: uppercase }
    h1 { border-bottom: 4px double; font-size: 4rem; margin: 2rem }
    p, li, dd { margin: 0 0 2rem 3rem; max-width: 20ch; text-indent: 2em }
    button, input, select { background: #eee; border: 0; border-radius: 0; display: block; margin: 1rem 0; padding: 1rem; width: 100% }
    article, section, main, details, dialog { background: #fafafa; margin: 3rem; padding: 3rem }
    img { filter: grayscale(1); max-width: 50% }
    table, th, td { border: 3px solid; padding: 2rem }`,
  loud: `
    * { background: yellow !important; border: 5px solid lime !important; color: hotpink !important; cursor: crosshair !important;
        font: italic 700 30px/1 'Comic Sans MS' !important; letter-spacing: 0.4em !important; text-align: center !important;
        text-shadow: 2px 2px red !important; text-transform: uppercase !important; white-space: nowrap !important;
        word-spacing: 2em !important }`,
} as const
