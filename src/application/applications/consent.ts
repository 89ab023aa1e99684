import { z } from 'zod'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import type { ConsentDecision } from '../../contract/interactions/interaction.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { refuseWith } from '../../contract/refused.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { type ConsentRequest, toConsentRows } from '../../domain/applications/consent.ts'
import { claimNames } from '../../domain/applications/template-claims.ts'
import { addConsents } from '../../storage/applications/consents.ts'
import { deleteImplicitGrant } from '../../storage/applications/issued.ts'
import { hasRecipient } from '../../storage/applications/registered-clients.ts'
import type { Statements } from '../../storage/batches.ts'
import { notAudited } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import { randomId } from '../../storage/ids.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import {
  hasModel,
  hasSessionWithUid,
  type ModelRow,
  modelQuery,
  writeModel,
} from '../../storage/interactions/oidc-models.ts'
import { joinLogs } from '../../storage/log-steps.ts'
import { isMember, touchMembership } from '../../storage/organisations/memberships.ts'
import { setFirstApplication } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { enforceAccountLimit } from '../account-limit.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import {
  ConsentDetails,
  getConsentRequest,
  getOrganization,
  getUnregisteredClient,
  givesConsent,
} from './consent-details.ts'

const GRANT_SECONDS = 14 * DAY_SECONDS // spec/provider#token-lifetimes
const GRANT_ID_LENGTH = 43 // the length that the library also uses

const GrantPayload = z
  .object({
    iat: z.number(),
    exp: z.number(),
    openid: z
      .object({ scope: z.string().optional(), claims: z.array(z.string()).optional() })
      .loose()
      .optional(),
    resources: z.record(z.string(), z.string()).optional(),
  })
  .loose()

/**
 * Completes a consent for POST /interaction/consent and returns the URL at which the browser continues
 * (spec/interaction#consent).
 */
export async function concludeConsent(
  { db, now, floodLimits }: Pick<Dependencies, 'db' | 'now' | 'floodLimits'>,
  { open, tenantId, audit, ip }: InteractionCall,
  decision: ConsentDecision | undefined,
): Promise<string> {
  const { row, user, isOwnSession } = await open.readWith({})
  const request = getConsentRequest(row)
  const isThirdParty = givesConsent(row)
  // The provider records decisions about devices.
  const entry =
    isThirdParty && request && decision
      ? audit.begin(AUDIT_KEYS[decision], decisionFacts(row, request))
      : undefined
  if (row.isConcluded) refuseWith('session.verification_session_not_found')
  if (!row.session || !user || row.prompt.name !== 'consent') {
    refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
  }
  if (!isOwnSession) refuseWith('session.not_found', { error_description: 'session principal changed' })
  const { accountId } = row.session
  const action = { tenantId, userId: accountId, applicationId: row.clientId, ip }
  await enforceAccountLimit({ floodLimits }, 'consent', action)
  // Without the last two conditions, the decision from an ended session could apply to the next user's session.
  const isOpen = allOf(
    isInteractionOpen(tenantId, open.uid, row.reset, now()),
    hasSessionWithUid(tenantId, row.session.uid),
    isUnrevoked(tenantId, user),
  )
  const concluded = { open, tenantId, row, entry }
  if (decision === 'deny') {
    return conclude(db, concluded, { result: ACCESS_DENIED, condition: isOpen, statements: {} })
  }
  // Access is not granted without an explicit decision by the user, because any page can make a form submit itself.
  if (request && decision === undefined) throw invalidInput({ issues: [DECISION_MISSING] })
  const [stored] = row.grantId ? await modelQuery(db, { tenantId, modelName: 'Grant', id: row.grantId }) : []
  const grant = completeGrant(stored, { ...row, accountId, sessionUid: row.session.uid }, now())
  const consent = { tenantId, userId: accountId, applicationId: row.clientId }
  const { registered, organization } = ConsentDetails.parse(row.prompt.details)
  const member = organization && { tenantId, userId: accountId, organizationId: organization.id }
  const condition = allOf(
    isOpen,
    // A grant that was withdrawn in the meantime must not be stored again.
    stored ? hasModel(stored) : ALWAYS_TRUE,
    // A change of the client that ended all consents must also end the question that a page still shows (ADR-0170).
    registered ? hasRecipient(consent, registered) : ALWAYS_TRUE,
    member ? isMember(member) : ALWAYS_TRUE,
  )
  const isRegistered = getUnregisteredClient(row) === undefined
  return conclude(db, concluded, {
    result: { ...row.lastSubmission, consent: { grantId: grant.id } },
    condition,
    statements: {
      grant: writeModel(db, { tenantId, modelName: 'Grant', ...grant }, { onConflict: 'replace', condition }),
      implicitGrant: isThirdParty ? undefined : deleteImplicitGrant(db, consent, grant.id),
      // Consents to unregistered clients, and those for an organisation, are stored only in the grant.
      consents:
        isThirdParty && request && isRegistered && !member
          ? addConsents(db, consent, toConsentRows(request), { condition, now: now() })
          : undefined,
      membership: member && touchMembership(db, member, now()),
      user: isRegistered ? setFirstApplication(db, tenantId, accountId, row.clientId) : undefined,
    },
  })
}

