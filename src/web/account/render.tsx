import type { ReactElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import accountSheet from '../../../build/account-styles.json'
import { AccountDocument } from '../../../client/account/account-document.tsx'
import type { AccountView } from '../../../client/account/account-view.tsx'
import { createTranslator, type PhraseKey } from '../../../client/context/phrases.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import {
  type AccountPhraseKey,
  type AccountPhrases,
  loadAccountPhrases,
} from '../../contract/account/account-catalogue.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { buildReturnUrl } from '../../domain/account/account-link.ts'
import { getTimeZone, parseTimeZone } from '../../domain/place.ts'
import { builtAssets } from '../assets.ts'
import { createBootData } from '../pages/boot-data.ts'
import { renderHtmlFrame } from '../pages/frame.ts'
import { collectPageCookies } from '../pages/page.ts'
import { getPreviewStyles, getThemeStyles } from '../pages/page-assets.ts'
import { type PageContext, type PageContextSources, readPageContext } from '../pages/page-context.ts'
import {
  collectImageSources,
  createSecurityHeaders,
  generateNonce,
  toFormTargets,
} from '../security-headers.ts'
import type { FormProblem } from './problem.ts'
import { createRuleSelection } from './used-rules.ts'
import type { Visit } from './visit.ts'

export type PageContent = {
  /** The key of an account-centre text, or of a phrase from the sign-in pages. */
  title: AccountPhraseKey | PhraseKey
  /** The name of what the page is about, such as an organisation. It follows the title, and names the page above. */
  about?: string
  /** The signed-in user, or null on a page that requires no sign-in. */
  signedIn: Pick<AccountUser, 'user' | 'usesOrganizations'> | null
  body: ReactElement
  /** If true, the page is in the card of the sign-in pages instead of the frame of the account centre. */
  isCard?: boolean
  /**
   * The page's script. The scripts create or signal passkeys, crop a picture, repeat a callback or operate code boxes.
   */
  script?: 'passkeys' | 'picture' | 'answer' | 'code'
  /**
   * The URL to which the page redirects automatically. A form must not redirect to another site itself
   * (spec/pages#csp).
   */
  nextUrl?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
}

/** The style sheet contains only the rules that account-centre pages use (ADR-0090). */
const selectRules = createRuleSelection(accountSheet)

type PageState = {
  problem?: FormProblem | null
  typed?: AccountView['typed']
  /** The page's message. If there is a problem, the problem is shown instead. */
  flash?: { message?: string | undefined; values?: Record<string, string | number> | undefined } | null
  context?: PageContext
  /** True if the page is the response to a form with which the user has completed a task. */
  isDone?: boolean
  /** True if the page leads back to the steps that the user is taking (spec/account-centre#this-wasnt-me). */
  hasSteps?: boolean
  /** The HTTP status. Only for pages outside the account centre. */
  status?: number
  /** An additional origin to which the page's form may redirect the browser. */
  leadsTo?: string | null
}

/**
 * Renders an account-centre page, with links to the pages that the tenant allows and to the application that linked to
 * the page. Only pages for passkeys, pictures and codes have a script (spec/account-centre#pages).
 */
export async function renderAccountPage(
  dependencies: PageContextSources & Pick<Dependencies, 'tenantSettings'>,
  visit: Pick<Visit, 'tenantId' | 'request' | 'url' | 'link'>,
  { title, about, signedIn, body, isCard = false, script, nextUrl, cookies = [] }: PageContent,
  {
    problem = null,
    typed = {},
    flash,
    context,
    isDone = false,
    hasSteps = false,
    status = 200,
    leadsTo,
  }: PageState = {},
): Promise<Response> {
  const { link = null, url, request } = visit
  const { accountCentre, organizations } = await dependencies.tenantSettings.get(visit.tenantId)
  const { fields } = accountCentre
  const user = signedIn?.user ?? null
  const page = { ...(context ?? (await readPageContext(dependencies, visit))), interaction: null }
  const { language, platform, experience } = page
  const { branding, color, customCss } = experience
  const boot = createBootData(page)
  const texts = await loadAccountPhrases(language)
  const result = isDone ? 'completed' : 'cancelled'
  const back = link && buildReturnUrl(link, { page: url.pathname, result })
  const view: AccountView = {
    texts,
    name: user && (user.name ?? user.username ?? user.primaryEmail),
    about: about ?? null,
    isSignedIn: user !== null,
    hasOrganizations: organizations.usersMayCreate || (signedIn?.usesOrganizations ?? false),
    hasSteps,
    flash: !problem && flash?.message ? { message: flash.message, values: flash.values ?? {} } : null,
    problem,
    typed,
    fields,
    now: dependencies.now(),
    timeZone: parseTimeZone(user?.profile.zoneinfo) ?? getTimeZone(request),
    link: link && back ? { ...link, back } : null,
  }
  const nonce = generateNonce()
  // No component suspends, so the markup is complete immediately.
  const stream = await renderToReadableStream(
    <AccountDocument boot={boot} view={view} isCard={isCard}>
      {body}
    </AccountDocument>,
  )
  const markup = await new Response(stream).text()
  const layout = isCard ? experience.layout : ({ type: 'Card' } as const)
  const look = { branding, color, customCss, layout }
  const { head, tail } = renderHtmlFrame({
    language,
    // As on all other pages, the title begins with the problem, if there is one.
    title: [problem?.message, titleIn(title, boot, texts), about, branding.name ?? PRODUCT_NAME]
      .filter(Boolean)
      .join(' · '),
    platform,
    nonce,
    look,
    styles: selectRules(markup) + getThemeStyles(look),
    modules: script ? builtAssets.account[script] : [],
    boot: null,
    nextUrl: nextUrl ?? null,
  })
  const formTargets = [...toFormTargets(back), ...toFormTargets(leadsTo)]
  const images = collectImageSources(experience, [user?.avatar])
  const headers = new Headers(createSecurityHeaders({ nonce, formTargets, images }))
  headers.set('content-language', language)
  for (const cookie of [...collectPageCookies(page), ...cookies]) headers.append('set-cookie', cookie)
  const html = head + markup + tail
  return new Response(html, { status: problem?.status ?? status, headers })
}

function titleIn(title: PageContent['title'], boot: BootData, texts: AccountPhrases): string {
  const isOwn = (key: string): key is AccountPhraseKey => Object.hasOwn(texts, key)
  if (!isOwn(title)) return createTranslator(boot)(title)
  return createTranslator<AccountPhraseKey>({ language: boot.language, phrases: texts })(title)
}

/**
 * Returns the assets of an account-centre preview: style sheets for all settings, and the sign-in pages' script, which
 * can also render the account centre.
 */
export const getAccountPreviewAssets = () => ({
  ...getPreviewStyles(accountSheet),
  modules: builtAssets.entry.modules,
})
