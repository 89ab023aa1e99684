import { describe, expect, it } from 'vitest'
import { describeAsConfig } from '../../operator/config/describe.ts'
import type { ConfigInput } from '../../operator/config/file.schema.ts'
import type { JsonObject } from '../../operator/config/json.ts'
import { resolveSecrets, withStoredSecrets } from '../../operator/config/secrets.ts'
import { type ConfigState, SINGLETON_ID } from '../../operator/config/state.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { TENANT_APPLICATION } from '../../src/contract/product.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { connectorFactories, fieldsOf, freshState, plannedChanges, stepsOf } from './settings.ts'

const shop: NonNullable<ConfigInput['applications']>[string] = {
  name: 'Shop',
  type: 'Traditional',
  oidcClientMetadata: { redirectUris: ['https://shop.example/cb'] },
}
const storedShop = {
  name: 'Shop',
  type: 'Traditional',
  secret: 'made by the server',
  description: null,
  oidcClientMetadata: { redirectUris: ['https://shop.example/cb'], postLogoutRedirectUris: [] },
  customClientMetadata: {},
  isAdmin: false,
}
const roleNamed = (name: string) => ({ name, description: '', scopes: [] })
const orders = { name: 'Orders', indicator: 'https://orders.example', accessTokenTtl: 3600 }
type OrganizationRole = NonNullable<ConfigInput['organizationRoles']>[string]
const sendgrid = (config: object) => ({ connectorId: 'sendgrid-email-service', config: { ...config } })
const s3 = { provider: 'S3Storage', endpoint: 'https://s3.example', bucket: 'b', accessKeyId: 'k' } as const
const withS3 = { settings: { [SINGLETON_ID]: { ...DEFAULT_TENANT_SETTINGS, storageProvider: s3 } } }

describe('a plan', () => {
  type Row = { case: string; file: ConfigInput; current?: Partial<ConfigState>; expected: unknown[] }
  it.each<Row>([
    {
      case: 'is empty for an empty file',
      file: {},
      current: { applications: { old: storedShop } },
      expected: [],
    },
    {
      case: 'lists every field of a new application',
      file: { applications: { shop } },
      expected: [
        ['name', '(none)', 'Shop'],
        ['type', '(none)', 'Traditional'],
        ['oidcClientMetadata.redirectUris', '(none)', ['https://shop.example/cb']],
        ['isAdmin', '(none)', false],
      ],
    },
    {
      case: 'treats a missing value like the default',
      file: { applications: { shop } },
      current: { applications: { shop: storedShop } },
      expected: [],
    },
    {
      case: 'treats missing second factors and passkeys like the defaults',
      file: { settings: { secondFactor: { policy: 'off' }, passkeys: DEFAULT_TENANT_SETTINGS.passkeys } },
      expected: [],
    },
    {
      case: 'lists every changed value of second factors and passkeys',
      file: {
        settings: {
          secondFactor: { policy: 'required', factors: ['totp'] },
          administratorsNeedSecondFactor: true,
          passkeys: { enabled: true, rpId: 'id.example.com', manageUrl: null },
        },
      },
      expected: [
        ['passkeys.enabled', false, true],
        ['secondFactor.policy', 'off', 'required'],
        ['secondFactor.factors', ['totp', 'passkey'], ['totp']],
        ['administratorsNeedSecondFactor', false, true],
        ['passkeys.rpId', '(none)', 'id.example.com'],
      ],
    },
    {
      case: 'removes a value that is missing from the file',
      file: { applications: { shop } },
      current: { applications: { shop: { ...storedShop, customClientMetadata: { idTokenTtl: 60 } } } },
      expected: [['customClientMetadata.idTokenTtl', 60, '(none)']],
    },
    {
      case: 'contains only the changed column of the experience',
      file: { experience: { signInMode: 'SignIn' } },
      expected: [['signInMode', 'SignInAndRegister', 'SignIn']],
    },
    {
      case: 'can empty a column of the experience',
      file: { experience: { customCss: null } },
      current: {
        experience: { [SINGLETON_ID]: { ...freshState.experience[SINGLETON_ID], customCss: 'a{}' } },
      },
      expected: [['customCss', 'a{}', '(none)']],
    },
    {
      case: 'contains only the changed field of a sign-in method',
      file: {
        experience: {
          signIn: {
            methods: [
              { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: false },
            ],
          },
        },
      },
      expected: [['signIn.methods.0.isPasswordPrimary', true, false]],
    },
    {
      case: "ignores the order of a role's scopes",
      file: { roles: { clerk: { name: 'clerk', description: '', scopes: { orders: ['b', 'a'] } } } },
      current: {
        roles: { clerk: { name: 'clerk', description: '', scopes: ['orders/a', 'orders/b'] } },
        roleApplications: { clerk: { applications: [] } },
        scopes: { 'orders/a': { description: '' }, 'orders/b': { description: '' } },
      },
      expected: [],
    },
    {
      case: 'empties the phrases of the fallback language, which cannot be deleted',
      file: { phrases: {} },
      current: { phrases: { en: { action: { sign_in: 'Come in' } } } },
      expected: [['action.sign_in', 'Come in', '(none)']],
    },
    {
      case: 'omits the phrases of the fallback language if they are already empty',
      file: { phrases: {} },
      current: { phrases: { en: {} } },
      expected: [],
    },
    {
      case: 'omits empty phrases',
      file: { phrases: { fr: { action: { sign_in: 'Entrer', cancel: '' } } } },
      current: { phrases: { fr: { action: { sign_in: 'Entrer' } } } },
      expected: [],
    },
  ])('$case', ({ file, current = {}, expected }) => {
    expect(fieldsOf(plannedChanges(file, { current }).changes)).toEqual(expected)
  })
})

