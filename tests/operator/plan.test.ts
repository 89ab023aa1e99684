import { describe, expect, it } from 'vitest'
import { describe as described } from '../../operator/config/describe.ts'
import type { ConfigInput } from '../../operator/config/file.schema.ts'
import { ONLY, type State } from '../../operator/config/state.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { factories, fieldsOf, fresh, planned, steps } from './settings.ts'

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
const orders = { name: 'Orders', indicator: 'https://orders.example', accessTokenTtl: 3600 }
const sendgrid = (config: object) => ({ connectorId: 'sendgrid-email-service', config: { ...config } })
const s3 = { provider: 'S3Storage', endpoint: 'https://s3.example', bucket: 'b', accessKeyId: 'k' } as const
const withS3 = { settings: { [ONLY]: { ...DEFAULT_TENANT_SETTINGS, storageProvider: s3 } } }

describe('what a plan finds', () => {
  type Row = { case: string; file: ConfigInput; current?: Partial<State>; expected: unknown[] }
  it.each<Row>([
    {
      case: 'nothing in an empty file',
      file: {},
      current: { applications: { old: storedShop } },
      expected: [],
    },
    {
      case: 'an application that is new, column by column',
      file: { applications: { shop } },
      expected: [
        ['name', '(none)', 'Shop'],
        ['type', '(none)', 'Traditional'],
        ['oidcClientMetadata.redirectUris', '(none)', ['https://shop.example/cb']],
        ['isAdmin', '(none)', false],
      ],
    },
    {
      case: 'no difference between what is left out and what it is by itself',
      file: { applications: { shop } },
      current: { applications: { shop: storedShop } },
      expected: [],
    },
    {
      case: 'what is left out of a thing and was there',
      file: { applications: { shop } },
      current: { applications: { shop: { ...storedShop, customClientMetadata: { idTokenTtl: 60 } } } },
      expected: [['customClientMetadata.idTokenTtl', 60, '(none)']],
    },
    {
      case: 'one column of the experience and not the others',
      file: { experience: { signInMode: 'SignIn' } },
      expected: [['signInMode', 'SignInAndRegister', 'SignIn']],
    },
    {
      case: 'a column of the experience that is emptied',
      file: { experience: { customCss: null } },
      current: { experience: { [ONLY]: { ...fresh.experience[ONLY], customCss: 'a{}' } } },
      expected: [['customCss', 'a{}', '(none)']],
    },
    {
      case: 'the field of the method that differs',
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
      case: 'no order in the scopes of a role',
      file: { roles: { clerk: { name: 'clerk', description: '', scopes: { orders: ['b', 'a'] } } } },
      current: {
        roles: { clerk: { name: 'clerk', description: '', scopes: ['orders/a', 'orders/b'] } },
        roleApplications: { clerk: { applications: [] } },
        scopes: { 'orders/a': { description: '' }, 'orders/b': { description: '' } },
      },
      expected: [],
    },
    {
      case: 'phrases of the language visitors fall back to, which can only be emptied',
      file: { phrases: {} },
      current: { phrases: { en: { action: { sign_in: 'Come in' } } } },
      expected: [['action.sign_in', 'Come in', '(none)']],
    },
    {
      case: 'no such phrases when they are empty already',
      file: { phrases: {} },
      current: { phrases: { en: {} } },
      expected: [],
    },
    {
      case: 'no phrase that says nothing',
      file: { phrases: { fr: { action: { sign_in: 'Entrer', cancel: '' } } } },
      current: { phrases: { fr: { action: { sign_in: 'Entrer' } } } },
      expected: [],
    },
  ])('$case', ({ file, current = {}, expected }) => {
    expect(fieldsOf(planned(file, { current }).changes)).toEqual(expected)
  })
})

