import { pageTable } from '../../../client/app/routes.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { decideByAddress, strictTransportHeader } from '../../domain/tenants/hosts.ts'
import { formTarget } from '../security-headers.ts'
import { escapeJson } from './frame.ts'
import {
  type PageContext,
  type PageContextSources,
  type PageFacts,
  type PageInteraction,
  readPageFacts,
} from './page-context.ts'
import { UNKNOWN_SESSION } from './page-guard.ts'
import {
  answerFromTemplate,
  makePageTemplate,
  type OuterHeaders,
  type PageTemplate,
  type PageValues,
} from './page-template.ts'
import { restartUrl } from './restart.ts'

/**
 * Answers a page that was rendered before, in front of all routes and middleware: here microseconds count
 * (spec/budgets#throughput; docs/development/benchmarks.md says what each costs), so it makes no `URL` either. Everything else is left to
 * the routes: null.
 */
export function cachedPages(sources: CachedPageSources): CachedPages {
  const places = new BoundedMap<string, Place>(MAX_ORIGINS)

  return async (request) => {
    const [, origin = '', pathname = '', search = '', uid] = PLAIN_ADDRESS.exec(request.url) ?? []
    const place = request.method === 'GET' && paths.has(pathname) ? placeOf(origin) : null
    if (!place || !sources.tenants.isKnown(place.tenantId)) return null
    // Settings that have to be read are read by the routes, which also answer a failure.
    if (!sources.experience.peek(place.tenantId)) return null
    const { tenantId, transport } = place
    const facts = await readPageFacts(sources, { tenantId, request, uid, languageParam: null }).catch(
      () => null,
    )
    const key = facts && cacheKey(facts, { origin, pathname, search })
    const template = key && templatesOf(facts).get(key)
    return template ? fillIn(template, facts, { requestId: crypto.randomUUID(), transport }) : null
  }

  /** The tenant of an origin never changes while a Worker runs. */
  function placeOf(origin: string): Place | null {
    const cached = places.get(origin)
    if (cached) return cached
    const url = new URL(origin)
    const { hosting } = sources.settings
    const decision = decideByAddress(url, hosting)
    if (decision.kind !== 'tenant') return null
    const place = { tenantId: decision.tenantId, transport: strictTransportHeader(url, hosting.hosts) }
    places.set(origin, place)
    return place
  }
}

export type CachedPages = (request: Request) => Promise<Response | null>

type CachedPageSources = PageContextSources & Pick<Dependencies, 'settings' | 'tenants' | 'experience'>

type Place = { tenantId: string; transport: string | null }

/** Any host may be asked for in development. */
const MAX_ORIGINS = 1_000

/** The address of a page that names an interaction and nothing else, or nothing at all. */
const PLAIN_ADDRESS = new RegExp(`^(https?://[^/?]+)(/[^?]*)(\\?${INTERACTION_PARAM}=([\\w-]+))?$`)

const paths = new Set(pageTable.map(({ path }) => path))

/** A page that the guard has let in, rendered once for as long as the settings are cached. Null for one that is a user's own. */
export async function pageFromCache(
  context: PageContext,
  render: (marks: PageValues, nonce: string) => Promise<Response>,
): Promise<Response | null> {
  const key = cacheKey(context, context.url)
  if (!key) return null
  const templates = templatesOf(context)
  const template = templates.get(key) ?? (await makePageTemplate(render))
  // A path with a parameter is the client's to choose, and a template is some 100 kB.
  if (paths.has(context.url.pathname)) templates.set(key, template)
  return fillIn(template, context)
}

type PageAddress = Pick<URL, 'origin' | 'pathname' | 'search'>

/**
 * It holds whatever the guard decides by. Null for a page that is not alike for all users, but for what a template has
 * placeholders for.
 */
function cacheKey(
  { interaction, language, languages, platform }: PageFacts,
  { origin, pathname, search }: PageAddress,
): string | null {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  // The page for users without an interaction leads to an address of the application or the tenant.
  if (!isPlain || pathname === UNKNOWN_SESSION) return null
  if (interaction?.navigation || interaction?.isOver || interaction?.cookie.asksConsent) return null
  const shape = `${interaction ? 1 : 0}${search ? 1 : 0}`
  return [shape, language, languages, platform, origin, pathname].join(' ')
}

/** More than the pages of one tenant in one language, with and without an interaction, on two platforms. */
const MAX_TEMPLATES = 60

type Templates = BoundedMap<string, PageTemplate>

/** Settings and phrases that were read anew are other objects, so the templates of the old ones go with them. */
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
  return answerFromTemplate(template, {
    values: {
      interaction: interaction?.uid ?? '',
      restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
      country,
    },
    formTargets: formTargetsOf(interaction),
    ...outerHeaders,
  })
}

/** Chromium applies `form-action` to every redirect after a form, and the last one leads to the application. */
export function formTargetsOf(interaction: PageInteraction | null): readonly string[] {
  const address = interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri
  if (address === undefined) return NO_TARGETS
  const targets = targetsByAddress.get(address) ?? formTarget(address)
  targetsByAddress.set(address, targets)
  return targets
}

/** By the redirect URI: the same list for all users of an application, whose headers are then made once. */
const targetsByAddress = new BoundedMap<string, readonly string[]>(1_000)
const NO_TARGETS: readonly string[] = []