describe('a plan of the template of organisations', () => {
  const buyer = {
    name: 'Buyer',
    permissions: ['members:read'],
    scopes: ['plan:read'],
  } satisfies OrganizationRole
  const storedBuyer = { ...buyer, description: null, resourceScopes: ['orders/read'] }
  const current = {
    resources: { orders },
    scopes: { 'orders/read': { description: '' } },
    organizationScopes: { 'plan:read': { description: null } },
    organizationRoles: { owner: { scopes: ['plan:read'], resourceScopes: [] }, buyer: storedBuyer },
  }

  it.each<{ case: string; file: ConfigInput; expected: string[] }>([
    {
      case: 'leaves the role of owners as it is if the file omits it',
      file: { organizationRoles: { buyer: { ...buyer, resourceScopes: { orders: ['read'] } } } },
      expected: [],
    },
    {
      case: 'removes the scopes of owners that the file omits',
      file: { organizationRoles: { owner: {}, buyer: { ...buyer, resourceScopes: { orders: ['read'] } } } },
      expected: ['change organizationRoles owner'],
    },
    {
      case: 'deletes other roles, and scopes after them',
      file: { organizationRoles: {}, organizationScopes: {} },
      expected: ['delete organizationRoles buyer', 'delete organizationScopes plan:read'],
    },
    {
      case: 'creates scopes before the roles that include them',
      file: { organizationRoles: { clerk: { ...buyer, scopes: ['a'] } }, organizationScopes: { a: '' } },
      // The new role has the name of the old one.
      expected: [
        'create organizationScopes a',
        'delete organizationRoles buyer',
        'create organizationRoles clerk',
        'delete organizationScopes plan:read',
      ],
    },
  ])('$case', ({ file, expected }) => {
    const { changes, problems } = plannedChanges(file, { current })
    expect([stepsOf(changes), problems]).toEqual([expected, []])
  })

  it.each<{ case: string; role: OrganizationRole; problem: string }>([
    {
      case: 'an unknown organisation scope',
      role: { ...buyer, scopes: ['plan'] },
      problem: 'there is no organization scope "plan".',
    },
    {
      case: 'an unknown scope of a resource',
      role: { ...buyer, resourceScopes: { orders: ['write'] } },
      problem: 'the resource "orders" has no scope "write".',
    },
    {
      case: 'a scope of a built-in resource',
      role: { ...buyer, resourceScopes: { 'management-api': ['all'] } },
      problem: 'organization roles can\'t include scopes of the built-in resource "management-api".',
    },
  ])('is rejected for $case', ({ role, problem }) => {
    const { problems } = plannedChanges({ organizationRoles: { buyer: role } }, { current })
    expect(problems).toEqual([`organizationRoles.buyer: ${problem}`])
  })

  it('is rejected if the server has no organisations, unless it would change nothing', () => {
    const file = { organizationRoles: { buyer }, organizationScopes: {} }
    const stored = { organizationScopes: { 'plan:read': { description: null } } }
    const update = 'this deployment has an older version without organizations. Update it first.'
    expect(plannedChanges(file, { current: stored, hasOrganizations: false }).problems).toEqual([
      'organizationRoles.buyer: there is no organization scope "plan:read".',
      `organizationRoles: ${update}`,
      `organizationScopes: ${update}`,
    ])
    const empty = { organizationRoles: {}, organizationScopes: {} }
    expect(plannedChanges(empty, { hasOrganizations: false })).toEqual({ changes: [], problems: [] })
  })

  it.each<{ case: string; roles: Record<string, OrganizationRole>; message: string }>([
    {
      case: 'permissions of owners',
      roles: { owner: { permissions: [] } },
      message: 'organizationRoles.owner.permissions belongs to the built-in role of owners',
    },
    {
      case: 'a role without a name',
      roles: { buyer: {} },
      message: 'organizationRoles.buyer.name is required',
    },
  ])('is rejected for $case', ({ roles, message }) => {
    expect(() => plannedChanges({ organizationRoles: roles })).toThrow(message)
  })

  it('is empty for an exported file, which names owners only if they have scopes', () => {
    const { config } = describeAsConfig({ state: { ...freshState, ...current }, factories: [] })
    expect(config).toMatchObject({
      organizationScopes: { 'plan:read': '' },
      organizationRoles: {
        owner: { scopes: ['plan:read'] },
        buyer: { resourceScopes: { orders: ['read'] } },
      },
    })
    const { organizationScopes, organizationRoles } = config
    expect(
      plannedChanges({ organizationScopes, organizationRoles } as ConfigInput, { current }).changes,
    ).toEqual([])
    expect(describeAsConfig({ state: freshState, factories: [] }).config.organizationRoles).toEqual({})
  })
})

