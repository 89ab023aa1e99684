import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type ReadApi, readState } from '../../../operator/config/current-state.ts'
import { computeFingerprint } from '../../../operator/config/fingerprint.ts'
import { callApi, runCommand, runProcess, workFolder } from './commands.ts'

const folder = workFolder()
const fileAt = (name: string) => path.join(folder, name)
const helpers = path.relative(folder, path.resolve('operator/config/define-config.ts'))

let fileCount = 0

/** Writes a settings file under a new name, because imported modules are cached. */
function write(config: string): string {
  const file = fileAt(`${++fileCount}.config.ts`)
  writeFileSync(
    file,
    `import { defineConfig, secret } from '${helpers}'\nexport default defineConfig(${config})\n`,
  )
  return file
}

const env = {
  SENDGRID_KEY: 'SG.of-the-test',
  CRM_TOKEN: 'Bearer of-the-test',
  STAFF_SECRET: 'staff of-the-test',
  SMTP_PASS: 'smtp of-the-test',
}

/** The key set of an application that signs its requests. */
const bankKeys = {
  keys: [
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
      kid: 'bank-1',
      use: 'sig',
      alg: 'ES256',
    },
  ],
}

const whole = (changes: Record<string, string> = {}) => {
  const sections: Record<string, string> = {
    experience: `{
      color: { primaryColor: '#123456', isDarkModeEnabled: true, darkPrimaryColor: '#abcdef' },
      languageInfo: { autoDetect: true, fallbackLanguage: 'fr' },
      signIn: { methods: [
        { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
        { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false },
      ] },
      socialSignInConnectorTargets: ['staff', 'google'],
    }`,
    settings: `{ accountExistence: 'hidden', administratorsNeedSecondFactor: true, previewOrigins: ['https://console.example'],
      accountCentre: { enabled: true, fields: { email: 'readOnly' },
        customFields: [{ type: 'select', key: 'size', label: { en: 'Shirt', fr: 'Chemise' },
          options: [{ value: 'm', label: { en: 'Medium' } }] }] },
      secondFactor: { policy: 'optional', factors: ['totp'], rememberDays: 7 },
      unregisteredClients: { enabled: true, resources: ['https://orders.example'], scopes: ['openid', 'profile'] },
      passkeys: { enabled: true, rpId: 'localhost', manageUrl: 'https://console.example/passkeys' },
      demoSocial: [{ provider: 'google', name: 'Google', logo: 'https://console.example/g.png', clientId: 'demo' }] }`,
    connectors: `{ mail: { connectorId: 'sendgrid-email-service',
      config: { apiKey: secret('SENDGRID_KEY'), fromEmail: 'no-reply@mail.example' } },
      staff: { connectorId: 'oidc', syncProfile: true,
        metadata: { target: 'staff', name: { en: 'Staff' }, logo: 'https://staff.example/logo.png', logoDark: null },
        config: { issuer: 'https://staff.example', clientId: 'us', clientSecret: secret('STAFF_SECRET') } } }`,
    resources: `{ orders: { name: 'Orders', indicator: 'https://orders.example',
      claims: { permissions: '$.scopes', tenant: { name: 'acme', plan: ['gold', 1] } },
      scopes: { 'orders:read': 'Read orders', 'orders:write': 'Write orders' } } }`,
    roles: `{ clerk: { name: 'Clerk', description: 'Works the counter', secondFactorPolicy: 'optional',
      scopes: { orders: ['orders:read', 'orders:write'], 'management-api': ['all'] }, applications: ['robot'] } }`,
    applications: `{
      shop: { name: 'Shop', type: 'Traditional', description: 'The shop', secondFactorPolicy: 'required',
        claims: { department: '$.customData.department' },
        oidcClientMetadata: { redirectUris: ['https://shop.example/cb'], logoUri: 'https://shop.example/l.png' },
        customClientMetadata: { idTokenTtl: 600, deviceFlow: true, corsAllowedOrigins: ['https://shop.example/path'] } },
      bank: { name: 'Bank', type: 'Traditional', oidcClientMetadata: { redirectUris: ['https://bank.example/cb'] },
        customClientMetadata: { fapi2: true, jwks: ${JSON.stringify(bankKeys)} } },
      broker: { name: 'Broker', type: 'Traditional', oidcClientMetadata: { redirectUris: ['https://broker.example/cb'] },
        customClientMetadata: { jwksUri: 'https://broker.example/keys', tokenExchangeClients: ['shop'],
          tokenExchangeResources: ['https://orders.example'], tokenExchangeScopes: ['orders:read'] } },
      robot: { name: 'Robot', type: 'MachineToMachine', isAdmin: true, secret: 'a-robot-known-by-the-file' },
    }`,
    hooks: `{ crm: { event: 'PostSignIn',
      config: { url: 'https://crm.example/hook', retries: 1, headers: { authorization: secret('CRM_TOKEN') } } } }`,
    phrases: `{ fr: { action: { sign_in: 'Entrer' } } }`,
    organizationScopes: `{ 'members:export': 'Export the members', 'plan:read': '' }`,
    organizationRoles: `{ owner: { scopes: ['plan:read'] },
      buyer: { name: 'Buyer', permissions: ['members:read'], scopes: ['members:export', 'plan:read'],
        resourceScopes: { orders: ['orders:read'] } } }`,
    ...changes,
  }
  return `{ ${Object.entries(sections)
    .map(([name, section]) => `${name}: ${section}`)
    .join(',\n')} }`
}

