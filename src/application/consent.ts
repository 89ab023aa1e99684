import { z } from 'zod'
import { refuseWith } from '../contract/refused.ts'
import { notAudited } from '../storage/commit.ts'
import { concludeInteraction, isInteractionOpen } from '../storage/conclusions.ts'
import { randomId } from '../storage/ids.ts'
import { type ModelRow, modelQuery, writeModel } from '../storage/oidc-models.ts'
import { setFirstApplication } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'

const GRANT_SECONDS = 14 * 24 * 3600 // spec/provider#token-lifetimes
const GRANT_ID_LENGTH = 43 // the library's own

const Missing = z.object({
  missingOIDCScope: z.array(z.string()).default([]),
  missingResourceScopes: z.record(z.string(), z.array(z.string())).default({}),
})

const GrantPayload = z
  .object({
    iat: z.number(),
    exp: z.number(),
    openid: z.object({ scope: z.string().optional() }).loose().optional(),
    resources: z.record(z.string(), z.string()).optional(),
  })
  .loose()

/** POST /interaction/consent: where the browser goes on (spec/interaction#consent). */
export async function grantConsent(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { open, tenantId }: InteractionCall,
): Promise<string> {
  const row = await open.row()
  if (row.isConcluded) refuseWith('session.verification_session_not_found')
  if (!row.session || row.prompt.name !== 'consent') {
    refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
  }
  const { accountId } = row.session
  const condition = isInteractionOpen(tenantId, open.uid, row.reset, now())
  const [granted] = row.grantId ? await modelQuery(db, { tenantId, modelName: 'Grant', id: row.grantId }) : []
  const grant = completeGrant(granted, { ...row, accountId }, now())
  const concluded = await concludeInteraction(db, {
    tenantId,
    uid: open.uid,
    result: { ...row.lastSubmission, consent: { grantId: grant.id } },
    condition,
    statements: {
      grant: writeModel(db, { tenantId, modelName: 'Grant', ...grant }, { onConflict: 'replace', condition }),
      user: setFirstApplication(db, tenantId, accountId, row.clientId),
    },
    audit: notAudited('the provider records the end of an interaction'),
  })
  if (!concluded) refuseWith('session.verification_session_not_found')
  await open.conclude({ isOver: true })
  return row.returnTo
}

/**
 * The grant with everything the prompt found missing. It has the shape of the library's model; a test reads it back
 * through the library.
 */
function completeGrant(
  row: ModelRow | undefined,
  { accountId, clientId, prompt }: Pick<OidcInteraction, 'clientId' | 'prompt'> & { accountId: string },
  now: number,
) {
  const id = row?.id ?? randomId(GRANT_ID_LENGTH)
  const iat = Math.floor(now / 1000)
  const before = row
    ? GrantPayload.parse(row.payload)
    : { kind: 'Grant', jti: id, accountId, clientId, iat, exp: iat + GRANT_SECONDS }
  const missing = Missing.parse(prompt.details)
  const addedResources = Object.entries(missing.missingResourceScopes).map(([indicator, scopes]) => [
    indicator,
    joined(before.resources?.[indicator], scopes),
  ])
  const payload = {
    ...before,
    openid: { ...before.openid, scope: joined(before.openid?.scope, missing.missingOIDCScope) },
    resources: { ...before.resources, ...Object.fromEntries(addedResources) },
  }
  return { id, payload, expiresAt: before.exp * 1000 }
}

const joined = (before = '', more: readonly string[]) =>
  [...new Set([...before.split(' ').filter(Boolean), ...more])].join(' ')