describe('a plan’s order', () => {
  it('creates entities before those that depend on them, and deletes in reverse order', () => {
    const { changes } = plannedChanges(
      {
        hooks: { crm: { event: 'PostSignIn', config: { url: 'https://crm.example', retries: 0 } } },
        applications: { shop },
        experience: { signInMode: 'SignIn' },
        phrases: { fr: { action: { sign_in: 'Entrer' } } },
        connectors: { mail: sendgrid({ apiKey: 'x' }) },
        roles: {
          clerk: { name: 'clerk', description: '', scopes: { orders: ['read'] }, applications: ['shop'] },
        },
        resources: { orders: { name: 'Orders', indicator: 'https://orders.example', scopes: { read: '' } } },
      },
      {
        current: {
          resources: { old: { ...orders, indicator: 'https://old.example' } },
          scopes: { 'old/read': { description: '' } },
          roles: { former: { name: 'former', description: '', scopes: ['old/read'] } },
          roleApplications: { former: { applications: ['gone'] } },
          applications: { gone: storedShop },
          hooks: { gone: { events: ['PostSignIn'], config: { url: 'https://gone.example', retries: 0 } } },
          phrases: { it: { action: { sign_in: 'Accedi' } } },
          connectors: { sms: { connectorId: 'http-sms', config: { endpoint: 'https://sms.example' } } },
        },
      },
    )
    expect(stepsOf(changes)).toEqual([
      'create resources orders',
      'create scopes orders/read',
      'create roles clerk',
      'create connectors mail',
      'create phrases fr',
      'change experience',
      'create applications shop',
      'change roleApplications clerk',
      'create hooks crm',
      'delete hooks gone',
      'delete applications gone',
      'delete phrases it',
      'delete connectors sms',
      'delete roles former',
      'delete resources old',
    ])
  })

  it.each<{ case: string; file: ConfigInput; current: Partial<ConfigState>; expected: string[] }>([
    {
      case: 'a connector of the same kind under another id',
      file: { connectors: { mail: sendgrid({ apiKey: 'x' }) } },
      current: { connectors: { 'old-mail': sendgrid({ apiKey: 'x' }) } },
      expected: ['delete connectors old-mail', 'create connectors mail'],
    },
    {
      case: 'a connector of another kind under the same id',
      file: { connectors: { mail: sendgrid({ apiKey: 'x' }) } },
      current: { connectors: { mail: { connectorId: 'http-sms', config: {} } } },
      expected: ['delete connectors mail', 'create connectors mail'],
    },
    {
      case: 'a resource with the same indicator under another id',
      file: { resources: { orders } },
      current: { resources: { o1: orders } },
      expected: ['delete resources o1', 'create resources orders'],
    },
    {
      case: 'a role of the same name under another id',
      file: { roles: { clerk: { name: 'clerk', description: '' } } },
      current: { roles: { r1: { name: 'clerk', description: '', scopes: [] } } },
      expected: ['delete roles r1', 'create roles clerk'],
    },
    {
      case: 'a role that gives up its name',
      file: {
        roles: {
          new: { name: 'c', description: '' },
          a: { name: 'b', description: '' },
          b: { name: 'c2', description: '' },
          c: { name: 'a', description: '' },
        },
      },
      current: { roles: { a: roleNamed('a'), b: roleNamed('b'), c: roleNamed('c') } },
      expected: ['change roles b', 'change roles a', 'change roles c', 'create roles new'],
    },
    {
      case: 'a resource that gives up its indicator',
      file: { resources: { a: { ...orders, indicator: 'urn:b' }, b: { ...orders, indicator: 'urn:c' } } },
      current: {
        resources: { a: { ...orders, indicator: 'urn:a' }, b: { ...orders, indicator: 'urn:b' } },
      },
      expected: ['change resources b', 'change resources a'],
    },
  ])('prevents a conflict with $case', ({ file, current, expected }) => {
    const { changes, problems } = plannedChanges(file, { current })
    expect(stepsOf(changes)).toEqual(expected)
    expect(problems).toEqual([])
  })
})

