import { Hono } from 'hono'
import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { builtAssets } from '../assets.ts'
import { createSecurityHeaders, generateNonce } from '../security-headers.ts'
import { renderHtmlFrame } from './frame.ts'
import { getBrandLook } from './page-assets.ts'
import { detectPlatform } from './page-context.ts'

/**
 * Serves the demo application (spec/pages#demo-app). It is a public client like any other, but this server also serves
 * its page.
 */
export const demoRoute = (dependencies: Pick<Dependencies, 'experience'>) =>
  new Hono<{ Variables: RequestFacts }>().get('/demo-app', (c) =>
    demoPage(dependencies, { tenantId: c.var.tenantId, request: c.req.raw }),
  )

async function demoPage(
  { experience }: Pick<Dependencies, 'experience'>,
  { tenantId, request }: PageRequest,
): Promise<Response> {
  const nonce = generateNonce()
  const { head, tail } = renderHtmlFrame({
    language: 'en',
    title: `Demo application · ${PRODUCT_NAME}`,
    platform: detectPlatform(request.headers.get('user-agent')),
    nonce,
    ...getBrandLook(await experience.get(tenantId), builtAssets.demo?.sheets),
    modules: builtAssets.demo?.modules ?? [],
    boot: null,
  })
  const isReturning = new URL(request.url).searchParams.has('code')
  return new Response(
    `${head}${HEADER}<main id="demo">${isReturning ? WAITING : ''}${WITHOUT_SCRIPT}</main>${tail}`,
    {
      headers: createSecurityHeaders({ nonce, formTargets: [] }),
    },
  )
}

const HEADER =
  '<header><picture><source media="(prefers-color-scheme: dark)" srcset="/logo-dark.svg">' +
  `<img class="demo-logo" src="/logo.svg" height="32" alt="${PRODUCT_NAME}"></picture></header>`

/** The content until the script has exchanged the code for tokens. */
const WAITING =
  '<div class="demo-waiting"><span class="spinner" aria-hidden="true"></span><h1>Signing you in…</h1></div>'

const WITHOUT_SCRIPT =
  '<noscript><h1>Demo application</h1>' +
  '<p class="demo-lead">This application runs in the browser and needs JavaScript. ' +
  'The sign-in pages it leads to do not.</p></noscript>'
