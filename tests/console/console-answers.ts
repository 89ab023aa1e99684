import type { z } from 'zod'
import { ADMINISTRATOR_ROLES, MANAGEMENT_SCOPES } from '../../src/contract/access/management-scopes.ts'
import type { ResourceWithScopes, ScopeSchema } from '../../src/contract/access/resources.schema.ts'
import type { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import type {
  ConnectorFactorySchema,
  ConnectorSchema,
} from '../../src/contract/connectors/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import type { HookDelivery, HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import type { OrganizationDomain } from '../../src/contract/organisations/domains.schema.ts'
import type { OrganizationInvitation } from '../../src/contract/organisations/invitations.schema.ts'
import type {
  OrganizationApplication,
  OrganizationMember,
  OrganizationSchema,
} from '../../src/contract/organisations/organizations.schema.ts'
import type { OrganizationRoleSchema } from '../../src/contract/organisations/template.schema.ts'
import { MANAGEMENT_RESOURCE } from '../../src/contract/product.ts'
import { readAdminConsole } from '../../src/contract/tenants/admin-console.schema.ts'
import type { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import type { ManagedUser } from '../../src/contract/users/users.schema.ts'
import type { Answers } from './console-page.tsx'

/**
 * The management API's responses for a tenant with a user and an application that have more permissions than every
 * administrator role except owner.
 */

const tenantId = 'default'

const user = (id: string): z.output<typeof ManagedUser> => ({
  id,
  username: id,
  primaryEmail: `${id}@example.com`,
  primaryPhone: null,
  name: id,
  avatar: null,
  customData: {},
  identities: { github: { userId: '1' } },
  lastSignInAt: null,
  createdAt: 1,
  applicationId: null,
  emailVerified: true,
  phoneVerified: false,
  termsAgreement: null,
  isSuspended: false,
  profile: {},
  profileUpdatedAt: null,
})

const application = (
  id: string,
  isAbove = false,
): z.output<typeof ApplicationSchema> & { isAdmin: boolean } => ({
  tenantId,
  id,
  name: id,
  description: null,
  secondFactorPolicy: null,
  rememberDays: null,
  claims: null,
  type: 'MachineToMachine',
  secret: isAbove ? SECRET_PLACEHOLDER : 'secret',
  oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  customClientMetadata: {},
  secretCreatedAt: 0,
  previousSecret: null,
  createdAt: 1,
  isAdmin: isAbove,
})

const factory = (id: string, type: 'Email' | 'Social'): z.output<typeof ConnectorFactorySchema> => ({
  type,
  id,
  target: id,
  platform: 'Universal',
  name: { en: id },
  logo: '/logo.svg',
  logoDark: null,
  description: { en: '' },
  readme: '# Guide',
  callbackUrl: null,
  hasCheck: true,
  isDemo: false,
  formItems: [{ key: 'clientId', label: 'Client ID', type: 'Text' }],
})
const connector = (id: string, type: 'Email' | 'Social'): z.output<typeof ConnectorSchema> => ({
  ...factory(id, type),
  tenantId,
  connectorId: id,
  syncProfile: false,
  metadata: {},
  config: {},
  createdAt: 1,
})

const scope = (
  resourceId: string,
  { id, name }: { id: string; name: string },
): z.output<typeof ScopeSchema> => ({
  tenantId,
  id,
  resourceId,
  name,
  description: null,
  createdAt: 1,
})
const ofManagement = MANAGEMENT_SCOPES.map((each) => scope(MANAGEMENT_RESOURCE.id, each))
const ofShop = scope('shop-api', { id: 'orders', name: 'orders:read' })
const resources: z.output<typeof ResourceWithScopes>[] = [
  { tenantId, ...MANAGEMENT_RESOURCE, accessTokenTtl: 3600, claims: null, scopes: ofManagement },
  {
    tenantId,
    id: 'shop-api',
    name: 'Shop',
    indicator: 'https://shop',
    accessTokenTtl: 3600,
    claims: null,
    scopes: [ofShop],
  },
]

const role = (id: string, name = id) => ({
  tenantId,
  id,
  name,
  description: '',
  secondFactorPolicy: null,
  rememberDays: null,
})
/** The role `helpers` can change users, like `support-role`. */
const scopesOfRole: Readonly<Record<string, z.output<typeof ScopeSchema>[]>> = {
  clerks: [ofShop],
  helpers: ofManagement.filter(({ name }) => name === 'users:write'),
  ...Object.fromEntries(
    ADMINISTRATOR_ROLES.map(({ id, scopes }) => [
      id,
      ofManagement.filter(({ name }) => scopes.some((each) => each === name)),
    ]),
  ),
}

const hook: z.output<typeof HookSchema> = {
  tenantId,
  id: 'hook',
  event: 'PostSignIn',
  events: ['PostSignIn'],
  createdAt: 1,
  config: { url: 'https://hooks.example.com', retries: 3 },
}

/** The doctor's report for a complete deployment. */
export const healthyReport: z.output<typeof DoctorReport> = {
  environment: 'production',
  serverTime: 1,
  version: '0.2.0',
  hostsConfigured: 1,
  origins: ['https://id.example.com'],
  consoleOrigin: null,
  logRetentionDays: 30,
  secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: false },
  bindings: { SEND_EMAIL: true, ASSET_BUCKET: true, RATE_LIMITS: true },
  database: {
    kind: 'D1',
    migrations: { expected: ['0000_first'], applied: ['0000_first'] },
    alterationState: null,
  },
  applications: { unsealedSecrets: 0, keySets: [] },
  clients: { unregistered: 'off', selfRegistered: 'off' },
  interactions: { isWritable: true },
  connectors: [{ id: 'mail', connectorId: 'resend-email', problem: null, lastFailure: null }],
  uploads: { problem: null },
  passwords: { rules: 'CharacterClasses', checksBreaches: true },
  passkeys: { relatedLabels: 1 },
  secondFactor: {
    policy: 'off',
    added: ['required'],
    uncoveredAdministratorRoles: [],
    factors: ['totp'],
    unavailable: [],
    hasBackupCodes: false,
    sendsCodes: true,
    isPlaceKnown: true,
  },
  signIn: { hasWayIn: true, problem: null },
}

const delivery: z.output<typeof HookDelivery> = {
  id: 'delivery',
  event: hook.event,
  status: 'failed',
  attempts: 9,
  payload: {},
  createdAt: 1,
}

const factories = [factory('github', 'Social'), factory('smtp', 'Email'), factory('google', 'Social')]
const connectors = [connector('github', 'Social'), connector('smtp', 'Email')]
const organization = {
  tenantId,
  id: 'acme',
  name: 'Acme',
  description: null,
  customData: {},
  policy: {},
  brand: {},
  createdAt: 1,
  createdBy: null,
} satisfies z.output<typeof OrganizationSchema>
const organizationRole = (id: string) =>
  ({ tenantId, id, name: id, description: null, permissions: [] }) satisfies z.output<
    typeof OrganizationRoleSchema
  >
const buyerRole = { id: 'buyer', name: 'buyer' }
const member = {
  user: user('ann'),
  roles: [{ ...buyerRole, sources: ['manual'] }],
  sources: ['manual'],
  joinedAt: 1,
} satisfies z.output<typeof OrganizationMember>
const service = {
  id: 'robot',
  name: 'robot',
  description: null,
  type: 'MachineToMachine',
  roles: [buyerRole],
  joinedAt: 1,
} satisfies z.output<typeof OrganizationApplication>
const organizationInvitation = {
  id: 'invitation',
  organizationId: 'acme',
  state: 'pending',
  email: 'bob@example.com',
  roleIds: ['buyer'],
  language: null,
  invitedBy: { type: 'administrator', id: 'boss' },
  createdAt: 1,
  sentAt: 1,
  expiresAt: 2,
  acceptedAt: null,
  acceptedBy: null,
  revokedAt: null,
} satisfies OrganizationInvitation
const domain = {
  domain: 'acme.example',
  record: { name: '_vestibule.acme.example', type: 'TXT', value: 'vestibule-domain=1' },
  join: 'off',
  roleIds: [],
  createdAt: 1,
  verifiedAt: null,
  checkedAt: null,
  missedAt: null,
} satisfies OrganizationDomain

const byPath: Readonly<Record<string, unknown>> = {
  '/users': [user('ann'), user('boss')],
  '/users/ann/roles': [role('clerks')],
  '/users/helper/roles': [role('helpers')],
  '/users/boss/roles': [ADMINISTRATOR_ROLES[0]],
  '/roles': [role('clerks'), role('helpers')].map((each) => ({ ...each, usersCount: 1, featuredUsers: [] })),
  '/applications': [application('shop'), application('robot', true)],
  '/resources': resources,
  '/hooks': [hook],
  '/hooks/hook': hook,
  '/hooks/hook/deliveries': [delivery],
  '/connectors': connectors,
  '/connector-factories': factories,
  '/sign-in-exp': DEFAULT_EXPERIENCE,
  '/custom-phrases': [],
  '/custom-phrases/en': {},
  '/user-assets/service-status': { status: 'ready', allowUploadMimeTypes: [], maxUploadFileSize: 262_144 },
  '/configs/settings': DEFAULT_TENANT_SETTINGS,
  '/configs/doctor': {
    ...healthyReport,
    passkeys: { relatedLabels: 0 },
    secondFactor: { ...healthyReport.secondFactor, uncoveredAdministratorRoles: ['#internal:admin'] },
  },
  '/configs/admin-console': readAdminConsole({ signInExperienceCustomized: true }),
  '/configs/code': { sections: [], fingerprint: null, appliedAt: null },
  '/configs/signing-keys': [{ id: 'key', algorithm: 'ES256', status: 'signing', signsFrom: 0 }],
  '/organizations': [organization],
  '/organizations/acme/users': [member],
  '/organizations/acme/applications': [service],
  '/organizations/acme/invitations': [organizationInvitation],
  '/organizations/acme/domains': [domain],
  '/organization-roles': [organizationRole('owner'), organizationRole('buyer')],
  '/organization-scopes': [{ tenantId, id: 'plan', name: 'plan:read', description: null }],
  '/users/ann/organizations': [
    { ...organization, roles: member.roles, sources: member.sources, joinedAt: 1 },
  ],
  '/tenants': [{ id: 'other', origin: null, createdAt: 1 }],
}

/**
 * Removes the secret of an application with more permissions than the caller, unless the caller is an owner
 * (spec/management#withheld-secrets).
 */
export const createAnswers =
  (isOwner: boolean): Answers =>
  (path) => {
    const [, collection = '', id = '', part] = path.split('/')
    if (Object.hasOwn(byPath, path)) return byPath[path]
    if (part === 'factors')
      return {
        totp: { createdAt: 1, lastUsedAt: null },
        backupCodesLeft: 0,
        hasFewBackupCodes: false,
        passkeys: 0,
      }
    if (collection === 'roles' && part === 'scopes') return scopesOfRole[id]
    if (collection === 'resources' && part === 'scopes')
      return resources.find((each) => each.id === id)?.scopes
    if (collection === 'dashboard' || collection === '.well-known') return undefined
    if (part !== undefined) return []
    switch (collection) {
      case 'users':
        return user(id)
      case 'applications':
        return application(id, id === 'robot' && !isOwner)
      case 'roles':
        return ADMINISTRATOR_ROLES.find((each) => each.id === id) ?? role(id)
      case 'organizations':
        return { ...organization, id }
      case 'organization-roles':
        return organizationRole(id)
      case 'resources':
        return resources.find((each) => each.id === id)
      case 'connectors':
        return connectors.find((each) => each.id === id)
      case 'connector-factories':
        return factories.find((each) => each.id === id)
      default:
        return undefined
    }
  }