describe('a plan with secrets', () => {
  const stored = (config: object) => ({ ...sendgrid(config), metadata: {}, syncProfile: false })
  const current = { connectors: { mail: stored({ apiKey: SECRET_PLACEHOLDER, fromEmail: 'a@b.example' }) } }
  const key = { env: 'SENDGRID_KEY' }
  const login = { type: 'login', user: 'post', pass: { env: 'SMTP_PASS' } }
  const smtp = (auth: JsonObject | string) => ({
    connectorId: 'simple-mail-transfer-protocol',
    config: { host: 'mail.example', auth },
  })

  type Row = {
    case: string
    config: object
    env?: Record<string, string>
    updateSecrets?: boolean
    expected: unknown[]
  }
  it.each<Row>([
    { case: 'has a variable that is set', config: { apiKey: key }, env: { SENDGRID_KEY: 'x' }, expected: [] },
    { case: 'has a variable that is not set', config: { apiKey: key }, expected: [] },
    {
      case: 'has an empty variable, with --update-secrets',
      config: { apiKey: key },
      env: { SENDGRID_KEY: '' },
      updateSecrets: true,
      expected: [],
    },
    {
      case: 'has a variable that is set, with --update-secrets',
      config: { apiKey: key },
      env: { SENDGRID_KEY: 'x' },
      updateSecrets: true,
      expected: [['config.apiKey', 'secret null', 'secret SENDGRID_KEY']],
    },
    { case: 'is in the file in plain text', config: { apiKey: 'SG.in-clear' }, expected: [] },
    {
      case: 'is in the file in plain text, with --update-secrets',
      config: { apiKey: 'SG.in-clear' },
      updateSecrets: true,
      expected: [['config.apiKey', 'secret null', 'secret null']],
    },
    { case: 'is missing from the file', config: {}, expected: [['config.apiKey', 'secret null', '(none)']] },
    {
      case: 'is empty in the file',
      config: { apiKey: '' },
      expected: [['config.apiKey', 'secret null', 'secret null']],
    },
    {
      case: 'is unchanged while another field changes',
      config: { apiKey: key, fromEmail: 'c@d.example' },
      expected: [['config.fromEmail', 'a@b.example', 'c@d.example']],
    },
  ])('handles a connector whose secret $case', ({ config, expected, ...options }) => {
    const file = { connectors: { mail: sendgrid({ fromEmail: 'a@b.example', ...config }) } }
    const { changes, problems } = plannedChanges(file, { current, ...options })
    expect(fieldsOf(changes)).toEqual(expected)
    expect(problems).toEqual([])
  })

  const whole = { env: 'SMTP_AUTH' }
  it.each<Omit<Row, 'config'> & { auth: JsonObject }>([
    { case: 'an unchanged password', auth: login, env: { SMTP_PASS: 'x' }, expected: [] },
    { case: 'a password that is not set', auth: login, updateSecrets: true, expected: [] },
    {
      case: 'a password, with --update-secrets',
      auth: login,
      env: { SMTP_PASS: 'x' },
      updateSecrets: true,
      expected: [['config.auth.pass', 'secret null', 'secret SMTP_PASS']],
    },
    {
      case: 'another user name',
      auth: { ...login, user: 'other' },
      env: { SMTP_PASS: 'x' },
      expected: [['config.auth.user', 'post', 'other']],
    },
    // Files that were exported by an earlier version have one variable, which contains JSON.
    { case: 'a variable with the whole login', auth: whole, env: { SMTP_AUTH: '{}' }, expected: [] },
    { case: 'a variable with the whole login that is not set', auth: whole, expected: [] },
    {
      case: 'a variable with the whole login, with --update-secrets',
      auth: whole,
      env: { SMTP_AUTH: '{}' },
      updateSecrets: true,
      expected: [['config.auth', 'secret null', 'secret SMTP_AUTH']],
    },
  ])('compares an SMTP login with $case', ({ auth, expected, ...options }) => {
    const answered = smtp({ ...login, pass: SECRET_PLACEHOLDER })
    const stored = { connectors: { mail: { ...answered, metadata: {}, syncProfile: false } } }
    const plan = plannedChanges({ connectors: { mail: smtp(auth) } }, { current: stored, ...options })
    expect([fieldsOf(plan.changes), plan.problems]).toEqual([expected, []])
  })

  it.each<Omit<Row, 'case' | 'config'>>([
    { env: {}, updateSecrets: true, expected: [] },
    { env: { TOKEN: 'secret-token' }, updateSecrets: false, expected: [] },
    {
      env: { TOKEN: 'secret-token' },
      updateSecrets: true,
      expected: ['user', 'pass'].map((name) => [`config.auth.${name}`, 'secret null', 'secret TOKEN']),
    },
  ])('never shows a token that is both the user and the password: $expected', ({ expected, ...options }) => {
    const token = { env: 'TOKEN' }
    const answered = smtp({ ...login, user: SECRET_PLACEHOLDER, pass: SECRET_PLACEHOLDER })
    const stored = { connectors: { mail: { ...answered, metadata: {}, syncProfile: false } } }
    const file = { connectors: { mail: smtp({ ...login, user: token, pass: token }) } }
    const plan = plannedChanges(file, { current: stored, ...options })
    expect([fieldsOf(plan.changes), plan.problems]).toEqual([expected, []])
  })

  it('requires the secret if a connector’s type changes, even if its id and key stay the same', () => {
    const file = { connectors: { mail: { connectorId: 'resend-email', config: { apiKey: key } } } }
    const { changes, problems } = plannedChanges(file, { current })
    expect(stepsOf(changes)).toEqual(['delete connectors mail', 'create connectors mail'])
    expect(problems).toEqual([expect.stringContaining("SENDGRID_KEY isn't set")])
  })

  it.each([
    { env: {}, sent: SECRET_PLACEHOLDER },
    { env: { KEY: 'new' }, sent: 'new' },
  ])('sends the secret as $sent if other fields change', ({ env, sent }) => {
    const { value, secrets } = resolveSecrets({ apiKey: { env: 'KEY' }, auth: { pass: { env: 'KEY' } } }, env)
    const stored = { apiKey: SECRET_PLACEHOLDER, auth: SECRET_PLACEHOLDER }
    expect(withStoredSecrets(value as JsonObject, stored, [], secrets)).toEqual({
      apiKey: sent,
      auth: sent === SECRET_PLACEHOLDER ? sent : { pass: sent },
    })
  })

  it('never shows a secret, even if the file contains it in plain text', () => {
    const clear: ConfigInput = {
      connectors: { mail: sendgrid({ apiKey: 'SG.in-clear', fromEmail: 'c@d.example' }) },
      hooks: {
        crm: {
          event: 'PostSignIn',
          config: { url: 'https://crm.example', retries: 0, headers: { Authorization: 'Bearer in-clear' } },
        },
      },
      applications: { shop: { ...shop, secret: 'application-in-clear-text' } },
      settings: { storageProvider: { ...s3, accessSecretKey: 's3-in-clear' } },
    }
    const { changes } = plannedChanges(clear, { current, updateSecrets: true })
    const fields = JSON.stringify(changes.map(({ fields }) => fields))
    expect(fields).toContain('c@d.example')
    expect(fields).not.toMatch(/in-clear/)
  })

  describe('in a list', () => {
    const uris = (env: string) => ({
      redirectUris: ['https://shop.example/cb', { env }],
      postLogoutRedirectUris: [],
    })
    const file: ConfigInput = { applications: { shop: { ...shop, oidcClientMetadata: uris('CALLBACK') } } }
    const stored = (...redirectUris: string[]): Partial<ConfigState> => ({
      applications: { shop: { ...storedShop, oidcClientMetadata: { redirectUris } } },
    })
    const secretChange = [['oidcClientMetadata.redirectUris', 'secret null', 'secret CALLBACK']]

    it.each<{
      case: string
      env: Record<string, string>
      current: Partial<ConfigState>
      expected: unknown[]
    }>([
      {
        case: 'that is unchanged',
        env: { CALLBACK: 'https://a.example' },
        current: stored('https://shop.example/cb', 'https://a.example'),
        expected: [],
      },
      {
        case: 'that changes',
        env: { CALLBACK: 'https://a.example' },
        current: stored('https://shop.example/cb', 'https://b.example'),
        expected: secretChange,
      },
      {
        case: 'that is not set, beside an unchanged value',
        env: {},
        current: stored('https://shop.example/cb', 'https://b.example'),
        expected: [],
      },
      {
        case: 'that is not set, beside a changed value',
        env: {},
        current: stored('https://shop.example/old', 'https://b.example'),
        expected: secretChange,
      },
      {
        case: 'that grows',
        env: { CALLBACK: 'https://a.example' },
        current: stored('https://shop.example/cb'),
        expected: secretChange,
      },
    ])('compares a secret $case', ({ expected, ...options }) => {
      expect(fieldsOf(plannedChanges(file, options).changes)).toEqual(expected)
    })
  })

  it('can use a URL as a secret, and keeps it if its variable is not set', () => {
    const config = { url: { env: 'HOOK_URL' }, retries: 0 }
    const stored = { events: ['PostSignIn'], config: { url: 'https://crm.example', retries: 0 } }
    const file: ConfigInput = { hooks: { crm: { event: 'PostSignIn', config } } }
    expect(plannedChanges(file, { current: { hooks: { crm: stored } } })).toEqual({
      changes: [],
      problems: [],
    })
    expect(plannedChanges(file).problems).toEqual([expect.stringContaining("HOOK_URL isn't set")])
  })

  it('hides all values of a connector with an unknown factory', () => {
    const unknown: ConfigInput = {
      connectors: { x: { connectorId: 'of-tomorrow', config: { anything: 'in-clear' } } },
    }
    expect(JSON.stringify(plannedChanges(unknown).changes.map(({ fields }) => fields))).not.toContain(
      'in-clear',
    )
  })

  it.each<{ env: Record<string, string>; updateSecrets: boolean; expected: unknown[] }>([
    { env: {}, updateSecrets: false, expected: [] },
    { env: {}, updateSecrets: true, expected: [] },
    { env: { S3: 'x' }, updateSecrets: false, expected: [] },
    {
      env: { S3: 'x' },
      updateSecrets: true,
      expected: [['storageProvider.accessSecretKey', '(none)', 'secret S3']],
    },
  ])(
    'updates a write-only secret only on request (variables: $env, updateSecrets: $updateSecrets)',
    ({ expected, ...options }) => {
      const storageSecret: ConfigInput = {
        settings: { storageProvider: { ...s3, accessSecretKey: { env: 'S3' } } },
      }
      expect(fieldsOf(plannedChanges(storageSecret, { current: withS3, ...options }).changes)).toEqual(
        expected,
      )
    },
  )
})