type Managed = { sections: string[]; fingerprint: string; appliedAt: number }

/** Returns the fingerprint of the configuration that the API returns to the console. */
async function currentFingerprint(sections: string[]): Promise<string> {
  const read = (_: string, path: string, query: Readonly<Record<string, string>> = {}) =>
    callApi('GET', `/${path}?${new URLSearchParams(query)}`)
  return computeFingerprint(await readState(read as ReadApi), sections)
}

describe('settings as code', { timeout: 120_000 }, () => {
  beforeAll(() => runCommand('config', ['export', '--file', fileAt('before.ts')]))

  it('are planned and applied, and then match the deployment', async () => {
    const file = write(whole())
    const planned = await runProcess('config', ['plan', '--file', file, '--exit-code'], { env })
    expect(planned.code).toBe(3)
    expect((await runCommand('config', ['plan', '--file', file], { env })).code).toBe(0)
    expect(planned.stdout).toContain('+ applications.shop\n    name: "Shop"\n')
    expect(planned.stdout).toContain('    config.apiKey: (secret SENDGRID_KEY)\n')
    expect(planned.stdout).toContain('    color.primaryColor: "#6139F6" -> "#123456"\n')
    expect(planned.stdout).toContain('15 to create, 4 to change, ')
    expect(planned.stdout + planned.stderr).not.toMatch(/of-the-test|\[\d+m/)

    const unconfirmed = await runCommand('config', ['apply', '--file', file], { env })
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
    expect(await callApi('GET', '/applications')).toEqual([])

    // Other test files may leave empty phrases for the fallback language, because these cannot be deleted.
    const applied = await runProcess('config', ['apply', '--file', file, '--yes', '--allow-delete'], { env })
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect(applied.stdout).toMatch(
      /created resources\.orders\n[\s\S]*changed settings\nchanged experience\n[\s\S]*created hooks\.crm\n[\s\S]*Done\. /,
    )

    expect(await callApi('GET', '/applications/shop')).toMatchObject({
      oidcClientMetadata: { redirectUris: ['https://shop.example/cb'] },
      customClientMetadata: {
        idTokenTtl: 600,
        deviceFlow: true,
        corsAllowedOrigins: ['https://shop.example'],
      },
      claims: { department: '$.customData.department' },
      isAdmin: false,
    })
    expect(await callApi('GET', '/resources/orders')).toMatchObject({
      claims: { permissions: '$.scopes', tenant: { name: 'acme', plan: ['gold', 1] } },
    })
    expect(await callApi('GET', '/applications/bank')).toMatchObject({
      customClientMetadata: { fapi2: true, jwks: bankKeys },
    })
    expect(await callApi('GET', '/applications/broker')).toMatchObject({
      customClientMetadata: {
        jwksUri: 'https://broker.example/keys',
        tokenExchangeClients: ['shop'],
        tokenExchangeResources: ['https://orders.example'],
        tokenExchangeScopes: ['orders:read'],
      },
    })
    expect(await callApi('GET', '/configs/settings')).toMatchObject({
      unregisteredClients: {
        enabled: true,
        resources: ['https://orders.example'],
        scopes: ['openid', 'profile'],
      },
    })
    expect(await callApi('GET', '/applications/robot')).toMatchObject({ isAdmin: true })
    const scopes = await callApi<{ name: string }[]>('GET', '/roles/clerk/scopes')
    expect(scopes.map(({ name }) => name).toSorted()).toEqual(['all', 'orders:read', 'orders:write'])
    expect(await callApi('GET', '/roles/clerk/applications')).toEqual([
      expect.objectContaining({ id: 'robot' }),
    ])
    expect(await callApi('GET', '/connectors/mail')).toMatchObject({ config: { apiKey: '********' } })
    expect(await callApi('GET', '/connectors/staff')).toMatchObject({ type: 'Social', target: 'staff' })
    expect(await callApi('GET', '/sign-in-exp')).toMatchObject({
      socialSignInConnectorTargets: ['staff', 'google'],
    })
    expect(await callApi('GET', '/hooks/crm')).toMatchObject({
      config: { headers: { authorization: 'Bearer of-the-test' } },
    })
    expect(await callApi('GET', '/organization-roles')).toMatchObject([
      { id: 'owner', name: 'owner' },
      { id: 'buyer', name: 'Buyer', description: null, permissions: ['members:read'] },
    ])
    expect(await callApi('GET', '/organization-roles/buyer/scopes')).toMatchObject([
      { name: 'members:export', description: 'Export the members' },
      { name: 'plan:read', description: null },
    ])
    expect(await callApi('GET', '/organization-roles/buyer/resource-scopes')).toMatchObject([
      { name: 'orders:read', indicator: 'https://orders.example' },
    ])
    expect(await callApi('GET', '/organization-roles/owner/scopes')).toMatchObject([{ name: 'plan:read' }])

    expect(await callApi('GET', '/configs/settings')).toMatchObject({
      accountCentre: {
        enabled: true,
        fields: { email: 'readOnly', phone: 'edit' },
        customFields: [{ key: 'size', label: { fr: 'Chemise' }, access: 'edit', required: false }],
      },
      secondFactor: { policy: 'optional', factors: ['totp'], rememberDays: 7 },
      administratorsNeedSecondFactor: true,
      unregisteredClients: {
        enabled: true,
        resources: ['https://orders.example'],
        scopes: ['openid', 'profile'],
      },
      passkeys: { enabled: true, rpId: 'localhost', manageUrl: 'https://console.example/passkeys' },
    })

    // The stored fingerprint matches the configuration that the console reads, because nothing has changed.
    const everything = ['resources', 'roles', 'connectors', 'phrases', 'settings', 'experience']
    const record = await callApi<Managed>('GET', '/configs/code')
    const others = ['applications', 'hooks', 'organizationScopes', 'organizationRoles']
    expect(record.sections.toSorted()).toEqual([...everything, ...others].toSorted())
    expect(record.fingerprint).toBe(await currentFingerprint(record.sections))
    await callApi('PATCH', '/configs/settings', { accountExistence: 'friendly' })
    expect(record.fingerprint).not.toBe(await currentFingerprint(record.sections))
    await callApi('PATCH', '/configs/settings', { accountExistence: 'hidden' })
    await callApi('DELETE', '/configs/code')

    const again = await runCommand('config', ['apply', '--file', file, '--yes', '--json'], { env })
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { done: [], failed: null, notDone: [] }])
    const renewed = await callApi<Managed>('GET', '/configs/code')
    expect(renewed).toMatchObject({ sections: record.sections, fingerprint: record.fingerprint })
  })

  it('include the pictures of the brand, which lie in a folder beside the file', async () => {
    const { branding } = await callApi<{ branding: object }>('GET', '/sign-in-exp')
    const content = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>'
    const name = `${createHash('sha256').update(content).digest('base64url')}.svg`
    const address = `/assets/brand/${name}`
    const file = write(`{ experience: { branding: { name: 'Acme', logoUrl: '${address}' } } }`)
    const apply = () => runCommand('config', ['apply', '--file', file, '--yes'])
    const picture = fileAt(`pictures/${name}`)
    expect((await apply()).stderr).toContain(`and there is no file pictures/${name}.`)
    mkdirSync(path.dirname(picture))
    writeFileSync(picture, '<svg/>')
    expect((await apply()).stderr).toContain(`the file pictures/${name} has changed`)
    writeFileSync(picture, content)
    expect((await apply()).stdout).toContain(`+ picture ${name}\n`)
    const served = await fetch(inject('origin') + address)
    expect([served.headers.get('content-type'), await served.text()]).toEqual(['image/svg+xml', content])

    const exported = fileAt('elsewhere/exported.json')
    mkdirSync(path.dirname(exported))
    const { stdout } = await runCommand('config', ['export', '--file', exported])
    expect(stdout).toContain(`exported.json, pictures/${name}.`)
    expect(readFileSync(fileAt(`elsewhere/pictures/${name}`), 'utf8')).toBe(content)
    const again = await runCommand('config', ['plan', '--file', exported, '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ pictures: [], problems: [] })
    await callApi('PATCH', '/sign-in-exp', { branding })
  })

  it('exclude self-registered clients', async () => {
    const { clientRegistration } = await callApi<{ clientRegistration: object }>('GET', '/configs/settings')
    await callApi('PATCH', '/configs/settings', { clientRegistration: { enabled: true } })
    const { id, token } = await callApi<{ id: string; token: string }>('POST', '/registration-tokens', {
      name: 'Agents',
    })
    const registered = await fetch(`${inject('origin')}/oidc/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Agent', redirect_uris: ['https://agent.example/back'] }),
    })
    const { client_id: clientId }: { client_id: string } = await registered.json()
    const exported = await runCommand('config', ['export', '--file', fileAt('registered.json')])
    expect([registered.status, exported.code]).toEqual([201, 0])
    expect(readFileSync(fileAt('registered.json'), 'utf8')).not.toContain(clientId)

    await callApi('DELETE', `/applications/${clientId}`)
    await callApi('DELETE', `/registration-tokens/${id}`)
    await callApi('PATCH', '/configs/settings', { clientRegistration })
  })

  it.each(['exported.ts', 'exported.json'])(
    'are exported to %s, which can be applied without changes',
    async (name) => {
      const exported = await runCommand('config', ['export', '--file', fileAt(name)])
      expect(exported.code).toBe(0)
      const text = readFileSync(fileAt(name), 'utf8')
      expect(text).toContain('CONNECTOR_SENDGRID_MAIL_API_KEY')
      expect(text).not.toContain('of-the-test')

      expect(text).not.toContain('demo-google')

      // If the variables are not set, stored secrets are kept. If they are set, secrets are compared if the server
      // returns them.
      const secrets = {
        CONNECTOR_SENDGRID_MAIL_API_KEY: env.SENDGRID_KEY,
        HOOK_CRM_AUTHORIZATION: env.CRM_TOKEN,
      }
      for (const variables of [{}, secrets]) {
        const { code, stdout } = await runCommand('config', ['plan', '--file', fileAt(name), '--json'], {
          env: variables,
        })
        expect([code, JSON.parse(stdout)]).toMatchObject([0, { changes: [], problems: [] }])
      }
      const { stdout } = await runCommand(
        'config',
        ['plan', '--file', fileAt(name), '--json', '--update-secrets'],
        { env: secrets },
      )
      expect(JSON.parse(stdout).changes).toEqual([
        {
          action: 'change',
          name: 'connectors.mail',
          fields: [
            {
              path: 'config.apiKey',
              before: { secret: null },
              after: { secret: 'CONNECTOR_SENDGRID_MAIL_API_KEY' },
            },
          ],
        },
      ])

      const withoutForce = await runCommand('config', ['export', '--file', fileAt(name)])
      expect([withoutForce.code, withoutForce.stderr]).toEqual([2, expect.stringContaining('--force')])
    },
  )

  it('change and remove templates of claims as a whole, and check them before anything is applied', async () => {
    const withClaims = (claims: string) =>
      write(
        `{ resources: { orders: { name: 'Orders', indicator: 'https://orders.example', ${claims}
          scopes: { 'orders:read': 'Read orders', 'orders:write': 'Write orders' } } } }`,
      )
    const claimsAfter = async (claims: string) => {
      const applied = await runCommand('config', ['apply', '--file', withClaims(claims), '--yes'], { env })
      expect(applied).toMatchObject({ code: 0, stderr: '' })
      return (await callApi<{ claims: unknown }>('GET', '/resources/orders')).claims
    }
    const changed = { permissions: '$.scopes', tenant: { name: 'acme' } }
    expect(await claimsAfter(`claims: ${JSON.stringify(changed)},`)).toEqual(changed)

    const invalid = withClaims(`claims: { iss: 'x', a: '$.password' },`)
    const planned = await runCommand('config', ['plan', '--file', invalid], { env })
    expect(planned.code).not.toBe(0)
    expect(planned.stdout + planned.stderr).toContain('resources.orders.claims.iss')
    expect(planned.stdout + planned.stderr).toContain(
      'is reserved, because tokens have a claim of this name already',
    )

    expect(await claimsAfter('')).toBeNull()
    const whole = { permissions: '$.scopes', tenant: { name: 'acme', plan: ['gold', 1] } }
    expect(await claimsAfter(`claims: ${JSON.stringify(whole)},`)).toEqual(whole)
  })

  it('keep write-only secrets, or update them on request', async () => {
    const authorizations: (string | undefined)[] = []
    const provider = createServer((request, response) => {
      authorizations.push(request.headers.authorization)
      request.resume().on('end', () => response.end())
    })
    await once(provider.listen(0, 'localhost'), 'listening')
    const address = provider.address()
    const endpoint = `http://localhost:${address && typeof address === 'object' ? address.port : 0}/`
    const file = (more: string) =>
      write(
        `{ connectors: {
          sms: { connectorId: 'http-sms', config: { endpoint: '${endpoint}${more}', secret: secret('SMS_TOKEN') } },
          mail: { connectorId: 'simple-mail-transfer-protocol', config: { host: 'mail.example', port: 587,
              fromEmail: 'a@b.example', auth: { user: 'post', pass: secret('SMTP_PASS') } } },
          staff: { connectorId: 'oidc', metadata: { target: 'staff' },
              config: { issuer: 'https://staff.example', clientId: 'us', clientSecret: secret('STAFF_SECRET') } } } }`,
      )
    /** Returns the stored secret that the provider receives. */
    async function stored() {
      await callApi('POST', '/connectors/http-sms/test', {
        config: { endpoint, secret: '********' },
        phone: '491701234567',
      })
      return authorizations.at(-1)
    }
    const apply = (more: string, variables: object, ...options: string[]) =>
      runCommand('config', ['apply', '--file', file(more), '--yes', '--allow-delete', ...options], {
        env: { ...env, ...variables },
      })
    try {
      expect(await apply('', { SMS_TOKEN: 'first' })).toMatchObject({ code: 0, stderr: '' })
      expect(await stored()).toBe('Bearer first')
      const nothing = 'No changes: the deployment matches the file.\n'
      expect(await apply('', { SMS_TOKEN: 'second' })).toMatchObject({ code: 0, stdout: nothing })
      expect((await apply('a', {})).code).toBe(0)
      expect(await stored()).toBe('Bearer first')
      expect((await apply('b', { SMS_TOKEN: 'second' })).code).toBe(0)
      expect(await stored()).toBe('Bearer second')
      expect((await apply('b', { SMS_TOKEN: 'third' }, '--update-secrets')).code).toBe(0)
      expect(await stored()).toBe('Bearer third')
      expect((await apply('b', { SMS_TOKEN: 'third' })).stdout).toBe(nothing)

      const [exported, other, former] = [fileAt('login.ts'), fileAt('other.ts'), fileAt('former.ts')]
      await runCommand('config', ['export', '--file', exported])
      const text = readFileSync(exported, 'utf8')
      expect(text).toMatch(/auth: \{\s*user: 'post',\s*pass: secret\('CONNECTOR_SMTP_AUTH_PASS'\),?\s*\}/)
      const moved = text.replace("host: 'mail.example'", "host: 'm.example'")
      writeFileSync(other, moved)
      const args = (file: string) => ['apply', '--file', file, '--yes', '--update-secrets']
      // A connector that is moved to another server loses its secret (ADR-0062).
      const withoutLogin = await runCommand('config', args(other))
      expect(withoutLogin.code).toBe(1)
      expect(withoutLogin.stderr).toMatch(/we keep the stored values: .*CONNECTOR_SMTP_AUTH_PASS/)
      expect(withoutLogin.stderr).toContain('`config.auth.pass` must be entered again')
      // In files that were exported by an earlier version, one variable contains the whole login as JSON.
      const login = JSON.stringify({ user: 'other', pass: 'x' })
      writeFileSync(former, moved.replace(/auth: \{[^}]*\}/, "auth: secret('CONNECTOR_SMTP_AUTH')"))
      const sent = await runCommand('config', args(former), { env: { CONNECTOR_SMTP_AUTH: login } })
      expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('changed connectors.mail') })
    } finally {
      provider.close()
    }
    expect(
      (await runCommand('config', ['apply', '--file', write(whole()), '--yes', '--allow-delete'], { env }))
        .code,
    ).toBe(0)
  })

  it('are applied with deletions only if deletions are allowed', async () => {
    const file = write(
      whole({
        resources: `{ orders: { name: 'All orders', indicator: 'https://orders.example', scopes: { 'orders:read': 'Look' } } }`,
        roles: `{ clerk: { name: 'Clerk', description: '', scopes: { orders: ['orders:read'] } } }`,
        applications: `{ shop: { name: 'Shop', type: 'Traditional', oidcClientMetadata: { redirectUris: ['https://shop.example/cb'] } } }`,
        hooks: `{ crm: { event: 'PostRegister', config: { url: 'https://crm.example/hook', retries: 1 } } }`,
      }),
    )
    const rejected = await runCommand('config', ['apply', '--file', file, '--yes'], { env })
    expect(rejected.code).toBe(2)
    expect(rejected.stderr).toContain(
      '4 to delete: applications.robot, applications.broker, applications.bank, resources.orders.scopes.orders:write',
    )
    expect(await callApi('GET', '/hooks/crm')).toMatchObject({ event: 'PostSignIn' })

    const applied = await runCommand('config', ['apply', '--file', file, '--yes', '--allow-delete'], { env })
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    const shop = await callApi<Record<string, unknown>>('GET', '/applications/shop')
    expect(shop).toMatchObject({
      description: null,
      oidcClientMetadata: { redirectUris: ['https://shop.example/cb'], postLogoutRedirectUris: [] },
      customClientMetadata: {},
    })
    expect((await callApi<unknown[]>('GET', '/applications')).length).toBe(1)
    const scopes = await callApi<{ name: string; description: string }[]>('GET', '/resources/orders/scopes')
    expect(scopes).toEqual([expect.objectContaining({ name: 'orders:read', description: 'Look' })])
    const { stdout } = await runCommand('config', ['plan', '--file', file], { env })
    expect(stdout).toBe('No changes: the deployment matches the file.\n')
  })

  it('are rejected if they would lock out all users', async () => {
    const file = write(
      `{ applications: {}, experience: { socialSignInConnectorTargets: ['google'], signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } } }`,
    )
    const { code, stderr } = await runCommand('config', ['apply', '--file', file, '--yes', '--allow-delete'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/No user could sign in anymore.*We didn't change anything/),
    ])
    expect((await callApi<unknown[]>('GET', '/applications')).length).toBe(1)
  })

  it('are applied up to the first failing step, and can be completed later', async () => {
    const file = (url: string) =>
      write(`{ resources: { orders: { name: 'Orders', indicator: 'https://orders.example', scopes: { 'orders:read': 'Look' } },
             stock: { name: 'Stock', indicator: 'https://stock.example' } },
           hooks: { crm: { event: 'PostRegister', config: { url: '${url}', retries: 1 } },
             later: { event: 'PostSignIn', config: { url: 'https://later.example', retries: 1 } } } }`)
    const recordBefore = await callApi('GET', '/configs/code')
    const failed = await runCommand('config', [
      'apply',
      '--file',
      file('https://user:secret@crm.example/'),
      '--yes',
      '--json',
    ])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(
      /Failed at hooks\.crm: .*guard\.invalid_input.*\nWe made 2 of 4 changes\. Not done: hooks\.crm, hooks\.later/,
    )
    const result = JSON.parse(failed.stdout)
    expect(result.done.map(({ name }: { name: string }) => name)).toEqual([
      'resources.orders',
      'resources.stock',
    ])
    expect(result.failed).toMatchObject({ name: 'hooks.crm' })
    expect(await callApi('GET', '/configs/code')).toEqual(recordBefore)
    expect(result.notDone.map(({ name }: { name: string }) => name)).toEqual(['hooks.later'])

    const fixed = await runCommand('config', ['apply', '--file', file('https://crm.example/new'), '--yes'])
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toContain('1 to create, 1 to change, 0 to delete.')
  })

  it.each([
    {
      case: 'a setting that does not exist',
      config: `{ experience: { colour: {} } }`,
      says: /there is no setting experience\.colour/,
    },
    {
      case: 'an invalid value',
      config: `{ settings: { accountExistence: 'secret' } }`,
      says: /settings\.accountExistence/,
    },
    { case: 'a section that does not exist', config: `{ users: {} }`, says: /there is no setting users/ },
    { case: 'a file that is not TypeScript', config: `{ experience: `, says: /We couldn't read/ },
    {
      case: 'a built-in application',
      config: `{ applications: { management: { name: 'x', type: 'SPA' } } }`,
      says: /built-in application/,
    },
    {
      case: 'the management API',
      config: `{ resources: { 'management-api': { name: 'x', indicator: 'urn:x' } } }`,
      says: /belongs to a built-in resource/,
    },
    {
      case: 'a built-in role',
      config: `{ roles: { r: { name: '#internal:admin', description: '' } } }`,
      says: /built-in role/,
    },
  ])('are rejected for $case', async ({ config, says }) => {
    const { code, stdout, stderr } = await runCommand('config', ['plan', '--file', write(config)])
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(says)])
  })

  it('can be restored from an export', async () => {
    const args = ['--file', fileAt('before.ts'), '--yes', '--allow-delete']
    expect((await runCommand('config', ['apply', ...args])).code).toBe(0)
    const { code, stdout } = await runCommand('config', [
      'plan',
      '--file',
      fileAt('before.ts'),
      '--exit-code',
    ])
    expect([code, stdout]).toEqual([0, 'No changes: the deployment matches the file.\n'])
  })
})

