import { pageTable } from '../../../client/app/routes.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { ORGANIZATION_PATH } from '../../contract/organisations/organizations.ts'
import { RETURNING_PATH } from '../../contract/sessions/remembered-accounts.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { decideRouting, strictTransportSecurity } from '../../domain/tenants/hosts.ts'
import { toFormTargets } from '../security-headers.ts'
import { LINKING_PATHS } from './account-url.ts'
import { renderApplicationLine } from './application-line.ts'
import { escapeJson } from './frame.ts'
import {
  type PageContext,
  type PageContextSources,
  type PageFacts,
  type PageInteraction,
  readPageFacts,
} from './page-context.ts'
import {
  createPageTemplate,
  type OuterHeaders,
  type PageTemplate,
  type PageValues,
  responseFromTemplate,
} from './page-template.ts'
import { restartUrl } from './restart.ts'

/**
 * Responds with a page that was rendered for an earlier request, before any routes or middleware run. Returns null for
 * all other requests. Every microsecond counts here (spec/budgets#throughput; docs/development/benchmarks.md lists the
 * costs), so this function does not even create a `URL`.
 */
export function createPageCache(sources: CachedPageSources): PageCache {
  const places = new BoundedMap<string, Place>(MAX_ORIGINS)

  return async (request) => {
    const [, origin = '', pathname = '', search = '', uid] = PLAIN_ADDRESS.exec(request.url) ?? []
    const place = request.method === 'GET' && paths.has(pathname) ? placeOf(origin) : null
    if (!place || !sources.tenants.isKnown(place.tenantId)) return null
    // If the settings are not cached, the routes read them and handle errors.
    if (!sources.experience.peek(place.tenantId)) return null
    const { tenantId, transport } = place
    const facts = await readPageFacts(sources, { tenantId, request, uid, languageParam: null }).catch(
      () => null,
    )
    const key = facts && cacheKey(facts, { origin, pathname, search })
    const template = key && templatesOf(facts).get(key)
    if (!template) return null
    const outerHeaders = { requestId: crypto.randomUUID(), transport, date: new Date().toUTCString() }
    return fillIn(template, facts, pathname, outerHeaders)
  }

  /** An origin's tenant never changes while the Worker is running. */
  function placeOf(origin: string): Place | null {
    const cached = places.get(origin)
    if (cached) return cached
    const url = new URL(origin)
    const { hosting } = sources.settings
    const decision = decideRouting(url, hosting)
    if (decision.kind !== 'tenant') return null
    const place = { tenantId: decision.tenantId, transport: strictTransportSecurity(url, hosting.hosts) }
    places.set(origin, place)
    return place
  }
}

export type PageCache = (request: Request) => Promise<Response | null>

type CachedPageSources = PageContextSources & Pick<Dependencies, 'settings' | 'tenants' | 'experience'>

type Place = { tenantId: string; transport: string | null }

/** The maximum number of cached origins. It matters only in development, where any host name is accepted. */
const MAX_ORIGINS = 1_000

/** Matches a page URL without a query, or with only an interaction id. */
const PLAIN_ADDRESS = new RegExp(`^(https?://[^/?]+)(/[^?]*)(\\?${INTERACTION_PARAM}=([\\w-]+))?$`)

const paths = new Set(pageTable.map(({ path }) => path))

/**
 * Returns a page that the guard has accepted, or null if the page is specific to a user. Each page is rendered only
 * once while the settings are cached.
 */
export async function getPageFromCache(
  context: PageContext,
  render: (marks: PageValues, nonce: string) => Promise<Response>,
): Promise<Response | null> {
  const key = cacheKey(context, context.url)
  if (!key) return null
  const templates = templatesOf(context)
  const template = templates.get(key) ?? (await createPageTemplate(render))
  // Paths with a parameter are not cached. Clients can make up any number of them, and a template takes about 100 kB.
  if (paths.has(context.url.pathname)) templates.set(key, template)
  return fillIn(template, context, context.url.pathname)
}

type PageAddress = Pick<URL, 'origin' | 'pathname' | 'search'>

/**
 * Returns a cache key that contains everything on which the template depends. Returns null if the placeholders do not
 * cover all differences between users.
 */
function cacheKey(
  { interaction, language, languages, platform }: PageFacts,
  { origin, pathname, search }: PageAddress,
): string | null {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  // The links on these pages depend on the application or the tenant.
  if (!isPlain || LINKING_PATHS.includes(pathname)) return null
  // The page of remembered accounts is rendered for one browser, and that of organisations for one user.
  if (pathname === RETURNING_PATH || pathname === ORGANIZATION_PATH) return null
  if (interaction?.navigation || interaction?.isOver || interaction?.cookie.asksConsent) return null
  // A page with an application to name has the styles of its line.
  const shape = `${interaction ? 1 : 0}${search ? 1 : 0}${interaction?.cookie.newApplication ? 1 : 0}`
  return [shape, language, languages, platform, origin, pathname].join(' ')
}

/**
 * The maximum number of cached templates for one set of settings and phrases. A tenant needs fewer: its pages in one
 * language, with and without an interaction, on two platforms.
 */
const MAX_TEMPLATES = 60

type Templates = BoundedMap<string, PageTemplate>

/**
 * The cached templates, keyed by settings and phrases. When settings or phrases are read again, the old objects are
 * garbage-collected, together with their templates.
 */
const cache = new WeakMap<Experience, WeakMap<Phrases, Templates>>()

function templatesOf({ experience, phrases }: PageFacts): Templates {
  const byPhrases = cache.get(experience) ?? new WeakMap<Phrases, Templates>()
  cache.set(experience, byPhrases)
  const templates = byPhrases.get(phrases) ?? new BoundedMap<string, PageTemplate>(MAX_TEMPLATES)
  byPhrases.set(phrases, templates)
  return templates
}

function fillIn(
  template: PageTemplate,
  facts: PageFacts,
  pathname: string,
  outerHeaders?: OuterHeaders,
): Response {
  const { interaction, country = '' } = facts
  return responseFromTemplate(template, {
    values: {
      application: renderApplicationLine(facts, pathname),
      interaction: interaction?.uid ?? '',
      restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
      country,
    },
    formTargets: findFormTargets(interaction),
    ...outerHeaders,
  })
}

/**
 * Returns the CSP sources to which forms may redirect. Chromium applies `form-action` to every redirect after a
 * form, and the last redirect is to the application.
 */
export function findFormTargets(interaction: PageInteraction | null): readonly string[] {
  const address = interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri
  if (address === undefined) return NO_TARGETS
  const targets = targetsByAddress.get(address) ?? toFormTargets(address)
  targetsByAddress.set(address, targets)
  return targets
}

/**
 * The form targets, keyed by redirect URI. All users of an application share a list, so that its headers are created
 * only once.
 */
const targetsByAddress = new BoundedMap<string, readonly string[]>(1_000)
const NO_TARGETS: readonly string[] = []
