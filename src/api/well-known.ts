import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { SignInExperience } from '../contract/experience.schema.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAM } from '../contract/languages.ts'
import { userLanguage } from '../domain/user-language.ts'
import { answer, guardedRouter, refusals } from './guard.ts'

const shared = { tags: ['Sign-in experience'], security: [] }
/** Given at all, it reads through the cache; so does `Cache-Control: no-cache` (contract 5.1). */
const freshness = { no_cache: z.string().optional() }
const notModified = { 304: { description: 'The caller has it already' } }

const WholeExperience = SignInExperience.extend({
  socialConnectors: z.array(
    z.object({
      id: z.string(),
      target: z.string(),
      platform: z.enum(['Web', 'Native', 'Universal']),
      name: z.record(z.string(), z.string()),
      logo: z.string(),
      logoDark: z.string().optional(),
    }),
  ),
  forgotPassword: z.object({ email: z.boolean(), phone: z.boolean() }),
})

const experienceCall = createRoute({
  method: 'get',
  path: '/sign-in-exp',
  ...shared,
  summary: 'What a sign-in page needs to know',
  request: { query: z.object(freshness) },
  responses: { 200: answer('The settings', WholeExperience), ...notModified, ...refusals(400, 500, 503) },
})
const phrasesCall = createRoute({
  method: 'get',
  path: '/phrases',
  ...shared,
  summary: 'What a sign-in page says, in the language of the visitor',
  description:
    'The language is `lng`; with detection on, else the cookie `i18next`, `locale`, or `Accept-Language`; else the ' +
    'fallback of the settings. `Content-Language` says which it is.',
  request: {
    query: z.object({
      ...freshness,
      [LANGUAGE_PARAM]: z.string().optional(),
      locale: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  },
  responses: {
    200: {
      ...answer(
        'Phrases below `translation`; where the operator has changed some, with the id of their row',
        z.object({
          translation: z.looseObject({}),
          tenantId: z.string().optional(),
          id: z.string().optional(),
          languageTag: z.string().optional(),
        }),
      ),
      headers: { 'Content-Language': { description: 'A language tag', schema: { type: 'string' } } },
    },
    ...notModified,
    ...refusals(400, 500, 503),
  },
})

/** A 304 must say all that the 200 would have said beside its body (RFC 9110 §15.4.5). */
const answersWithTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'Content-Language'] })

/** What anybody may know of a tenant (contract 5). */
export function wellKnownRoutes({ experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>) {
  const routes = guardedRouter<{ Variables: RequestFacts }>()
  routes.use(answersWithTag, async (c, next) => {
    await next()
    // A change is to be seen at once: whoever keeps an answer asks whether it still holds.
    c.header('Cache-Control', 'no-cache')
  })

  return routes
    .openapi(experienceCall, async (c) => {
      const { tenantId } = c.var
      return c.json({ tenantId, ...(await experience.get(tenantId, { fresh: wantsFresh(c) })) }, 200)
    })
    .openapi(phrasesCall, async (c) => {
      const { tenantId } = c.var
      const fresh = wantsFresh(c)
      const [{ languageInfo }, languages] = await Promise.all([
        experience.get(tenantId, { fresh }),
        phrases.languages(tenantId, { fresh }),
      ])
      const hints = {
        query: c.req.query(LANGUAGE_PARAM),
        cookie: getCookie(c, LANGUAGE_COOKIE),
        request: c.req.queries('locale') ?? [],
        browser: c.req.header('accept-language'),
      }
      const language = userLanguage(hints, languageInfo, languages)
      c.header('Content-Language', language)
      c.header('Vary', 'Accept-Language, Cookie')
      return c.json(await phrases.phrases(tenantId, language, { fresh }), 200)
    })
}

function wantsFresh(c: Context): boolean {
  return (
    c.req.query('no_cache') !== undefined ||
    /\bno-(?:cache|store)\b/i.test(c.req.header('cache-control') ?? '')
  )
}