describe('social connectors in a plan', () => {
  const github = { connectorId: 'github-universal', config: { clientId: 'g' } }
  const staff = (target: string) => ({ connectorId: 'oidc', config: {}, metadata: { target } })
  const offering = (...targets: string[]): Partial<ConfigState> => ({
    experience: {
      [SINGLETON_ID]: { ...freshState.experience[SINGLETON_ID], socialSignInConnectorTargets: targets },
    },
  })
  const onlySocial = { signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } }
  const stored = (connector: object) => ({ metadata: {}, syncProfile: false, ...connector })

  type Row = {
    case: string
    file: ConfigInput
    current?: Partial<ConfigState>
    expected: string[]
    demoTargets?: string[]
    problem?: RegExp
  }
  it.each<Row>([
    {
      case: 'are created before the experience that offers them, along with demo settings',
      file: {
        experience: { socialSignInConnectorTargets: ['github'] },
        settings: { accountExistence: 'hidden' },
        connectors: { github },
      },
      expected: ['create connectors github', 'change settings', 'change experience'],
    },
    {
      case: 'are deleted after the experience no longer offers them',
      file: { experience: { socialSignInConnectorTargets: [] }, connectors: {} },
      current: { ...offering('github'), connectors: { github: stored(github) } },
      expected: ['change experience', 'delete connectors github'],
    },
    {
      case: 'may share a standard protocol if each has its own target',
      file: { connectors: { a: staff('a'), b: staff('b') } },
      expected: ['create connectors a', 'create connectors b'],
    },
    {
      case: 'are unchanged if null replaces a missing value',
      file: { connectors: { a: staff('a') } },
      current: { connectors: { a: stored({ ...staff('a'), metadata: { target: 'a', logoDark: null } }) } },
      expected: [],
    },
    {
      case: 'are replaced when their target changes',
      file: { connectors: { a: staff('b') } },
      current: { connectors: { a: stored(staff('a')) } },
      expected: ['delete connectors a', 'create connectors a'],
    },
    {
      case: 'can be replaced by another connector for the same target, which remains offered',
      file: { connectors: { neu: staff('staff'), github } },
      current: {
        ...offering('staff', 'github'),
        connectors: { old: stored(staff('staff')), github: stored(github) },
      },
      expected: ['delete connectors old', 'create connectors neu', 'change experience'],
    },
    {
      case: 'can be the only way to sign in',
      file: {
        experience: { ...onlySocial, socialSignInConnectorTargets: ['github'] },
        connectors: { github },
      },
      expected: ['create connectors github', 'change experience'],
    },
    {
      case: 'enable users to sign in only if they are offered',
      file: { experience: onlySocial, connectors: { github } },
      expected: ['create connectors github', 'change experience'],
      problem: /No user could sign in/,
    },
    {
      case: 'cannot be deleted if they are the only way to sign in',
      file: { connectors: {} },
      current: {
        experience: {
          [SINGLETON_ID]: {
            ...freshState.experience[SINGLETON_ID],
            ...onlySocial,
            socialSignInConnectorTargets: ['github'],
          },
        },
        connectors: { github: stored(github) },
      },
      expected: ['delete connectors github'],
      problem: /No user could sign in/,
    },
    {
      case: 'can be demos in development, which do not let users sign in',
      file: { experience: { ...onlySocial, socialSignInConnectorTargets: ['google'] } },
      demoTargets: ['google'],
      expected: ['change experience'],
      problem: /^No user could sign in/,
    },
    {
      case: 'must exist for every offered target',
      file: { experience: { socialSignInConnectorTargets: ['google'] } },
      expected: ['change experience'],
      problem: /no connector has the target "google"/,
    },
    {
      case: 'need a target if they use a standard protocol',
      file: { connectors: { a: { connectorId: 'oidc' } } },
      expected: ['create connectors a'],
      problem: /connectors\.a breaks the rule connector\.should_specify_target/,
    },
    {
      case: 'have a fixed target if they are for a specific provider',
      file: { connectors: { github: { ...github, metadata: { target: 'gh' } } } },
      expected: ['create connectors github'],
      problem: /connector\.cannot_overwrite_metadata_for_non_standard_connector/,
    },
    {
      case: 'must not share a target',
      file: { connectors: { a: staff('github'), github } },
      expected: ['create connectors a', 'create connectors github'],
      problem: /a and github would replace each other/,
    },
  ])('$case', ({ file, current = {}, expected, problem = /^$/, ...options }) => {
    const { changes, problems } = plannedChanges(file, { current, ...options })
    expect(stepsOf(changes)).toEqual(expected)
    expect(problems.join()).toMatch(problem)
  })
})