describe('a command', () => {
  it('finds the server that was started in the same folder with another port', async () => {
    mkdirSync(fileAt('.wrangler'))
    symlinkSync(inject('data'), fileAt('.wrangler/state'))
    const { code, stdout } = await runCommand('keys', ['list'], { folder, origin: '' })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^signing .* signs from –$/m)])
  })

  it.each([
    {
      case: 'without a file',
      args: ['plan', '--file', 'nowhere.ts'],
      code: 2,
      says: /file nowhere\.ts doesn't exist/,
    },
    { case: 'with an unknown option', args: ['plan', '--fiel', 'x'], code: 2, says: /--fiel/ },
    { case: 'that does not exist', args: ['destroy'], code: 2, says: /Commands:/ },
    { case: 'with an extra argument', args: ['plan', 'now'], code: 2, says: /Unexpected argument "now"/ },
    {
      case: 'over the open internet without TLS',
      args: ['export', '--file', '/x.ts', '--origin', 'http://id.example.com'],
      code: 2,
      says: /doesn't use TLS/,
    },
    {
      case: 'to a server that does not respond',
      args: ['export', '--file', '/x.ts', '--origin', 'http://localhost:9'],
      code: 1,
      says: /We can't reach http:\/\/localhost:9: /,
    },
    {
      case: 'to a tenant that the server does not have',
      args: ['export', '--file', '/x.ts', '--origin', inject('origin').replace('//', '//nobody.')],
      code: 1,
      says: /^http:\/\/nobody\.localhost:\d+ didn't give the client/,
    },
    {
      case: 'of an unknown client',
      args: ['export', '--file', '/x.ts', '--client-id', 'unknown'],
      code: 1,
      says: /"unknown" a token.*invalid_client/,
    },
  ])('$case exits with code $code and a message', async ({ args, code, says }) => {
    const ended = await runCommand('config', args)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(says)])
  })

  it.each([
    ['config', '--help'],
    ['config', 'apply', '--help'],
    ['doctor', '--help'],
    ['keys', 'rotate', '--help'],
    ['users', 'import', '--help'],
  ])('shows its help: %s %s %s', async (script, ...args) => {
    const { code, stdout } = await runCommand(script, args)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\s\S]*Usage: npm run/)])
  })
})
