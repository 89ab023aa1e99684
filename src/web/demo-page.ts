import type { Dependencies } from '../application/dependencies.ts'
import { PRODUCT_NAME } from '../contract/product.ts'
import { assets } from './assets.ts'
import { frame } from './frame.ts'
import { platformOf } from './page-context.ts'
import { newNonce, securityHeaders } from './security-headers.ts'

/** The demo application: a public client like any other, whose page happens to come from here. */
export async function demoPage(
  { experience }: Pick<Dependencies, 'experience'>,
  tenantId: string,
  request: Request,
): Promise<Response> {
  const nonce = newNonce()
  const { branding, color } = await experience.get(tenantId)
  const { head, tail } = frame({
    language: 'en',
    title: `Demo application - ${PRODUCT_NAME}`,
    platform: platformOf(request.headers.get('user-agent')),
    nonce,
    // The operator's colours; but whether there is a dark theme is for every application to decide.
    look: { branding, color: { ...color, isDarkModeEnabled: true }, customCss: null },
    styles: assets.css + (assets.demo?.css ?? ''),
    modules: assets.demo ? [assets.demo.entry] : [],
    boot: null,
  })
  return new Response(head + START + tail, {
    headers: securityHeaders(new URL(request.url), { nonce, formTargets: [] }),
  })
}

/** What is there until the script has drawn something better, and all there is without one. */
const START =
  '<header><picture><source media="(prefers-color-scheme: dark)" srcset="/logo-dark.svg">' +
  `<img class="demo-logo" src="/logo.svg" height="32" alt="${PRODUCT_NAME}"></picture></header>` +
  '<main id="demo"><noscript><h1>Demo application</h1>' +
  '<p class="demo-lead">This application runs in the browser and needs JavaScript. ' +
  'The sign-in pages it leads to do not.</p></noscript></main>'
