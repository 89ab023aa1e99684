import type { AccountView } from '../../../client/account/account-view.tsx'
import { builtAssets } from '../assets.ts'
import { bootData } from '../pages/boot-data.ts'
import { htmlFrame } from '../pages/frame.ts'
import { cookiesOf } from '../pages/page.ts'
import type { PageContext } from '../pages/page-context.ts'
import { formTarget, imageSources, newNonce, securityHeaders } from '../security-headers.ts'
import { accountDocument } from './document.tsx'
import { accountStylesFor } from './styles.ts'
import type { ShownPage } from './visit.ts'

type Said = Omit<AccountView, 'texts' | 'name' | 'isSignedIn'> & {
  status: number
  /** Another origin to which the answer of the page's form redirects. */
  leadsTo: string | null
}

/** A page of the account centre as a document, without script but where a browser makes passkeys (spec/account-centre#pages). */
export async function accountPage(
  { interaction: _interaction, ...given }: PageContext,
  { user, script, onward, ...shown }: ShownPage,
  { status, leadsTo, ...said }: Said,
): Promise<Response> {
  const context: PageContext = { ...given, interaction: null }
  const nonce = newNonce()
  const { branding, color, customCss } = context.experience
  const name = user && (user.name ?? user.username ?? user.primaryEmail)
  const view = { ...said, name, isSignedIn: user !== null }
  const { title, markup } = await accountDocument(bootData(context), { ...shown, view })
  const { head, tail } = htmlFrame({
    language: context.language,
    // A refusal is said first, as on every page.
    title: [said.problem?.message, title, branding.name ?? context.url.host].filter(Boolean).join(' · '),
    platform: context.platform,
    nonce,
    look: { branding, color, customCss, layout: { type: 'Card' } },
    styles: accountStylesFor(context.experience),
    modules: script ? builtAssets.account[script] : [],
    boot: null,
    onward: onward ?? null,
  })
  const images = imageSources(context.experience, [user?.avatar])
  const formTargets = [...formTarget(said.link?.back), ...formTarget(leadsTo ?? undefined)]
  const headers = new Headers(securityHeaders({ nonce, formTargets, images }))
  headers.set('content-language', context.language)
  for (const cookie of cookiesOf(context)) headers.append('set-cookie', cookie)
  return new Response(head + markup + tail, { status, headers })
}

/** As Cloudflare locates the network address; null where that is not known. */
export function timeZoneOf(request: Request & { cf?: { timezone?: unknown } }): string | null {
  const zone = request.cf?.timezone
  if (typeof zone !== 'string') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