describe('plan validation', () => {
  const byCode = {
    identifier: 'email',
    password: false,
    verificationCode: true,
    isPasswordPrimary: false,
  } as const
  const codes: Partial<ConfigState> = {
    experience: { [SINGLETON_ID]: { ...freshState.experience[SINGLETON_ID], signIn: { methods: [byCode] } } },
  }
  const mail = { connectors: { mail: sendgrid({ apiKey: 'x' }) } }
  const admin = { applications: { robot: { ...storedShop, isAdmin: true } } }

  type Row = {
    case: string
    file: ConfigInput
    current?: Partial<ConfigState>
    clientId?: string
    expected: RegExp
  }
  it.each<Row>([
    {
      case: 'no sign-in method is left',
      file: { experience: { signIn: { methods: [] } } },
      expected: /No user could sign in/,
    },
    {
      case: 'the connector of the only method is deleted',
      file: { connectors: {} },
      current: { ...codes, ...mail },
      expected: /No user could sign in/,
    },
    {
      case: 'a method needs a connector that does not exist',
      file: { experience: { signIn: { methods: [{ ...byCode, password: true }] } } },
      expected: /sign_in_experiences\.enabled_connector_not_found/,
    },
    {
      case: 'the fallback language is deleted',
      file: { phrases: {} },
      current: {
        phrases: { fr: { action: { sign_in: 'Entrer' } } },
        experience: {
          [SINGLETON_ID]: {
            ...freshState.experience[SINGLETON_ID],
            languageInfo: { autoDetect: true, fallbackLanguage: 'fr' },
          },
        },
      },
      expected: /sign_in_experiences\.unsupported_default_language/,
    },
    {
      case: 'two connectors would replace each other',
      file: { connectors: { a: sendgrid({}), b: { connectorId: 'http-email' } } },
      expected: /a and b would replace each other/,
    },
    {
      case: 'a role contains a scope that does not exist',
      file: { roles: { clerk: { name: 'clerk', description: '', scopes: { orders: ['read'] } } } },
      expected: /the resource "orders" has no scope "read"/,
    },
    {
      case: 'a role is assigned to an application that does not exist',
      file: { roles: { clerk: { name: 'clerk', description: '', applications: ['shop'] } } },
      expected: /there is no application "shop"/,
    },
    {
      case: 'the secret of a new connector is not set',
      file: { connectors: { mail: sendgrid({ apiKey: { env: 'SENDGRID_KEY' } }) } },
      expected: /connectors\.mail: the variable SENDGRID_KEY isn't set/,
    },
    {
      case: 'the secret of a changed storage provider is not set',
      file: { settings: { storageProvider: { ...s3, bucket: 'other', accessSecretKey: { env: 'S3' } } } },
      current: withS3,
      expected: /the variable S3 isn't set/,
    },
    {
      case: 'two roles would exchange their names',
      file: { roles: { a: { name: 'b', description: '' }, b: { name: 'a', description: '' } } },
      current: { roles: { a: roleNamed('a'), b: roleNamed('b') } },
      expected:
        /^roles: b and a would exchange their names\. Give one of them a temporary name first, and apply that\.$/,
    },
    {
      case: 'the application that applies the plan would lose its access',
      file: { applications: { robot: shop } },
      current: admin,
      clientId: 'robot',
      expected: /needs isAdmin: true/,
    },
  ])('rejects the plan because $case', ({ file, current = {}, clientId, expected }) => {
    expect(plannedChanges(file, { current, ...(clientId && { clientId }) }).problems.join()).toMatch(expected)
  })

  it('accepts a plan that leaves an existing problem unchanged', () => {
    expect(plannedChanges({ hooks: {} }, { current: codes }).problems).toEqual([])
  })

  it("keeps a new tenant's default roles unless the file includes them", () => {
    const user = { name: 'user', description: 'May create a tenant', scopes: [] }
    const current = { roles: { user }, roleApplications: { user: { applications: ['shop'] } } }
    expect(plannedChanges({ roles: {} }, { current }).changes).toEqual([])
    const named = plannedChanges({ roles: { user: { name: 'user', description: '' } } }, { current })
    expect(stepsOf(named.changes)).toEqual(['change roles user', 'change roleApplications user'])
  })

  it('keeps the application that applies the plan, and the one that was created with the tenant', () => {
    const planned = (clientId: string) => plannedChanges({ applications: {} }, { current: admin, clientId })
    expect(planned('robot')).toEqual({ changes: [], problems: [] })
    expect(stepsOf(planned('management').changes)).toEqual(['delete applications robot'])
    const { robot } = admin.applications
    const applications = {
      created: { ...robot, ...TENANT_APPLICATION },
      renamed: { ...robot, name: 'Robot' },
    }
    const { changes } = plannedChanges({ applications: {} }, { current: { applications } })
    expect(stepsOf(changes)).toEqual(['delete applications renamed'])
  })

  it('accepts management API scopes', () => {
    const role = { name: 'robots', description: '', scopes: { 'management-api': ['all'] } }
    expect(plannedChanges({ roles: { robots: role } }).problems).toEqual([])
  })
})

