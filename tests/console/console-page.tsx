import 'react-aria-components'
import { prerender } from 'react-dom/static'
import { vi } from 'vitest'
import { Router } from 'wouter'
import type { ManagementScope } from '../../src/contract/access/management-scopes.ts'

/** Renders pages of the console to markup without a browser. */

/** The browser's globals that console modules read, some of them when they are loaded. */
const browserWindow = {
  location: {
    origin: 'https://id.example.com',
    hostname: 'id.example.com',
    pathname: '/console',
    search: '',
  },
  localStorage: { getItem: () => null },
  sessionStorage: { getItem: () => null, setItem() {}, removeItem() {} },
  matchMedia: () => ({ matches: true, addEventListener() {}, removeEventListener() {} }),
}

/**
 * Defines `window`. Tests that render call this again, because another test file of the same process may have loaded
 * this module, and removed the stub when it ended.
 */
export const stubWindow = () => vi.stubGlobal('window', browserWindow)
stubWindow()
vi.stubGlobal('document', {
  querySelector: (selector: string) => (selector.includes('tenant-id') ? { content: 'default' } : null),
  documentElement: { lang: 'en', dataset: {} },
})
const { App } = await import('../../console/app.tsx')
const { queryClient } = await import('../../console/api/queries.ts')
// With `retryOnMount`, a failed query would be rendered as still loading.
const { queries } = queryClient.getDefaultOptions()
queryClient.setDefaultOptions({ queries: { ...queries, retryOnMount: false } })
// Without a document, react-aria renders as on a server.
vi.stubGlobal('document', undefined)

/**
 * Returns the response body for a path below `/api`, an `Error` for a failed call, or undefined for a call that remains
 * pending.
 */
export type Answers = (path: string) => unknown

type RenderedPage = {
  markup: string
  /** The requested API paths without duplicates. */
  reads: readonly string[]
}

/** Renders the console page at a path below `/console`, including the data from its API calls. */
export async function renderPage(
  path: string,
  { scopes, answers }: { scopes: readonly ManagementScope[]; answers: Answers },
): Promise<RenderedPage> {
  stubWindow()
  const granted = { userId: 'me', scopes }
  const findAnswer = (requested: string) =>
    requested === '/my-permissions' ? { ...granted, name: 'Me' } : answers(requested)
  const answered = new Set<string>()
  queryClient.clear()
  let markup = ''
  for (;;) {
    const before = markup
    const page = (
      <Router ssrPath={`/console${path}`}>
        <App granted={granted} />
      </Router>
    )
    // With the default chunk size, React would append large elements at the end of the document.
    const { prelude } = await prerender(page, { progressiveChunkSize: Number.POSITIVE_INFINITY })
    markup = await new Response(prelude).text()
    const pending = activeQueries().filter(({ queryHash }) => !answered.has(queryHash))
    // Repeat until the markup is stable, because a lazily loaded component appears only in the next rendering.
    if (pending.length === 0 && markup === before)
      return { markup: markup, reads: [...new Set(activeQueries().map(({ queryKey: [at] }) => String(at)))] }
    for (const { queryKey, queryHash } of pending) {
      answered.add(queryHash)
      const data = findAnswer(String(queryKey[0]))
      if (data instanceof Error)
        queryClient.getQueryCache().get(queryHash)?.setState({ status: 'error', error: data })
      else if (data !== undefined)
        queryClient.setQueryData(queryKey, {
          data,
          etag: null,
          total: Array.isArray(data) ? data.length : null,
          isCapped: false,
        })
    }
  }
}

/** Returns the enabled queries of the page. */
const activeQueries = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ options }) => !('enabled' in options) || options.enabled !== false)

/** Returns the names of the enabled controls of a page: buttons, fields, and links that look like buttons. */
export function findControls(markup: string): string[] {
  const page = /<main.*<\/main>/s.exec(markup)?.[0] ?? ''
  const labels = [...page.matchAll(/<label([^>]*)>(.*?)<\/label>/gs)].map(
    ([, attributes = '', content = '']) => ({
      id: readAttribute(attributes, 'for') ?? readAttribute(/<input([^>]*)>/.exec(content)?.[1] ?? '', 'id'),
      content,
      text: textIn(content),
    }),
  )
  const nameOf = (whole: string, attributes: string, content: string | undefined) =>
    readAttribute(attributes, 'aria-label') ??
    (content === undefined
      ? labels.find(
          ({ id, content: within }) =>
            within.includes(whole) || (id && id === readAttribute(attributes, 'id')),
        )?.text
      : textIn(content)) ??
    whole
  return [
    ...page.matchAll(
      /<button([^>]*)>(.*?)<\/button>|<a([^>]* class="button[^>]*)>(.*?)<\/a>|<(?:input|select|textarea)([^>]*)>/gs,
    ),
  ]
    .map(([whole, button, buttonText, link, linkText, field]) => ({
      whole,
      attributes: button ?? link ?? field ?? '',
      content: buttonText ?? linkText,
    }))
    .filter(({ attributes }) => !/ disabled=""/.test(attributes))
    .map(({ whole, attributes, content }) => nameOf(whole, attributes, content))
}

const readAttribute = (attributes: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]

/** Returns the text content of some HTML without the hint below a label. */
const textIn = (markup: string) =>
  markup
    .replaceAll(/<span class="hint">.*?<\/span>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .trim()