describe('the order of a plan', () => {
  it('creates what is needed before what needs it, and deletes the other way round', () => {
    const { changes } = planned(
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
          hooks: { gone: { event: 'PostSignIn', config: { url: 'https://gone.example', retries: 0 } } },
          phrases: { it: { action: { sign_in: 'Accedi' } } },
          connectors: { sms: { connectorId: 'http-sms', config: { endpoint: 'https://sms.example' } } },
        },
      },
    )
    expect(steps(changes)).toEqual([
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

  it.each<{ case: string; file: ConfigInput; current: Partial<State>; expected: string[] }>([
    {
      case: 'the same kind of connector under another id',
      file: { connectors: { mail: sendgrid({ apiKey: 'x' }) } },
      current: { connectors: { 'old-mail': sendgrid({ apiKey: 'x' }) } },
      expected: ['delete connectors old-mail', 'create connectors mail'],
    },
    {
      case: 'another kind of connector under the same id',
      file: { connectors: { mail: sendgrid({ apiKey: 'x' }) } },
      current: { connectors: { mail: { connectorId: 'http-sms', config: {} } } },
      expected: ['delete connectors mail', 'create connectors mail'],
    },
    {
      case: 'the same indicator under another id',
      file: { resources: { orders } },
      current: { resources: { o1: orders } },
      expected: ['delete resources o1', 'create resources orders'],
    },
    {
      case: 'the same name of a role under another id',
      file: { roles: { clerk: { name: 'clerk', description: '' } } },
      current: { roles: { r1: { name: 'clerk', description: '', scopes: [] } } },
      expected: ['delete roles r1', 'create roles clerk'],
    },
  ])('makes room first for $case', ({ file, current, expected }) => {
    expect(steps(planned(file, { current }).changes)).toEqual(expected)
  })
})

describe('secrets in a plan', () => {
  const file: ConfigInput = { connectors: { mail: sendgrid({ apiKey: { env: 'SENDGRID_KEY' } }) } }
  const current = {
    connectors: { mail: { ...sendgrid({ apiKey: 'SG.old' }), metadata: {}, syncProfile: false } },
  }

  it.each<{ case: string; env: Record<string, string>; expected: unknown[] }>([
    { case: 'is as the variable says', env: { SENDGRID_KEY: 'SG.old' }, expected: [] },
    {
      case: 'has another variable',
      env: { SENDGRID_KEY: 'SG.new' },
      expected: [['config.apiKey', 'secret null', 'secret SENDGRID_KEY']],
    },
    { case: 'has a variable that is not set', env: {}, expected: [] },
    { case: 'has an empty variable', env: { SENDGRID_KEY: '' }, expected: [] },
  ])('a connector whose secret $case', ({ env, expected }) => {
    const { changes, problems } = planned(file, { current, env })
    expect(fieldsOf(changes)).toEqual(expected)
    expect(problems).toEqual([])
  })

  it('never shows one, not even where the file has it in clear', () => {
    const clear: ConfigInput = {
      connectors: { mail: sendgrid({ apiKey: 'SG.in-clear', fromEmail: 'a@b.example' }) },
      hooks: {
        crm: {
          event: 'PostSignIn',
          config: { url: 'https://crm.example', retries: 0, headers: { Authorization: 'Bearer in-clear' } },
        },
      },
      applications: { shop: { ...shop, secret: 'app-in-clear' } },
      settings: { storageProvider: { ...s3, accessSecretKey: 's3-in-clear' } },
    }
    const { changes } = planned(clear, { current })
    const shown = JSON.stringify(changes.map(({ fields }) => fields))
    expect(shown).toContain('a@b.example')
    expect(shown).not.toMatch(/in-clear|SG\.old/)
  })

  it('shows nothing of a connector of a kind that nobody knows', () => {
    const unknown: ConfigInput = {
      connectors: { x: { connectorId: 'of-tomorrow', config: { anything: 'in-clear' } } },
    }
    expect(JSON.stringify(planned(unknown).changes.map(({ fields }) => fields))).not.toContain('in-clear')
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
    'a secret that is not told again, with $env and updateSecrets $updateSecrets',
    ({ expected, ...options }) => {
      const untold: ConfigInput = { settings: { storageProvider: { ...s3, accessSecretKey: { env: 'S3' } } } }
      expect(fieldsOf(planned(untold, { current: withS3, ...options }).changes)).toEqual(expected)
    },
  )
})

describe('a plan that must not be begun', () => {
  const byCode = {
    identifier: 'email',
    password: false,
    verificationCode: true,
    isPasswordPrimary: false,
  } as const
  const codes: Partial<State> = {
    experience: { [ONLY]: { ...fresh.experience[ONLY], signIn: { methods: [byCode] } } },
  }
  const mail = { connectors: { mail: sendgrid({ apiKey: 'x' }) } }
  const admin = { applications: { robot: { ...storedShop, isAdmin: true } } }

  type Row = {
    case: string
    file: ConfigInput
    current?: Partial<State>
    clientId?: string
    expected: RegExp
  }
  it.each<Row>([
    {
      case: 'no method is left',
      file: { experience: { signIn: { methods: [] } } },
      expected: /Nobody could sign in/,
    },
    {
      case: 'the connector of the only method goes',
      file: { connectors: {} },
      current: { ...codes, ...mail },
      expected: /Nobody could sign in/,
    },
    {
      case: 'a method needs a connector that is not there',
      file: { experience: { signIn: { methods: [{ ...byCode, password: true }] } } },
      expected: /sign_in_experiences\.enabled_connector_not_found/,
    },
    {
      case: 'the language visitors fall back to goes',
      file: { phrases: {} },
      current: {
        phrases: { fr: { action: { sign_in: 'Entrer' } } },
        experience: {
          [ONLY]: { ...fresh.experience[ONLY], languageInfo: { autoDetect: true, fallbackLanguage: 'fr' } },
        },
      },
      expected: /sign_in_experiences\.unsupported_default_language/,
    },
    {
      case: 'two connectors take each other’s place',
      file: { connectors: { a: sendgrid({}), b: { connectorId: 'http-email' } } },
      expected: /a and b would take each other's place/,
    },
    {
      case: 'a role names a scope that is not there',
      file: { roles: { clerk: { name: 'clerk', description: '', scopes: { orders: ['read'] } } } },
      expected: /the resource "orders" has no scope "read"/,
    },
    {
      case: 'a role names an application that is not there',
      file: { roles: { clerk: { name: 'clerk', description: '', applications: ['shop'] } } },
      expected: /there is no application "shop"/,
    },
    {
      case: 'a new connector has a secret nobody knows',
      file: { connectors: { mail: sendgrid({ apiKey: { env: 'SENDGRID_KEY' } }) } },
      expected: /connectors\.mail: the variable SENDGRID_KEY is not set/,
    },
    {
      case: 'a storage provider changes whose secret nobody knows',
      file: { settings: { storageProvider: { ...s3, bucket: 'other', accessSecretKey: { env: 'S3' } } } },
      current: withS3,
      expected: /the variable S3 is not set/,
    },
    {
      case: 'the application that applies it goes',
      file: { applications: {} },
      current: admin,
      clientId: 'robot',
      expected: /"robot" is what this command signs in with/,
    },
    {
      case: 'the application that applies it loses its power',
      file: { applications: { robot: shop } },
      current: admin,
      clientId: 'robot',
      expected: /needs isAdmin: true/,
    },
  ])('because $case', ({ file, current = {}, clientId, expected }) => {
    expect(planned(file, { current, ...(clientId && { clientId }) }).problems.join()).toMatch(expected)
  })

  it('is no plan that leaves alone what was wrong before', () => {
    expect(planned({ hooks: {} }, { current: codes }).problems).toEqual([])
  })

  it('leaves alone the roles every tenant starts with, unless it names them', () => {
    const user = { name: 'user', description: 'May create a tenant', scopes: [] }
    const current = { roles: { user }, roleApplications: { user: { applications: ['shop'] } } }
    expect(planned({ roles: {} }, { current }).changes).toEqual([])
    const named = planned({ roles: { user: { name: 'user', description: '' } } }, { current })
    expect(steps(named.changes)).toEqual(['change roles user', 'change roleApplications user'])
  })

  it('may name scopes of the management API', () => {
    const role = { name: 'robots', description: '', scopes: { 'management-api': ['all'] } }
    expect(planned({ roles: { robots: role } }).problems).toEqual([])
  })
})

describe('a deployment described as a file', () => {
  const current: Partial<State> = {
    resources: { orders },
    scopes: { 'orders/read': { description: 'Read' }, 'orders/a/b': { description: '' } },
    roles: {
      clerk: { name: 'clerk', description: '', scopes: ['management-api/all', 'orders/a/b', 'orders/read'] },
    },
    roleApplications: { clerk: { applications: ['shop'] } },
    applications: { shop: { ...storedShop, isAdmin: true, customClientMetadata: { idTokenTtl: 60 } } },
    connectors: {
      mail: {
        ...sendgrid({ apiKey: 'SG.secret', fromEmail: 'a@b.example', templates: [] }),
        metadata: {},
        syncProfile: false,
      },
    },
    hooks: {
      crm: {
        event: 'PostSignIn',
        config: {
          url: 'https://crm.example',
          retries: 3,
          headers: { 'X-Key': 'secret', 'x-key-2': 'secret' },
        },
      },
    },
    phrases: { fr: { action: { sign_in: 'Entrer' } } },
    ...withS3,
  }

  it('names every secret by a variable, and is what it describes', () => {
    const { config, variables } = described({ state: { ...fresh, ...current }, factories })
    expect(variables).toEqual([
      'SETTINGS_STORAGE_PROVIDER_ACCESS_SECRET_KEY',
      'CONNECTORS_MAIL_CONFIG_API_KEY',
      'HOOKS_CRM_CONFIG_HEADERS_X_KEY',
      'HOOKS_CRM_CONFIG_HEADERS_X_KEY_2',
    ])
    expect(JSON.stringify(config)).not.toMatch(/SG\.secret|"secret"|made by the server/)
    // The description is JSON: this is what reading the file gives.
    const file: ConfigInput = JSON.parse(JSON.stringify(config))
    expect(planned(file, { current })).toEqual({ changes: [], problems: [] })
  })
})
