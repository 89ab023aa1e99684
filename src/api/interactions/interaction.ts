import type { Context } from 'hono'
import { concludeConsent } from '../../application/applications/consent.ts'
import { sendVerificationCode } from '../../application/codes/send.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { sendFactorCode } from '../../application/factors/codes.ts'
import { beginTotpEnrolment, proveTotp } from '../../application/factors/enrol.ts'
import type { PrepareAuthorization } from '../../application/interactions/authorization.ts'
import {
  cancelInteraction,
  completeProfile,
  removeProfile,
  replaceProfile,
  setInteractionEvent,
} from '../../application/interactions/change.ts'
import type { InteractionCall, OpenInteraction } from '../../application/interactions/interaction-call.ts'
import { proveIdentifier, startInteraction } from '../../application/interactions/start.ts'
import { submitInteraction } from '../../application/interactions/submit.ts'
import { chooseOrganization } from '../../application/organisations/choose-organization.ts'
import {
  addPasskeyAfterSignIn,
  createOptionsAfterSignIn,
  deferPasskey,
} from '../../application/passkeys/after-sign-in.ts'
import { createSecurityKeyRequestOptions } from '../../application/passkeys/security-key.ts'
import { createPasskeyRequestOptions } from '../../application/passkeys/sign-in.ts'
import { bypassesCache } from '../../application/request.ts'
import { startSocialSignIn } from '../../application/social/sign-in.ts'
import { getSignInPlace } from '../../domain/factors/sign-in-place.ts'
import { auditTrail } from '../audit-trail.ts'
import { acceptJsonBody, limitApiBodySize } from '../bodies.ts'
import { guardedRouter } from '../guard.ts'
import { createBackgroundRunner, toOwnMessageRequest } from '../request-context.ts'
import { requireSameOrigin } from '../same-origin.ts'
import {
  cancelCall,
  consentCall,
  deleteProfileCall,
  eventCall,
  forgetAccountCall,
  identifierCall,
  navigationStateCall,
  openAccountCall,
  organizationCall,
  profileCall,
  startCall,
  submitCall,
} from './interaction-calls.ts'
import { type InteractionVariables, withInteraction } from './open-interaction.ts'
import { deferPasskeyCall, newPasskeyCall, newPasskeyOptionsCall } from './passkey-calls.ts'
import {
  beginTotpEnrolmentCall,
  codeCall,
  factorCodeCall,
  passkeyOptionsCall,
  securityKeyOptionsCall,
  socialUriCall,
  verifyTotpCall,
} from './proof-calls.ts'
import {
  forgetAccount,
  openAccount,
  rememberSignIn,
  withAddress,
  withIdentifier,
} from './remembered-account.ts'
import { addTrustedUser, readTrustedBrowser } from './trusted-browser.ts'

type InteractionContext = Context<{ Variables: InteractionVariables }>

type InteractionDependencies = Omit<Dependencies, 'tenants' | 'applications' | 'signingKeys'>

