// The page /api/docs. A file of its own, because its policy allows no script inside the page.
const renderSwagger = Reflect.get(window, 'SwaggerUIBundle')
const page = document.getElementById('api') ?? document.body

/** @param {Element} field */
const nameOf = (field) =>
  field.getAttribute('placeholder') ||
  field.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent ||
  'Content type'

/**
 * What Swagger UI leaves out: names, levels of headings, landmarks. It makes new elements as calls are opened.
 *
 * @type {[selector: string, attribute: string, value: string | ((element: Element) => string)][]}
 */
const missing = [
  [':is(select, textarea, input:not([type=hidden]))', 'aria-label', nameOf],
  ['.close-modal', 'aria-label', 'Close'],
  ['pre, .highlight-code', 'tabindex', '0'],
  ['.opblock-tag, .dialog-ux h3, .models h4', 'aria-level', '2'],
  [':is(.dialog-ux, .opblock-body) h4', 'aria-level', '3'],
  ['.opblock-body h5', 'aria-level', '4'],
  ['.information-container', 'role', 'banner'],
  ['.filter-container', 'role', 'search'],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', 'Authorization'],
]
const mend = () => {
  for (const [selector, attribute, value] of missing)
    for (const element of page.querySelectorAll(`:is(${selector}):not([${attribute}])`))
      element.setAttribute(attribute, typeof value === 'string' ? value : value(element))
  // The name of a button is what is on it.
  for (const button of page.querySelectorAll('.modal-btn[aria-label]')) button.removeAttribute('aria-label')
}
new MutationObserver(mend).observe(page, { childList: true, subtree: true })

const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showTheme)
showTheme()

const parts = {
  // One server, this one, needs no choice.
  ServersContainer: () => () => null,
  /**
   * A link inside the button of a call could not be reached.
   *
   * @param {unknown} _
   * @param {{ React: { createElement(...parts: unknown[]): unknown } }} system
   */
  DeepLink:
    (_, { React }) =>
    /** @param {{ text: string }} link */
    ({ text }) =>
      React.createElement('span', null, text),
}

renderSwagger({
  url: '/api/openapi.json',
  dom_id: '#api',
  plugins: [{ wrapComponents: parts }],
  defaultModelsExpandDepth: 0,
  filter: true,
  // With more than 150 rows it draws those in view alone, which neither a search in the page nor a screen reader finds.
  docExpansion: 'none',
  // Its colours have their contrast.
  syntaxHighlight: { theme: 'arta' },
  // The default validator would send the document to another site.
  validatorUrl: null,
})
