import {
  type HookActor,
  type HookEvent,
  hookEventByInteraction,
  type OrganizationHookEvent,
  organizationHookEvents,
  type UserHookEvent,
} from '../../contract/hooks/hooks.ts'
import { interactionEvents } from '../../contract/interactions/identifiers.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import type { User } from '../../contract/users/users.schema.ts'

type Occasion = { now: number; userAgent: string | undefined }

/** Returns a message about a fictitious user or organisation, in the format of spec/connectors#hook-payload. */
export const sampleMessage = (hookId: string, event: HookEvent, occasion: Occasion) => ({
  hookId,
  event,
  createdAt: new Date(occasion.now).toISOString(),
  ...(isAboutOrganization(event)
    ? organizationFields(event, occasion)
    : { ...eventFields(event, occasion), ...userFields(event, occasion) }),
})

const isAboutOrganization = (event: HookEvent): event is OrganizationHookEvent =>
  organizationHookEvents.some((name) => name === event)

const organizationFields = (event: OrganizationHookEvent, { now }: Occasion) => ({
  actor,
  organizationId: 'test',
  ...(event === 'Organization.Membership.Updated' && {
    added: [{ userId: 'test', roleIds: ['owner'] }],
    updated: [],
    removed: [],
  }),
  organization: {
    id: 'test',
    name: 'Test Organization',
    description: null,
    customData: {},
    createdAt: now,
  },
})

const userFields = (event: UserHookEvent, { now }: Occasion) => ({
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
})

/** Returns the message fields that depend on the event. */
function eventFields(event: UserHookEvent, { now, userAgent }: Occasion) {
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