const AUDIT_KEYS = { allow: 'Interaction.Consent.Allow', deny: 'Interaction.Consent.Deny' } as const

const decisionFacts = (
  { uid, clientId, session, prompt }: OidcInteraction,
  { scopes, claims, resources }: ConsentRequest,
) => ({
  interactionId: uid,
  userId: session?.accountId,
  sessionId: session?.uid,
  applicationId: clientId,
  organizationId: getOrganization({ prompt })?.id,
  scope: scopes.join(' '),
  ...(claims.length > 0 && { claims: claimNames(claims).join(' ') }),
  resources: Object.entries(resources).map(([indicator, names]) => ({ indicator, scope: names.join(' ') })),
})

/** The error response of a denied request (RFC 6749 §4.1.2.1). */
const ACCESS_DENIED = { error: 'access_denied', error_description: 'the user denied the request' }

const DECISION_MISSING = {
  code: 'custom',
  path: ['decision'],
  message: 'must be allow or deny for a third party',
}

type Decided = Pick<InteractionCall, 'open' | 'tenantId'> & {
  row: OidcInteraction
  entry: AuditEntry | undefined
}

async function conclude<const S extends Statements>(
  db: Database,
  { open, tenantId, row, entry }: Decided,
  conclusion: {
    result: Record<string, unknown>
    condition: Condition
    statements: S & { outboxIds?: never }
  },
): Promise<string> {
  const before = await open.takeHeldLogs()
  const [first, ...logs] = entry ? joinLogs(entry.success(), { before }) : before
  const concluded = await concludeInteraction(db, {
    tenantId,
    uid: open.uid,
    ...conclusion,
    audit: first ? [first, ...logs] : notAudited('a first party gets no consent'),
  })
  if (!concluded) refuseWith('session.verification_session_not_found')
  await open.conclude('error' in conclusion.result ? 'declined' : 'signedIn')
  return row.returnTo
}

/**
 * Adds to the grant everything that the prompt reported as missing. The grant has the format of the provider library's
 * model; a test reads it back through the library.
 */
function completeGrant(
  row: ModelRow | undefined,
  {
    accountId,
    sessionUid,
    clientId,
    prompt,
  }: Pick<OidcInteraction, 'clientId' | 'prompt'> & { accountId: string; sessionUid: string },
  now: number,
) {
  const id = row?.id ?? randomId(GRANT_ID_LENGTH)
  const iat = Math.floor(now / 1000)
  const missing = ConsentDetails.parse(prompt.details)
  const before = row
    ? GrantPayload.parse(row.payload)
    : {
        ...{ kind: 'Grant', jti: id, accountId, clientId, sessionUid, iat, exp: iat + GRANT_SECONDS },
        organizationId: missing.organization?.id,
        endsWithSession: missing.endsWithSession,
      }
  const addedResources = Object.entries(missing.missingResourceScopes).map(([indicator, scopes]) => [
    indicator,
    joinScopes(before.resources?.[indicator], scopes),
  ])
  const claims = new Set([...(before.openid?.claims ?? []), ...missing.missingOIDCClaims])
  const payload = {
    ...before,
    ...(missing.client && { seenClient: toSeenClient(missing.client) }),
    openid: {
      ...before.openid,
      scope: joinScopes(before.openid?.scope, missing.missingOIDCScope),
      ...(claims.size > 0 && { claims: [...claims] }),
    },
    resources: { ...before.resources, ...Object.fromEntries(addedResources) },
  }
  return { id, payload, expiresAt: before.exp * 1000 }
}

const toSeenClient = ({ name, host, logo }: ClientSnapshot): ClientSnapshot => ({ name, host, logo })

const joinScopes = (before = '', more: readonly string[]) =>
  [...new Set([...before.split(' ').filter(Boolean), ...more])].join(' ')
