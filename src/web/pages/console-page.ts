import { type Context, Hono } from 'hono'
import manifest from '../../../build/console.json'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { parseAcceptLanguage } from '../../domain/experience/language.ts'
import { tenantOrigin } from '../../domain/tenants/hosts.ts'
import { createSecurityHeaders, generateNonce } from '../security-headers.ts'

/**
 * Serves the console's HTML document at all of its paths (spec/console#document). The document is the same for all
 * users. Its script loads the content from the management API with the signed-in user's token.
 */
export function consoleRoutes({ settings }: Pick<Dependencies, 'settings'>) {
  return new Hono<{ Variables: RequestFacts }>().get('/console', servePage).get('/console/*', servePage)

  function servePage({ req, var: { tenantId } }: Context<{ Variables: RequestFacts }>): Response {
    const nonce = generateNonce()
    const url = new URL(req.url)
    // A console on a separate host calls the tenant's API on another host.
    const api = tenantOrigin(tenantId, url, settings.hosting) ?? refuseWith('entity.not_found')
    const headers = createSecurityHeaders({ nonce, formTargets: [] })
    const language = languageOf(req.header('accept-language'))
    return new Response(documentOf({ nonce, url, api, tenantId, language }), {
      headers: {
        ...headers,
        'content-security-policy': policyOf({ nonce, url, api }),
        // No application opens the console in a popup and waits for it, so the console can be isolated from its opener.
        'cross-origin-opener-policy': 'same-origin',
      },
    })
  }
}

type DocumentOptions = {
  nonce: string
  url: URL
  /** The origin of the API that the console calls. */
  api: string
}
type Reader = { tenantId: string; language: keyof typeof withoutScript }

/**
 * Returns the content security policy. Pictures may come from any https URL, as on the sign-in pages that the
 * console previews in a frame.
 */
function policyOf({ nonce, url, api }: DocumentOptions): string {
  const apiSources = api === url.origin ? "'self'" : `'self' ${api}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${apiSources} data: blob: https:`,
    `connect-src ${apiSources}`,
    `frame-src ${apiSources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const areas: Readonly<Record<string, readonly string[]>> = manifest.areas

/**
 * Returns the files for the console area at a path (`console/areas.ts`). Unless they are preloaded, the script requests
 * them much later.
 */
function filesOfArea({ pathname }: URL): readonly string[] {
  const [, , name = ''] = pathname.split('/')
  const area = name || 'start'
  return Object.hasOwn(areas, area) ? (areas[area] ?? []) : []
}

/**
 * Returns the preload tags. The entry module comes first, because it asks the provider who is signed in
 * (`console/main.tsx`). Files that are needed afterwards are loaded in parallel, at a lower priority.
 */
function earlyFiles(url: URL): string {
  const preloadLinks = manifest.preload.map((file) => `<link rel="modulepreload" href="${file}">`)
  const lowPriorityLinks = [...manifest.screens, ...filesOfArea(url)].map((file) =>
    file.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin fetchpriority="low" href="${file}">`
      : `<link rel="modulepreload" fetchpriority="low" href="${file}">`,
  )
  return [...preloadLinks, ...lowPriorityLinks].join('\n')
}

/** The text for browsers without JavaScript, with other ways to manage a tenant. */
const withoutScript = {
  en: {
    title: 'Console',
    text: (docs: string) =>
      `The console runs in the browser and needs JavaScript. Everything it does is also a call of the <a href="${docs}">management API</a>, a command (<code>npm run config</code>, <code>npm run users</code>, <code>npm run admin</code>) or a setting in <code>vestibule.config.ts</code>.`,
  },
  de: {
    title: 'Konsole',
    text: (docs: string) =>
      `Die Konsole läuft im Browser und braucht JavaScript. Alles, was sie tut, ist auch ein Aufruf der <a href="${docs}">Management-API</a>, ein Befehl (<code>npm run config</code>, <code>npm run users</code>, <code>npm run admin</code>) oder eine Einstellung in <code>vestibule.config.ts</code>.`,
  },
} as const

/**
 * Chooses the language by the same rule as the script (`console/phrases.ts`), except that only the script knows a
 * stored choice.
 */
function languageOf(acceptLanguage: string | undefined): keyof typeof withoutScript {
  const languages = parseAcceptLanguage(acceptLanguage).map((tag) => tag.split('-')[0])
  return languages.find((tag) => tag === 'en' || tag === 'de') ?? 'en'
}

/**
 * Returns the HTML document. The nonce is for the style elements that react-aria-components creates; the library
 * reads the nonce from the document.
 */
function documentOf({ nonce, url, api, tenantId, language }: DocumentOptions & Reader): string {
  const { title, text } = withoutScript[language]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8">
<title>${title} - ${PRODUCT_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<meta name="api-origin" content="${api}">
<meta name="tenant-id" content="${tenantId}">
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${manifest.styles}">
<script type="module" src="${manifest.entry}"></script>
${earlyFiles(url)}
</head>
<body><div id="console"></div>
<noscript><main class="plain"><h1>${title}</h1>
<p>${text(`${api}/api/docs`)}</p></main></noscript>
</body>
</html>
`
}