describe('a configuration export', () => {
  const current: Partial<ConfigState> = {
    resources: { orders },
    scopes: { 'orders/read': { description: 'Read' }, 'orders/a/b': { description: '' } },
    roles: {
      clerk: { name: 'clerk', description: '', scopes: ['management-api/all', 'orders/a/b', 'orders/read'] },
    },
    roleApplications: { clerk: { applications: ['shop'] } },
    applications: { shop: { ...storedShop, isAdmin: true, customClientMetadata: { idTokenTtl: 60 } } },
    connectors: {
      mail: {
        ...sendgrid({ apiKey: SECRET_PLACEHOLDER, fromEmail: 'a@b.example', templates: [] }),
        metadata: {},
        syncProfile: false,
      },
      staff: {
        connectorId: 'oidc',
        config: { issuer: 'https://staff.example', clientSecret: SECRET_PLACEHOLDER },
        metadata: { target: 'staff', name: { en: 'Staff' }, logoDark: null },
        syncProfile: true,
      },
    },
    hooks: {
      crm: {
        events: ['PostSignIn'],
        config: {
          url: 'https://crm.example',
          retries: 3,
          headers: { 'X-Key': 'secret', 'x-key-2': 'secret' },
        },
      },
    },
    phrases: { fr: { action: { sign_in: 'Entrer' } } },
    experience: {
      [SINGLETON_ID]: { ...freshState.experience[SINGLETON_ID], socialSignInConnectorTargets: ['staff'] },
    },
    ...withS3,
  }

  it('replaces every secret with a variable, and can be applied without changes', () => {
    const { config, variables } = describeAsConfig({
      state: { ...freshState, ...current },
      factories: connectorFactories,
    })
    expect(variables).toEqual([
      'SETTINGS_STORAGE_PROVIDER_ACCESS_SECRET_KEY',
      'CONNECTOR_SENDGRID_API_KEY',
      'CONNECTOR_STAFF_CLIENT_SECRET',
      'HOOK_CRM_X_KEY',
      'HOOK_CRM_X_KEY_2',
    ])
    expect(JSON.stringify(config)).not.toMatch(/\*\*\*|"secret"|made by the server/)
    // A JSON file omits undefined values.
    const file: ConfigInput = JSON.parse(JSON.stringify(config))
    expect(plannedChanges(file, { current })).toEqual({ changes: [], problems: [] })
  })
})
