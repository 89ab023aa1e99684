// The script of the page /api/docs, in its own file because the policy of the page allows no inline script.
const renderSwagger = Reflect.get(window, 'SwaggerUIBundle')
const page = document.getElementById('api') ?? document.body

/** @param {Element} field */
const nameOf = (field) =>
  field.getAttribute('placeholder') ||
  field.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent ||
  'Content type'

/**
 * What Swagger UI leaves out: names, heading levels and landmarks. It creates further elements when a call is opened.
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
  // A button is named by its text.
  for (const button of page.querySelectorAll('.modal-btn[aria-label]')) button.removeAttribute('aria-label')
}
new MutationObserver(mend).observe(page, { childList: true, subtree: true })

const dark = matchMedia('(prefers-color-scheme: dark)')
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showTheme)
showTheme()

const parts = {
  // There is only one server, this one, so there is nothing to choose.
  ServersContainer: () => () => null,
  /**
   * A link inside the button of a call would be unreachable.
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
  // With more than 150 rows, it renders only those in view, and neither a search in the page nor a screen reader finds
  // the rest.
  docExpansion: 'none',
  // The colours of this theme have enough contrast.
  syntaxHighlight: { theme: 'arta' },
  // The default validator would send the document to another site.
  validatorUrl: null,
})
