import type { HookEvent } from '../../contract/hooks/hooks.ts'
import { hookEventByInteraction } from '../../contract/hooks/hooks.ts'
import { interactionEvents } from '../../contract/interactions/identifiers.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { User } from '../../contract/users/users.schema.ts'
import { getHook } from '../../storage/hooks/hooks.ts'
import { createDeliveryId } from '../../storage/hooks/outbox-events.ts'
import type { Dependencies } from '../dependencies.ts'

/** Sends one message about a fictitious user to a hook, without retries, and returns the delivery report. */
export async function testHook(
  { db, now, deliveries }: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, id, userAgent }: { tenantId: string; id: string; userAgent: string | undefined },
) {
  const hook = await getHook(db, tenantId, id)
  if (!hook) refuseWith('entity.not_exists_with_id', { id })
  return deliveries.sendToHook(
    hook,
    createDeliveryId(),
    sampleMessage(id, hook.event, { now: now(), userAgent }),
  )
}

/** Returns a message about a fictitious user, in the format of spec/connectors#hooks. */
function sampleMessage(
  hookId: string,
  event: HookEvent,
  { now, userAgent }: { now: number; userAgent: string | undefined },
) {
  return {
    hookId,
    event,
    createdAt: new Date(now).toISOString(),
    ...eventFields(event, { now, userAgent }),
    userId: 'test',
    user: {
      id: 'test',
      username: 'test',
      primaryEmail: 'test@example.com',
      primaryPhone: '15550100',
      name: 'Test User',
      avatar: null,
      customData: {},
      identities: {},
      lastSignInAt: now,
      createdAt: now,
      applicationId: null,
      emailVerified: true,
      phoneVerified: true,
      termsAgreement: null,
      isSuspended: false,
      profile: { givenName: 'Test', familyName: 'User' },
      profileUpdatedAt: now,
    } satisfies User,
    application: { id: 'test', type: 'SPA', name: 'Test Application', description: null },
  }
}

/** Returns the message fields that depend on the event. */
function eventFields(event: HookEvent, { now, userAgent }: { now: number; userAgent: string | undefined }) {
  switch (event) {
    case 'PostRegister':
    case 'PostSignIn':
    case 'PostResetPassword': {
      const interactionEvent = interactionEvents.find((name) => hookEventByInteraction[name] === event)
      return { interactionEvent, sessionId: 'test', userAgent }
    }
    case 'User.PasskeyAdded':
    case 'User.PasskeyRemoved':
    case 'User.PasskeyRenamed':
      return { passkey: { ...samplePasskey, createdAt: now } }
    case 'User.Updated':
      return {}
    case 'User.SessionsEnded':
      return { sessionIds: ['test'] }
    case 'User.BrowsersForgotten':
      return { trustedBrowserIds: ['test'] }
    case 'User.ConsentWithdrawn':
      return { withdrawnApplicationId: 'test' }
    case 'User.FactorAdded':
    case 'User.FactorRemoved':
      return { factor: { kind: 'totp' } }
    case 'User.DeletionRequested':
    case 'User.DeletionCanceled':
    case 'User.Deleted':
      return {}
  }
}

const samplePasskey: Omit<Passkey, 'createdAt'> = {
  id: 'test',
  name: 'Test Passkey',
  aaguid: '00000000-0000-0000-0000-000000000000',
  rpId: 'test.example.com',
  transports: ['internal'],
  isBackupEligible: true,
  isBackedUp: true,
  lastUsedAt: null,
  isSecondFactor: false,
}
