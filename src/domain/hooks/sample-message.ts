import type { HookActor, HookEvent } from '../../contract/hooks/hooks.ts'
import { hookEventByInteraction } from '../../contract/hooks/hooks.ts'
import { interactionEvents } from '../../contract/interactions/identifiers.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { User } from '../../contract/users/users.schema.ts'

/** Returns a message about a fictitious user, in the format of spec/connectors#hook-payload. */
export function sampleMessage(
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
      isSuspended: event === 'User.Suspended',
      profile: { givenName: 'Test', familyName: 'User' },
      profileUpdatedAt: now,
    } satisfies User,
  }
}

/** Returns the message fields that depend on the event. */
function eventFields(event: HookEvent, { now, userAgent }: { now: number; userAgent: string | undefined }) {
  switch (event) {
    case 'PostRegister':
    case 'PostSignIn':
    case 'PostResetPassword': {
      const interactionEvent = interactionEvents.find((name) => hookEventByInteraction[name] === event)
      return { interactionEvent, sessionId: 'test', userAgent, application }
    }
    case 'User.PasskeyAdded':
    case 'User.PasskeyRemoved':
    case 'User.PasskeyRenamed':
      return { passkey: { ...samplePasskey, createdAt: now }, application }
    case 'User.SessionsEnded':
      return { sessionIds: ['test'], application }
    case 'User.BrowsersForgotten':
      return { trustedBrowserIds: ['test'], application }
    case 'User.ConsentWithdrawn':
      return { withdrawnApplicationId: 'test', application }
    case 'User.FactorAdded':
    case 'User.FactorRemoved':
      return { factor: { kind: 'totp' }, application }
    case 'User.RolesChanged':
      return { actor, roles: [{ id: 'test', name: 'Test Role' }] }
    case 'User.Created':
    case 'User.Suspended':
    case 'User.Reinstated':
      return { actor }
    case 'User.Updated':
      return { application }
    case 'User.DeletionRequested':
    case 'User.DeletionCanceled':
    case 'User.Deleted':
      return {}
  }
}

const application = { id: 'test', type: 'SPA', name: 'Test Application', description: null }
const actor: HookActor = { type: 'administrator', id: 'test-administrator' }

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
