import type { RequestFacts } from '../../application/request.ts'
import { DEFAULT_EXPERIENCE, type Experience } from '../../contract/experience/experience.ts'
import { builtInPhrases } from '../../storage/experience/phrase-book.ts'
import {
  type PageContext,
  type PageContextSources,
  type RequestedPage,
  readCachedPageContext,
} from './page-context.ts'

/** Without a tenant where no tenant has the host. */
export type FailedPage = Omit<RequestedPage, 'tenantId'> &
  Partial<Pick<RequestFacts, 'tenantId' | 'requestId'>>

/**
 * An error page must not need what may just have failed: without settings it looks like that of a new tenant. It never reads
 * past the cache, or the page of a refused read would cost that read.
 */
export async function readPageContextAnyway(
  sources: PageContextSources,
  { tenantId = NO_TENANT, ...requested }: FailedPage,
): Promise<PageContext> {
  const builtIn = { ...sources, experience: { get: async () => BUILT_IN }, phrases: builtInPhrases }
  const page = { ...requested, tenantId }
  if (tenantId === NO_TENANT) return readCachedPageContext(builtIn, page)
  try {
    return await readCachedPageContext(sources, page)
  } catch {
    return readCachedPageContext(builtIn, page)
  }
}

/** No tenant has this id, so no cookie opens for it. */
const NO_TENANT = ''

const BUILT_IN: Experience = {
  ...DEFAULT_EXPERIENCE,
  socialConnectors: [],
  forgotPassword: { email: false, phone: false },
}
