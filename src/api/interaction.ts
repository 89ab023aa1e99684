import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { IdentifierPayload, InteractionEvent, Profile } from '../contract/identifiers.schema.ts'
import { StepBody } from '../contract/interaction.schema.ts'
import { orRefuse, refuseWith } from '../contract/refused.ts'
import { forbidsEvent, refusesIdentifier, refusesProfile } from '../domain/experience-rules.ts'
import { addProof, dropProfile, patchProfile, putProfile, start, switchEvent } from '../domain/interaction.ts'
import type { Services } from '../env.ts'
import { consentStatements } from '../oidc/consent.ts'
import { afterAnswer } from '../storage/background.ts'
import { STEP_SECONDS, stepCookieName } from '../storage/interactions.ts'
import { concludeInteraction, isOpen } from '../storage/oidc-models.ts'
import { CURRENT_METHOD, hashPassword } from '../storage/password-hash.ts'
import { accountsQuery, replacePasswordHash } from '../storage/users.ts'
import { type AuditVariables, auditTrail } from './audit-trail.ts'
import { boundedBody, jsonBody } from './bodies.ts'
import { answer, guardedRouter, json, refusals } from './guard.ts'
import { cookieAttributes, type InteractionVariables, openInteraction } from './open-interaction.ts'
import { sameOrigin } from './same-origin.ts'
import { submitInteraction } from './submit.ts'
import { lookupsOf, type Verified, verifyIdentifier } from './verify-identifier.ts'

type Variables = InteractionVariables & AuditVariables
type InteractionContext = Context<{ Variables: Variables }>

const tags = ['Interaction']
const done = { 204: { description: 'Done' } }
const onward = { 200: answer('Where the browser goes next', z.object({ redirectTo: z.string() })) }

const startCall = createRoute({
  method: 'put',
  path: '/',
  tags,
  summary: 'Begin, or begin again',
  request: {
    body: json(
      z.object({
        event: InteractionEvent,
        identifier: IdentifierPayload.optional(),
        profile: Profile.optional(),
      }),
    ),
  },
  responses: { ...done, ...refusals(400, 401, 403, 422) },
})
const abortCall = createRoute({
  method: 'delete',
  path: '/',
  tags,
  summary: 'Give up: the application is told',
  responses: { ...onward, ...refusals(400, 403, 404) },
})
const eventCall = createRoute({
  method: 'put',
  path: '/event',
  tags,
  summary: 'Turn a sign-in into a registration, or the reverse',
  request: { body: json(z.object({ event: InteractionEvent })) },
  responses: { ...done, ...refusals(400, 403, 404) },
})
const stepCall = createRoute({
  method: 'put',
  path: '/step',
  tags,
  summary: 'Remember what the next page needs to know',
  request: { body: json(StepBody) },
  responses: { ...done, ...refusals(400, 403) },
})
const identifierCall = createRoute({
  method: 'patch',
  path: '/identifiers',
  tags,
  summary: 'Prove one more thing',
  request: { body: json(IdentifierPayload) },
  responses: { ...done, ...refusals(400, 401, 403, 404, 422) },
})
const profileCall = (method: 'put' | 'patch') =>
  createRoute({
    method,
    path: '/profile',
    tags,
    summary: method === 'put' ? 'Replace the profile' : 'Complete the profile',
    request: { body: json(Profile) },
    responses: { ...done, ...refusals(400, 403, 404, 422) },
  })
const dropProfileCall = createRoute({
  method: 'delete',
  path: '/profile',
  tags,
  summary: 'Drop the profile',
  responses: { ...done, ...refusals(400, 403, 404) },
})
const submitCall = createRoute({
  method: 'post',
  path: '/submit',
  tags,
  summary: 'Sign in, register, or set the new password',
  responses: { ...onward, ...done, ...refusals(400, 401, 403, 404, 422) },
})
const consentCall = createRoute({
  method: 'post',
  path: '/consent',
  tags,
  summary: 'Grant the application what it asked for',
  responses: { ...onward, ...refusals(400, 403, 404) },
})

