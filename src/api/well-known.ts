import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { z } from 'zod'
import type { Dependencies } from '../application/dependencies.ts'
import { bypassesCache, type RequestFacts } from '../application/request.ts'
import { loadCatalogue } from '../contract/catalogue.ts'
import { SignInExperienceSchema } from '../contract/experience/experience.schema.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAM } from '../contract/experience/languages.ts'
import { requestCookies } from '../contract/request-cookies.ts'
import { userLanguage } from '../domain/experience/user-language.ts'
import { createCallDeclarer, guardedRouter, jsonResponse } from './guard.ts'

const declareCall = createCallDeclarer(
  { tags: ['Sign-in experience'], security: [] },
  { always: [400, 429, 500, 503] },
)

/**
 * Requests bypass the settings cache if the query contains `no_cache`, with any value, or if they have the header
 * `Cache-Control: no-cache` (spec/storage#settings-cache).
 */
const freshness = { no_cache: z.string().optional() }
const notModified = { 304: { description: 'Not modified: `If-None-Match` contains the current ETag' } }

const PublicExperience = SignInExperienceSchema.extend({
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
  supportContact: z.string().optional(),
  forgotPassword: z.object({ email: z.boolean(), phone: z.boolean() }),
  passwordRules: z.literal('Length').optional(),
  passkeys: z.literal(true).optional(),
  rememberDays: z.number().optional(),
}).meta({ id: 'PublicSignInExperience' })

const experienceCall = declareCall({
  method: 'get',
  path: '/sign-in-exp',
  operationId: 'getPublicSignInExperience',
  summary: 'Get the public sign-in experience',
  description:
    'Returns what a sign-in page needs: the sign-in experience of the tenant, the names and logos of its ' +
    'social connectors, and whether a forgotten password can be reset by email or phone. It contains no ' +
    'secrets. Changes are visible within five seconds, or immediately with `no_cache`; only calls with ' +
    '`no_cache` are rate limited.',
  request: { query: z.object(freshness) },
  responses: {
    200: jsonResponse('The public sign-in experience', PublicExperience),
    ...notModified,
  },
})
const phrasesCall = declareCall({
  method: 'get',
  path: '/phrases',
  operationId: 'getPublicPhrases',
  summary: 'Get the phrases of the sign-in pages',
  description:
    'Returns the texts of the sign-in pages in one language: the one named by `lng`; otherwise, if the ' +
    'tenant detects languages, the one named by the cookie `i18next`, by `locale` or by ' +
    '`Accept-Language`; otherwise the fallback language of the tenant. The header `Content-Language` ' +
    'names it. With `built_in`, whatever its value, the texts are the built-in ones, without the ' +
    "operator's changes.",
  request: {
    query: z.object({
      ...freshness,
      built_in: z.string().optional(),
      [LANGUAGE_PARAM]: z.string().optional(),
      locale: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  },
  responses: {
    200: {
      ...jsonResponse(
        'The phrases under `translation`, and the other fields if the operator has replaced any of them',
        z
          .object({
            translation: z.looseObject({}),
            tenantId: z.string().optional(),
            id: z.string().optional(),
            languageTag: z.string().optional(),
          })
          .meta({ id: 'PublicPhrases' }),
      ),
      headers: {
        'Content-Language': { description: 'The language tag (BCP 47)', schema: { type: 'string' } },
      },
    },
    ...notModified,
  },
})

/** A 304 response has the headers that the 200 response would have had (RFC 9110 §15.4.5). */
const withEntityTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'Content-Language'] })

/** Serves the public configuration of a tenant (spec/management#well-known). */
export function wellKnownRoutes({ experience, phrases }: Pick<Dependencies, 'experience' | 'phrases'>) {
  const routes = guardedRouter<{ Variables: RequestFacts }>()
  routes.use(withEntityTag, async (c, next) => {
    await next()
    // Caches must revalidate the response before each use, because changes have to take effect at once.
    c.header('Cache-Control', 'no-cache')
  })

  return routes
    .openapi(experienceCall, async (c) => {
      const { tenantId } = c.var
      return c.json(
        {
          tenantId,
          ...(await experience.get(tenantId, {
            fresh: bypassesCache(c.var, c.req.header('cache-control')),
          })),
        },
        200,
      )
    })
    .openapi(phrasesCall, async (c) => {
      const { tenantId } = c.var
      const fresh = bypassesCache(c.var, c.req.header('cache-control'))
      const [{ languageInfo }, languages] = await Promise.all([
        experience.get(tenantId, { fresh }),
        phrases.languages(tenantId, { fresh }),
      ])
      const hints = {
        query: c.req.query(LANGUAGE_PARAM),
        cookie: requestCookies(c.req.raw)[LANGUAGE_COOKIE],
        request: c.req.queries('locale') ?? [],
        browser: c.req.header('accept-language'),
      }
      const language = userLanguage(hints, languageInfo, languages)
      c.header('Content-Language', language)
      c.header('Vary', 'Accept-Language, Cookie')
      if (c.req.query('built_in') !== undefined) {
        const { translation } = await loadCatalogue(language)
        return c.json({ translation }, 200)
      }
      return c.json(await phrases.phrases(tenantId, language, { fresh }), 200)
    })
}
