import { pageTable } from '../../../client/app/routes.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { decideByAddress, strictTransport } from '../../domain/tenants/hosts.ts'
import { formTarget } from '../security-headers.ts'
import { escapeJson } from './frame.ts'
import {
  type PageContext,
  type PageContextSources,
  type PageFacts,
  type PageInteraction,
  readPageFacts,
} from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'
import {
  createPageTemplate,
  type OuterHeaders,
  type PageTemplate,
  type PageValues,
  responseFromTemplate,
} from './page-template.ts'
import { restartUrl } from './restart.ts'

/**
 * Responds with a page that was rendered before, ahead of all routes and middleware. Every microsecond counts here
 * (spec/budgets#throughput; the costs are in docs/benchmarks.md), so it does not even create a `URL`. Returns null for
 * everything else, which the routes handle.
 */
export function cachedPages(sources: CachedPageSources): CachedPages {
  const places = new BoundedMap<string, Place>(MAX_ORIGINS)

  return async (request) => {
    const [, origin = '', pathname = '', search = '', uid] = PLAIN_ADDRESS.exec(request.url) ?? []
    const place = request.method === 'GET' && paths.has(pathname) ? placeOf(origin) : null
    if (!place || !sources.tenants.isKnown(place.tenantId)) return null
    // If settings have to be read, the routes read them and handle a failure.
    if (!sources.experience.peek(place.tenantId)) return null
    const { tenantId, transport } = place
    const facts = await readPageFacts(sources, { tenantId, request, uid, languageParam: null }).catch(
      () => null,
    )
    const key = facts && cacheKey(facts, { origin, pathname, search })
    const template = key && templatesOf(facts).get(key)
    return template ? fillIn(template, facts, { requestId: crypto.randomUUID(), transport }) : null
  }

  /** The tenant of an origin never changes while a Worker is running. */
  function placeOf(origin: string): Place | null {
    const cached = places.get(origin)
    if (cached) return cached
    const url = new URL(origin)
    const { hosting } = sources.settings
    const decision = decideByAddress(url, hosting)
    if (decision.kind !== 'tenant') return null
    const place = { tenantId: decision.tenantId, transport: strictTransport(url, hosting.hosts) }
    places.set(origin, place)
    return place
  }
}

export type CachedPages = (request: Request) => Promise<Response | null>

type CachedPageSources = PageContextSources & Pick<Dependencies, 'settings' | 'tenants' | 'experience'>

type Place = { tenantId: string; transport: string | null }

/** Any host may be requested in development. */
const MAX_ORIGINS = 1_000

/** The address of a page that names an interaction and nothing else, or nothing at all. */
const PLAIN_ADDRESS = new RegExp(`^(https?://[^/?]+)(/[^?]*)(\\?${INTERACTION_PARAM}=([\\w-]+))?$`)

const paths = new Set(pageTable.map(({ path }) => path))

/**
 * Returns a page that the guard has accepted, rendered once for as long as the settings are cached, or null for a page
 * that is specific to a user.
 */
export async function pageFromCache(
  context: PageContext,
  render: (marks: PageValues, nonce: string) => Promise<Response>,
): Promise<Response | null> {
  const key = cacheKey(context, context.url)
  if (!key) return null
  const templates = templatesOf(context)
  const template = templates.get(key) ?? (await createPageTemplate(render))
  // A client can choose a path with a parameter, and a template takes about 100 kB.
  if (paths.has(context.url.pathname)) templates.set(key, template)
  return fillIn(template, context)
}

type PageAddress = Pick<URL, 'origin' | 'pathname' | 'search'>

/**
 * Returns a key with everything on which the guard's decision depends, or null for a page that differs between users in
 * more than the placeholders of a template.
 */
function cacheKey(
  { interaction, language, languages, platform }: PageFacts,
  { origin, pathname, search }: PageAddress,
): string | null {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  // The page for users without an interaction leads to an address of the application or the tenant.
  if (!isPlain || pathname === UNKNOWN_SESSION_PATH) return null
  if (interaction?.navigation || interaction?.isOver || interaction?.cookie.asksConsent) return null
  const shape = `${interaction ? 1 : 0}${search ? 1 : 0}`
  return [shape, language, languages, platform, origin, pathname].join(' ')
}

/**
 * The maximum number of templates, which is more than the pages of one tenant in one language, with and without an
 * interaction, on two platforms.
 */
const MAX_TEMPLATES = 60

type Templates = BoundedMap<string, PageTemplate>

/**
 * Settings and phrases that were read again are new objects, so the templates of the old ones are dropped with them.
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
  { interaction, country = '' }: PageFacts,
  outerHeaders?: OuterHeaders,
): Response {
  return responseFromTemplate(template, {
    values: {
      interaction: interaction?.uid ?? '',
      restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
      country,
    },
    formTargets: formTargetsOf(interaction),
    ...outerHeaders,
  })
}

/**
 * Returns the CSP sources of form targets. Chromium applies `form-action` to every redirect after a form, and the last
 * one leads to the application.
 */
export function formTargetsOf(interaction: PageInteraction | null): readonly string[] {
  const address = interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri
  if (address === undefined) return NO_TARGETS
  const targets = targetsByAddress.get(address) ?? formTarget(address)
  targetsByAddress.set(address, targets)
  return targets
}

/**
 * The form targets by redirect URI. All users of an application share one list, so their headers are created only once.
 */
const targetsByAddress = new BoundedMap<string, readonly string[]>(1_000)
const NO_TARGETS: readonly string[] = []
