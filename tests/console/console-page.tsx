import 'react-aria-components'
import { prerender } from 'react-dom/static'
import { vi } from 'vitest'
import { Router } from 'wouter'
import type { ManagementScope } from '../../src/contract/access/management-scopes.ts'

/** Pages of the console as markup, without a browser. */

// Some modules look at the browser as they are loaded.
vi.stubGlobal('window', {
  location: {
    origin: 'https://id.example.com',
    hostname: 'id.example.com',
    pathname: '/console',
    search: '',
  },
  localStorage: { getItem: () => null },
  sessionStorage: { getItem: () => null },
  matchMedia: () => ({ matches: true, addEventListener() {}, removeEventListener() {} }),
})
vi.stubGlobal('document', {
  querySelector: (selector: string) => (selector.includes('tenant-id') ? { content: 'default' } : null),
  documentElement: { lang: 'en', dataset: {} },
})
const { App } = await import('../../console/app.tsx')
const { queryClient } = await import('../../console/api/queries.ts')
// What has failed would be drawn as if it was read again.
const { queries } = queryClient.getDefaultOptions()
queryClient.setDefaultOptions({ queries: { ...queries, retryOnMount: false } })
// The parts of react-aria draw as on a server.
vi.stubGlobal('document', undefined)

/** What the API answers at a path below `/api`; an `Error` is a call that failed, and undefined leaves the page waiting. */
export type Answers = (path: string) => unknown

type Drawn = {
  markup: string
  /** The paths that were asked for, each once. */
  reads: readonly string[]
}

/** The page at `path`, below `/console`, as it is when everything that it reads is answered. */
export async function drawPage(
  path: string,
  { scopes, answers }: { scopes: readonly ManagementScope[]; answers: Answers },
): Promise<Drawn> {
  const granted = { userId: 'me', scopes }
  const answerOf = (asked: string) =>
    asked === '/my-permissions' ? { ...granted, name: 'Me' } : answers(asked)
  const answered = new Set<string>()
  queryClient.clear()
  let drawn = ''
  for (;;) {
    const before = drawn
    const page = (
      <Router ssrPath={`/console${path}`}>
        <App granted={granted} />
      </Router>
    )
    // Large parts would come behind the rest, for a script to put them in their place.
    const { prelude } = await prerender(page, { progressiveChunkSize: Number.POSITIVE_INFINITY })
    drawn = await new Response(prelude).text()
    const open = asked().filter(({ queryHash }) => !answered.has(queryHash))
    // Once more, because a file that is loaded with the first drawing is in its place in the second.
    if (open.length === 0 && drawn === before)
      return { markup: drawn, reads: [...new Set(asked().map(({ queryKey: [at] }) => String(at)))] }
    for (const { queryKey, queryHash } of open) {
      answered.add(queryHash)
      const data = answerOf(String(queryKey[0]))
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

/** The queries of the page but for those that it leaves out. */
const asked = () =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ options }) => !('enabled' in options) || options.enabled !== false)

/** The controls of a page that can be used, by what they are called: buttons, fields, and links that look like buttons. */
export function controlsOf(markup: string): string[] {
  const page = /<main.*<\/main>/s.exec(markup)?.[0] ?? ''
  const labels = [...page.matchAll(/<label([^>]*)>(.*?)<\/label>/gs)].map(
    ([, attributes = '', content = '']) => ({
      id: attributeOf(attributes, 'for') ?? attributeOf(/<input([^>]*)>/.exec(content)?.[1] ?? '', 'id'),
      content,
      text: textIn(content),
    }),
  )
  const nameOf = (whole: string, attributes: string, content: string | undefined) =>
    attributeOf(attributes, 'aria-label') ??
    (content === undefined
      ? labels.find(
          ({ id, content: within }) => within.includes(whole) || (id && id === attributeOf(attributes, 'id')),
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

const attributeOf = (attributes: string, name: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]

/** Without what is below a label. */
const textIn = (markup: string) =>
  markup
    .replaceAll(/<span class="hint">.*?<\/span>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .trim()
