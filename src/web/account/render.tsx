import type { ReactElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import accountSheet from '../../../build/account-styles.json'
import { AccountDocument } from '../../../client/account/account-document.tsx'
import type { AccountView } from '../../../client/account/account-view.tsx'
import { createTranslator, type PhraseKey } from '../../../client/context/phrases.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import {
  type AccountText,
  type AccountTexts,
  loadAccountTexts,
} from '../../contract/account/account-catalogue.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { returnUrl } from '../../domain/account/account-link.ts'
import { builtAssets } from '../assets.ts'
import { bootData } from '../pages/boot-data.ts'
import { htmlFrame } from '../pages/frame.ts'
import { cookiesOf } from '../pages/page.ts'
import { stylesOfPreview, themeStyles } from '../pages/page-assets.ts'
import { type PageContext, type PageContextSources, readPageContext } from '../pages/page-context.ts'
import { formTarget, imageSources, newNonce, securityHeaders } from '../security-headers.ts'
import type { Problem } from './problem.ts'
import type { Visit } from './visit.ts'

export type PageContent = {
  /** A text of the account centre, or a phrase of the sign-in pages. */
  title: AccountText | PhraseKey
  /** Null on a page for those who are not signed in. */
  user: AccountUser['user'] | null
  body: ReactElement
  /** Where a browser makes passkeys or is told of them, and where it crops a picture. */
  script?: 'passkeys' | 'picture' | 'answer'
  /** Where the browser goes on by itself: a form may not lead to another site (spec/pages#csp). */
  nextUrl?: string
}

type PageState = {
  problem?: Problem | null
  typed?: AccountView['typed']
  /** Not beside a problem. */
  flash?: { message?: string | undefined; values?: Record<string, string | number> | undefined } | null
  context?: PageContext
  /** The page is the answer of a form that has ended its task. */
  isDone?: boolean
  /** Of a page that is no page of the account centre. */
  status?: number
  /** Another origin to which the answer of the page's form redirects. */
  leadsTo?: string | null
}

/**
 * A page with what the tenant leaves to its users, and the way back to the application that has linked to it, as a document without
 * script but where a browser makes passkeys (spec/account-centre#pages).
 */
export async function renderAccountPage(
  dependencies: PageContextSources & Pick<Dependencies, 'tenantSettings'>,
  visit: Pick<Visit, 'tenantId' | 'request' | 'url' | 'link'>,
  { title, user, body, script, nextUrl }: PageContent,
  { problem = null, typed = {}, flash, context, isDone = false, status = 200, leadsTo }: PageState = {},
): Promise<Response> {
  const { link = null, url, request } = visit
  const { fields } = (await dependencies.tenantSettings.get(visit.tenantId)).accountCentre
  const page = { ...(context ?? (await readPageContext(dependencies, visit))), interaction: null }
  const { language, platform, experience } = page
  const { branding, color, customCss } = experience
  const boot = bootData(page)
  const texts = await loadAccountTexts(language)
  const result = isDone ? 'completed' : 'cancelled'
  const back = link && returnUrl(link, { page: url.pathname, result })
  const view: AccountView = {
    texts,
    name: user && (user.name ?? user.username ?? user.primaryEmail),
    isSignedIn: user !== null,
    flash: !problem && flash?.message ? { message: flash.message, values: flash.values ?? {} } : null,
    problem,
    typed,
    fields,
    timeZone: timeZoneOf(request),
    link: link && back ? { ...link, back } : null,
  }
  const nonce = newNonce()
  // Nothing in it suspends.
  const markup = await renderToReadableStream(
    <AccountDocument boot={boot} view={view}>
      {body}
    </AccountDocument>,
  )
  const look = { branding, color, customCss, layout: { type: 'Card' } } as const
  const { head, tail } = htmlFrame({
    language,
    // A refusal is said first, as on every page.
    title: [problem?.message, titleIn(title, boot, texts), branding.name ?? page.url.host]
      .filter(Boolean)
      .join(' · '),
    platform,
    nonce,
    look,
    // Whatever a page does not use is no part of the sheet (ADR-0090).
    styles: accountSheet + themeStyles(look),
    modules: script ? builtAssets.account[script] : [],
    boot: null,
    nextUrl: nextUrl ?? null,
  })
  const formTargets = [...formTarget(back), ...formTarget(leadsTo)]
  const images = imageSources(experience, [user?.avatar])
  const headers = new Headers(securityHeaders({ nonce, formTargets, images }))
  headers.set('content-language', language)
  for (const cookie of cookiesOf(page)) headers.append('set-cookie', cookie)
  const html = head + (await new Response(markup).text()) + tail
  return new Response(html, { status: problem?.status ?? status, headers })
}

function titleIn(title: PageContent['title'], boot: BootData, texts: AccountTexts): string {
  const isOwn = (key: string): key is AccountText => Object.hasOwn(texts, key)
  if (!isOwn(title)) return createTranslator(boot)(title)
  return createTranslator<AccountText>({ language: boot.language, phrases: texts })(title)
}

/** As Cloudflare locates the network address; null where that is not known. */
function timeZoneOf(request: Request & { cf?: { timezone?: unknown } }): string | null {
  const zone = request.cf?.timezone
  if (typeof zone !== 'string') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Of a preview: the styles for any settings, and the scripts of a page of sign-in, which draws those of the account centre too. */
export const previewedAccountAssets = () => ({
  ...stylesOfPreview(accountSheet),
  modules: builtAssets.entry.modules,
})
