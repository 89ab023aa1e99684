import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { Dependencies } from '../application/dependencies.ts'
import { messageLanguage } from '../application/message-language.ts'
import { sendVerificationCode } from '../application/send-verification-code.ts'
import { asSocial, authorizationOf, readWithConnector } from '../application/social-sign-in.ts'
import { submitInteraction } from '../application/submit.ts'
import { addressIn, attemptVerification, type CountedAttempt } from '../application/verify-identifier.ts'
import type { Refusal } from '../contract/errors.ts'
import type { IdentifierPayload, InteractionEvent, Profile } from '../contract/identifiers.ts'
import { orRefuse, refuseWith } from '../contract/refused.ts'
import { forbidsEvent, refusesIdentifier, refusesProfile } from '../domain/experience-rules.ts'
import {
  addProof,
  beginSocial,
  dropProfile,
  patchProfile,
  putProfile,
  start,
  switchEvent,
} from '../domain/interaction.ts'
import { consentStatements } from '../oidc/consent.ts'
import { afterAnswer } from '../storage/background.ts'
import { conclude, isOpen } from '../storage/conclusions.ts'
import { STEP_SECONDS, stepCookieName } from '../storage/interactions.ts'
import { type AuditVariables, auditTrail } from './audit-trail.ts'
import { boundedBody, jsonBody } from './bodies.ts'
import { guardedRouter } from './guard.ts'
import {
  abortCall,
  codeCall,
  consentCall,
  dropProfileCall,
  eventCall,
  identifierCall,
  profileCall,
  socialUriCall,
  startCall,
  stepCall,
  submitCall,
} from './interaction-calls.ts'
import { cookieAttributes, type InteractionVariables, openInteraction } from './open-interaction.ts'
import { sameOrigin } from './same-origin.ts'
import { readTrustedBrowser, rememberUser } from './trusted-browser.ts'

type Variables = InteractionVariables & AuditVariables
type InteractionContext = Context<{ Variables: Variables }>

/** The calls behind the sign-in pages (contract 1.3). */
export function interactionRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies
  const routes = guardedRouter<{ Variables: Variables }>(({ interaction }) => interaction?.row())

  routes.use(auditTrail(dependencies), boundedBody, sameOrigin, openInteraction(dependencies), jsonBody)

  return routes
    .openapi(startCall, async (c) => {
      const { event, identifier, profile } = c.req.valid('json')
      const { interaction: open, audit } = c.var
      audit.append(`Interaction.${event}.Update`, { event, identifier, profile })
      const experience = await readExperience(c)
      const problem =
        forbidsEvent(experience, event) ??
        (identifier ? refusesIdentifier(experience, event, identifier) : null) ??
        (profile ? refusesProfile(experience, event, profile) : null)
      const { row, prove } = await tryIfAllowed(c, event, identifier, problem)
      if (row.isConcluded) refuseWith('session.verification_session_not_found')
      orRefuse(problem)

      const proof = await prove?.(null)
      await open.save(start(event, { proof, profile, afterReset: row.reset }))
      return c.body(null, 204)
    })
    .openapi(abortCall, async (c) => {
      const { interaction: open, tenantId } = c.var
      const row = await open.row()
      const result = { error: 'oidc.aborted', error_description: 'the visitor gave up' }
      const condition = isOpen(tenantId, open.uid, row.reset, now())
      const concluded = await conclude(db, { tenantId, uid: open.uid, result, condition })
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
      const { interaction: open, tenantId } = c.var
      const sealed = await dependencies.interactions
        .of(tenantId)
        .sealStep(open.uid, c.req.valid('json'), now())
      setCookie(c, stepCookieName(open.uid), sealed, { ...cookieAttributes(c), maxAge: STEP_SECONDS })
      return c.body(null, 204)
    })
    .openapi(identifierCall, async (c) => {
      const payload = c.req.valid('json')
      const { interaction: open, audit } = c.var
      const event = (await open.peek())?.event
      const problem = event ? refusesIdentifier(await readExperience(c), event, payload) : null
      const { row, prove } = await tryIfAllowed(c, event, payload, problem)
      const before = await open.record(row)
      audit.append(`Interaction.${before.event}.Update`, { identifier: payload })
      orRefuse(problem)

      const proof = await prove?.(before)
      if (proof) await open.save(addProof(before, proof))
      return c.body(null, 204)
    })
    .openapi(codeCall, async (c) => {
      const { interaction: open, tenantId, audit, ip, requestId } = c.var
      await sendVerificationCode(dependencies, {
        open,
        tenantId,
        audit,
        address: addressIn(c.req.valid('json')),
        browser: await readTrustedBrowser(dependencies, c, tenantId),
        ip,
        language: await messageLanguage(dependencies, tenantId, c.req.header('accept-language')),
        host: new URL(c.req.url).host,
        requestId,
      })
      return c.body(null, 204)
    })
    .openapi(socialUriCall, async (c) => {
      const asked = c.req.valid('json')
      const { interaction: open, tenantId, audit } = c.var
      const { row, connector } = await readWithConnector(dependencies, open, tenantId, asked.connectorId)
      const before = await open.record(row)
      audit.append(`Interaction.${before.event}.Identifier.Social.Create`, { connectorId: asked.connectorId })
      if (!asked.state || !asked.redirectUri) refuseWith('session.insufficient_info')
      const { uri, session } = await authorizationOf(dependencies, orRefuse(asSocial(connector)), asked)
      await open.save(beginSocial(before, session))
      return c.json({ redirectTo: uri }, 200)
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
      const outcome = await submitInteraction(dependencies, {
        open,
        tenantId,
        audit,
        experience: () => readExperience(c),
        userAgent: c.req.header('user-agent'),
        background: (task) => afterAnswer(c.executionCtx, c.var, task),
      })
      if (outcome.kind === 'reset') return c.body(null, 204)
      await rememberUser(dependencies, c, tenantId, outcome.userId)
      return c.json({ redirectTo: outcome.redirectTo }, 200)
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
      const result = { ...row.lastSubmission, consent: { grantId } }
      const concluded = await conclude(db, { tenantId, uid: open.uid, result, condition }, statements)
      if (!concluded) refuseWith('session.verification_session_not_found')
      await open.conclude({ isOver: true })
      return c.json({ redirectTo: row.returnTo }, 200)
    })

  async function changeProfile(c: InteractionContext, profile: Profile, log: 'Create' | 'Update') {
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
    return dependencies.experience.get(c.var.tenantId, { fresh })
  }

  /** A try is counted, so what the settings forbid is not tried. */
  async function tryIfAllowed(
    c: InteractionContext,
    event: InteractionEvent | undefined,
    payload: IdentifierPayload | undefined,
    problem: Refusal | null,
  ): Promise<Pick<CountedAttempt, 'row'> & Partial<CountedAttempt>> {
    const { interaction: open, tenantId, audit, ip } = c.var
    if (!event || !payload || problem) return { row: await open.row() }
    return attemptVerification(dependencies, {
      payload,
      event,
      open,
      tenantId,
      browser: await readTrustedBrowser(dependencies, c, tenantId),
      ip,
      audit,
      later: (task) => afterAnswer(c.executionCtx, c.var, task),
    })
  }

  /** What the visitor reads at the moment: the pages send it with every call (contract 1.1). */
}
