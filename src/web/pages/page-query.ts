import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { interactionOfState } from '../../domain/social/social-state.ts'

export type PageQuery = Pick<URLSearchParams, 'get' | 'has'>

/** Most addresses name an interaction and nothing else. URLSearchParams would take a tenth of the time of their page. */
export function pageQuery(url: URL): PageQuery {
  if (!isPlainQuery(url.search)) return url.searchParams
  const uid = url.search.slice(PLAIN.length) || null
  const isNamed = (name: string) => name === INTERACTION_PARAM
  return { get: (name) => (isNamed(name) ? uid : null), has: (name) => isNamed(name) && uid !== null }
}

const PLAIN = `?${INTERACTION_PARAM}=`

/** Whether an address names an interaction and nothing else, or nothing at all. */
export const isPlainQuery = (search: string) =>
  search === '' || (search.startsWith(PLAIN) && /^[\w-]+$/.test(search.slice(PLAIN.length)))

/** An app that was handed the answer of a social provider opens this address itself: then only the state names the interaction. */
export function interactionNamedBy({ pathname }: URL, query: PageQuery): string | null {
  const isSocialReturn = pathname.startsWith(SOCIAL_RETURN)
  return query.get(INTERACTION_PARAM) || (isSocialReturn ? interactionOfState(query.get('state')) : null)
}

const SOCIAL_RETURN = '/sign-in/social/'