/** The calls behind the sign-in pages (contract 1.3). */
export function interactionRoutes(services: Services) {
  const { db, now, interactions } = services
  const routes = guardedRouter<{ Variables: Variables }>(({ interaction }) => interaction?.row())

  routes.use(auditTrail(services), boundedBody, sameOrigin, openInteraction(services), jsonBody)

  return routes
    .openapi(startCall, async (c) => {
      const { event, identifier, profile } = c.req.valid('json')
      const { interaction: open, tenantId, audit } = c.var
      audit.append(`Interaction.${event}.Update`, { event, identifier, profile })
      const { row, accounts } = await open.rowWith(accountsQuery(db, tenantId, lookupsOf(identifier)))
      if (row.isConcluded) refuseWith('session.verification_session_not_found')

      const experience = await readExperience(c)
      orRefuse(forbidsEvent(experience, event))
      if (identifier) orRefuse(refusesIdentifier(experience, event, identifier))
      if (profile) orRefuse(refusesProfile(experience, event, profile))

      const verified = identifier && (await verifyIdentifier(identifier, accounts, null, now()))
      if (verified) afterwards(c, event, verified)
      await open.save(start(event, { proof: verified?.proof, profile, afterReset: row.reset }))
      return c.body(null, 204)
    })
    .openapi(abortCall, async (c) => {
      const { interaction: open, tenantId } = c.var
      const row = await open.row()
      const result = { error: 'oidc.aborted', error_description: 'the visitor gave up' }
      const [concluded] = await concludeInteraction(
        db,
        tenantId,
        open.uid,
        result,
        isOpen(tenantId, open.uid, row.reset, now()),
      )
      if (!concluded) refuseWith('session.verification_session_not_found')
      await open.conclude({ isOver: true })
      return c.json({ redirectTo: row.returnTo }, 200)
    })
    .openapi(eventCall, async (c) => {
      const { event } = c.req.valid('json')
      const { interaction: open, audit } = c.var
      audit.append(`Interaction.${event}.Update`, { event })
      const row = await open.row()
      orRefuse(forbidsEvent(await readExperience(c), event))
      const before = await open.record(row)
      const after = orRefuse(switchEvent(before, event))
      if (after !== before) await open.save(after)
      return c.body(null, 204)
    })
    .openapi(stepCall, async (c) => {
      const { uid } = c.var.interaction
      setCookie(c, stepCookieName(uid), await interactions.sealStep(uid, c.req.valid('json'), now()), {
        ...cookieAttributes(c),
        maxAge: STEP_SECONDS,
      })
      return c.body(null, 204)
    })
    .openapi(identifierCall, async (c) => {
      const payload = c.req.valid('json')
      const { interaction: open, tenantId, audit } = c.var
      const { row, accounts } = await open.rowWith(accountsQuery(db, tenantId, lookupsOf(payload)))
      const before = await open.record(row)
      audit.append(`Interaction.${before.event}.Update`, { identifier: payload })
      orRefuse(refusesIdentifier(await readExperience(c), before.event, payload))

      const verified = await verifyIdentifier(payload, accounts, before, now())
      afterwards(c, before.event, verified)
      await open.save(addProof(before, verified.proof))
      return c.body(null, 204)
    })
    .openapi(profileCall('put'), async (c) => changeProfile(c, c.req.valid('json'), 'Create'))
    .openapi(profileCall('patch'), async (c) => changeProfile(c, c.req.valid('json'), 'Update'))
    .openapi(dropProfileCall, async (c) => {
      const { interaction: open, audit } = c.var
      const before = await open.record(await open.row())
      audit.append(`Interaction.${before.event}.Profile.Delete`)
      await open.save(dropProfile(before))
      return c.body(null, 204)
    })
    .openapi(submitCall, async (c) => {
      const { interaction: open, tenantId, audit } = c.var
      const outcome = await submitInteraction(services, {
        open,
        tenantId,
        audit,
        experience: () => readExperience(c),
      })
      return outcome.kind === 'reset' ? c.body(null, 204) : c.json({ redirectTo: outcome.redirectTo }, 200)
    })
    .openapi(consentCall, async (c) => {
      const { interaction: open, tenantId } = c.var
      const row = await open.row()
      if (row.isConcluded) refuseWith('session.verification_session_not_found')
      if (!row.session || row.prompt.name !== 'consent') {
        refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
      }
      const condition = isOpen(tenantId, open.uid, row.reset, now())
      const { statements, grantId } = await consentStatements(db, tenantId, row, condition, now())
      const conclusion = concludeInteraction(
        db,
        tenantId,
        open.uid,
        { ...row.lastSubmission, consent: { grantId } },
        condition,
      )
      const results = await db.batch([...statements, conclusion])
      const concluded: unknown = results.at(-1)
      if (!Array.isArray(concluded) || concluded.length === 0)
        refuseWith('session.verification_session_not_found')
      await open.conclude({ isOver: true })
      return c.json({ redirectTo: row.returnTo }, 200)
    })

  async function changeProfile(
    c: InteractionContext,
    profile: z.infer<typeof Profile>,
    log: 'Create' | 'Update',
  ) {
    const { interaction: open, audit } = c.var
    const before = await open.record(await open.row())
    audit.append(`Interaction.${before.event}.Profile.${log}`, { profile })
    orRefuse(refusesProfile(await readExperience(c), before.event, profile))
    await open.save(log === 'Create' ? putProfile(before, profile) : patchProfile(before, profile))
    return c.body(null, 204)
  }

  /** Contract 1.1: the caller may ask for what is newer than the cache. */
  function readExperience(c: InteractionContext) {
    const fresh =
      c.req.query('no_cache') !== undefined || /no-cache|no-store/.test(c.req.header('cache-control') ?? '')
    return services.experience.get(c.var.tenantId, { fresh })
  }

  function afterwards(c: InteractionContext, event: string, { auditKey, rehash }: Verified) {
    c.var.audit.append(`Interaction.${event}.${auditKey}`)
    if (!rehash) return
    // Decision 13: a weaker hash does not outlive the next time its password is shown.
    const { account, password } = rehash
    afterAnswer(c.executionCtx, c.var, async () =>
      replacePasswordHash(db, c.var.tenantId, account, {
        passwordEncrypted: await hashPassword(password),
        passwordEncryptionMethod: CURRENT_METHOD,
      }),
    )
  }
}