/** Serves the calls that the sign-in pages make (spec/interaction#calls). */
export function interactionRoutes(
  dependencies: InteractionDependencies,
  prepareAuthorization: PrepareAuthorization,
) {
  const routes = guardedRouter<{ Variables: InteractionVariables }>(({ interaction }) => interaction?.row())
  const callOf = (c: InteractionContext) => interactionCall(dependencies, c)

  const audited = auditTrail<InteractionVariables>(dependencies, {
    endpoint: 'interaction',
    // `c.var.interaction` is unset if the interaction could not be opened.
    interactionOf: (c): OpenInteraction | undefined => c.var.interaction,
  })
  routes.use(audited, limitApiBodySize, requireSameOrigin, withInteraction(dependencies), acceptJsonBody)

  return routes
    .openapi(startCall, async (c) => {
      const { identifier, ...start } = c.req.valid('json')
      const named = identifier && (await withIdentifier(dependencies, c, identifier))
      await startInteraction(dependencies, callOf(c), { ...start, identifier: named })
      return c.body(null, 204)
    })
    .openapi(cancelCall, async (c) => {
      return c.json({ redirectTo: await cancelInteraction(dependencies, callOf(c)) }, 200)
    })
    .openapi(eventCall, async (c) => {
      await setInteractionEvent(callOf(c), c.req.valid('json').event)
      return c.body(null, 204)
    })
    .openapi(navigationStateCall, async (c) => {
      await c.var.interaction.saveNavigationState(c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(identifierCall, async (c) => {
      await proveIdentifier(
        dependencies,
        callOf(c),
        await withIdentifier(dependencies, c, c.req.valid('json')),
      )
      return c.body(null, 204)
    })
    .openapi(openAccountCall, async (c) => {
      return c.json(await openAccount(dependencies, c, callOf(c), c.req.valid('param').id), 200)
    })
    .openapi(forgetAccountCall, async (c) => {
      await forgetAccount(dependencies, c, c.req.valid('param').id)
      return c.body(null, 204)
    })
    .openapi(codeCall, async (c) => {
      await sendVerificationCode(
        dependencies,
        callOf(c),
        await withAddress(dependencies, c, c.req.valid('json')),
      )
      return c.body(null, 204)
    })
    .openapi(beginTotpEnrolmentCall, async (c) => {
      return c.json(await beginTotpEnrolment(dependencies, callOf(c)), 200)
    })
    .openapi(verifyTotpCall, async (c) => {
      const { totpCode } = c.req.valid('json')
      return c.json({ backupCodes: await proveTotp(dependencies, callOf(c), totpCode) }, 200)
    })
    .openapi(factorCodeCall, async (c) => {
      return c.json(await sendFactorCode(dependencies, callOf(c), c.req.valid('json').factor), 200)
    })
    .openapi(securityKeyOptionsCall, async (c) =>
      c.json(await createSecurityKeyRequestOptions(dependencies, callOf(c)), 200),
    )
    .openapi(socialUriCall, async (c) => {
      const redirectTo = await startSocialSignIn(dependencies, callOf(c), c.req.valid('json'))
      return c.json({ redirectTo }, 200)
    })
    .openapi(passkeyOptionsCall, async (c) =>
      c.json(await createPasskeyRequestOptions(dependencies, callOf(c)), 200),
    )
    .openapi(profileCall('put'), async (c) => {
      await replaceProfile(dependencies, callOf(c), c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(profileCall('patch'), async (c) => {
      await completeProfile(dependencies, callOf(c), c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(deleteProfileCall, async (c) => {
      await removeProfile(callOf(c))
      return c.body(null, 204)
    })
    .openapi(submitCall, async (c) => {
      const {
        agreesToTerms,
        putsOffSecondFactor,
        remembersBrowser,
        passkeyAbilities = [],
      } = c.req.valid('json')
      const { tenantId, requestId, ip, interaction } = c.var
      const source = { tenantId, requestId, ip, request: c.req.raw, uid: interaction.uid }
      const outcome = await submitInteraction(dependencies, callOf(c), {
        prepareAuthorization: (userId) => prepareAuthorization({ ...source, userId }),
        agreesToTerms: agreesToTerms === true,
        putsOffSecondFactor: putsOffSecondFactor === true,
        remembersBrowser,
        passkeyAbilities,
      })
      if (outcome.kind === 'reset') return c.body(null, 204)
      await addTrustedUser(dependencies, c, { tenantId: c.var.tenantId, ...outcome })
      await rememberSignIn(dependencies, c, outcome.signIn)
      const { redirectTo, passkeys, cookies } = outcome
      for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
      return c.json({ redirectTo, ...(passkeys && { passkeys }) }, 200)
    })
    .openapi(newPasskeyOptionsCall, async (c) => {
      const { creation } = c.req.valid('json')
      return c.json(await createOptionsAfterSignIn(dependencies, callOf(c), creation), 200)
    })
    .openapi(newPasskeyCall, async (c) => {
      return c.json(await addPasskeyAfterSignIn(dependencies, callOf(c), c.req.valid('json')), 200)
    })
    .openapi(deferPasskeyCall, async (c) => {
      await deferPasskey(dependencies, callOf(c))
      return c.body(null, 204)
    })
    .openapi(organizationCall, async (c) => {
      const { organizationId } = c.req.valid('json')
      return c.json({ redirectTo: await chooseOrganization(dependencies, callOf(c), organizationId) }, 200)
    })
    .openapi(consentCall, async (c) => {
      const { decision } = c.req.valid('json')
      return c.json({ redirectTo: await concludeConsent(dependencies, callOf(c), decision) }, 200)
    })
}

/** Collects what the application layer needs to know about a request. */
function interactionCall(dependencies: InteractionDependencies, c: InteractionContext): InteractionCall {
  const { tenantId, interaction, audit, ip } = c.var
  return {
    tenantId,
    open: interaction,
    audit,
    async experience() {
      const fresh = bypassesCache(c.var, c.req.header('cache-control'))
      const experience = await dependencies.experience.get(tenantId, { fresh })
      const { organization } = interaction
      return dependencies.organizationExperiences.apply(experience, { tenantId, organization, fresh })
    },
    trustedBrowser: () => readTrustedBrowser(dependencies, c, tenantId),
    origin: new URL(c.req.url).origin,
    ip,
    place: () => getSignInPlace(c.req.raw),
    userAgent: c.req.header('user-agent'),
    message: toOwnMessageRequest(c),
    background: createBackgroundRunner(c),
  }
}
