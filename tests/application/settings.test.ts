import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/application/settings.ts'

/** Tests how a deployment's settings are read from its variables (docs/operations/configuration.md). */

const SECRET = 'a-root-secret-of-at-least-32-characters'

describe('a deployment’s settings', () => {
  it('default to production if only a root secret is set, even if other variables are empty', () => {
    const defaults = {
      rootSecret: SECRET,
      environment: 'production',
      hosting: { isDevelopment: false },
      isBehindTlsProxy: false,
      userDefaultRoleNames: [],
      logRetentionDays: 90,
      breachedPasswordsUrl: 'https://api.pwnedpasswords.com/range/',
    }
    const empty = { ENVIRONMENT: '', TLS_PROXY: '', LOG_RETENTION_DAYS: '', BREACHED_PASSWORDS_URL: '' }
    for (const variables of [{}, empty])
      expect(readSettings({ ROOT_SECRET: SECRET, ...variables })).toMatchObject(defaults)
  })

  it('disable breached-password lookups in development or if BREACHED_PASSWORDS_URL is off', () => {
    const developing = readSettings({ ROOT_SECRET: SECRET, ENVIRONMENT: 'development' })
    const off = readSettings({ ROOT_SECRET: SECRET, BREACHED_PASSWORDS_URL: 'off' })
    expect([developing.breachedPasswordsUrl, off.breachedPasswordsUrl]).toEqual([null, null])
  })

  it('contain each default role once', () => {
    const { userDefaultRoleNames } = readSettings({
      ROOT_SECRET: SECRET,
      USER_DEFAULT_ROLE_NAMES: ' member, reader,,member ',
    })
    expect(userDefaultRoleNames).toEqual(['member', 'reader'])
  })

  it.each([
    [{ ROOT_SECRET: 'short' }, 'rootSecret: must be at least 32 characters'],
    [{ ROOT_SECRET: undefined }, 'rootSecret: must be at least 32 characters'],
    [{ ROOT_SECRET_PREVIOUS: 'short' }, 'rootSecretPrevious: must be at least 32 characters'],
    [{ MANAGEMENT_CLIENT_SECRET: 'short' }, 'managementClientSecret: must be at least 32 characters'],
    [{ ENVIRONMENT: 'staging' }, 'environment: must be production or development'],
    [{ TLS_PROXY: 'yes' }, 'isBehindTlsProxy: must be true or false'],
    [{ LOG_RETENTION_DAYS: '13' }, 'logRetentionDays: must be 0, or from 14 to 36500 days'],
    [{ LOG_RETENTION_DAYS: '36501' }, 'logRetentionDays: must be 0, or from 14 to 36500 days'],
    [{ LOG_RETENTION_DAYS: '14.5' }, 'logRetentionDays: must be 0, or from 14 to 36500 days'],
    [
      { BREACHED_PASSWORDS_URL: 'https://ranges.example' },
      'breachedPasswordsUrl: must be off, or an address that ends with a slash',
    ],
    [{ LIBSQL_URL: 'not an address' }, 'libsql.url: is not an address'],
  ])('reject %o without showing the value', (variables, problem) => {
    expect(() => readSettings({ ROOT_SECRET: SECRET, ...variables })).toThrow(
      new Error(`The configuration is incomplete. ${problem}. See docs/operations/configuration.md.`),
    )
  })

  it.each(['0', '14', '36500'])('accept a log retention of %s days', (days) => {
    expect(readSettings({ ROOT_SECRET: SECRET, LOG_RETENTION_DAYS: days }).logRetentionDays).toBe(
      Number(days),
    )
  })

  it('report all problems at once', () => {
    expect(() => readSettings({ ENVIRONMENT: 'staging' })).toThrow(
      /rootSecret: [^;]+; environment: must be production or development\. See/,
    )
  })
})
