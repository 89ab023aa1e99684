/**
 * `npm run diagrams` also writes the lists in docs/operations/data-protection.md: the tables with their columns, the
 * cookies, and how long both are kept. Names, limits and times come from the code. `tests/generated-documents.test.ts`
 * fails if a table or a cookie is not described here.
 */
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { REMEMBERED_ACCOUNTS_COOKIE } from '../src/application/sessions/remembered-accounts.ts'
import { DEFAULT_RETENTION_DAYS, MIN_RETENTION_DAYS } from '../src/application/settings.ts'
import {
  NATIVE_RETURN_COOKIE_PREFIX,
  NATIVE_RETURN_SECONDS,
  SIGN_IN_TEST_COOKIE,
  SIGN_IN_TEST_SECONDS,
  TRUSTED_BROWSER_COOKIE,
  TRUSTED_BROWSER_SECONDS,
} from '../src/contract/cookie-names.ts'
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS } from '../src/contract/experience/languages.ts'
import { DEFAULT_REMEMBER_DAYS, MAX_REMEMBER_DAYS } from '../src/contract/sessions/remember-days.ts'
import { DEFAULT_TENANT_SETTINGS, MAX_GRACE_DAYS } from '../src/contract/tenants/settings.ts'
import { DAY, HOUR, HOUR_SECONDS, MINUTE, SECOND } from '../src/contract/time.ts'
import { UNDO_LIFETIME, UNDO_MIN_ADDRESS_AGE } from '../src/domain/account/address-rules.ts'
import { DEFAULT_MAX_SECONDS } from '../src/domain/applications/offline-access.ts'
import { VERIFICATION_CODE_LIFETIME } from '../src/domain/codes/verification-codes.ts'
import { REMEMBERED_DAYS } from '../src/domain/sessions/remembered-accounts.ts'
import { VERIFICATION_LIFETIME } from '../src/domain/sessions/verification.ts'
import { FORTNIGHT } from '../src/oidc/provider-configuration.ts'
import { MESSAGES_KEPT } from '../src/storage/connectors/dev-messages.ts'
import {
  DELIVERED_RETENTION,
  INVITATION_RETENTION,
  PLACE_RETENTION,
  PREVIOUS_RETENTION,
  REQUESTED_RETENTION,
  VERIFICATION_CODE_RETENTION,
} from '../src/storage/expired.ts'
import {
  cookieExpiry,
  INTERACTION_COOKIE_PREFIX,
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../src/storage/interactions/interaction-cookies.ts'
import { BROWSER_RETENTION } from '../src/storage/sessions/trusted-browsers.ts'
import { ACCOUNT_COOKIE_SECONDS, ACCOUNT_FLOW_PREFIX, accountCookies } from '../src/web/account/cookies.ts'
import { tablesByChapter } from './data-model.mjs'
import { wrapItem } from './generated-sections.mjs'

export const DATA_PROTECTION = 'docs/operations/data-protection.md'
const WIDTH = 118

/** @param {number} ms */
function duration(ms) {
  const units = /** @type {const} */ ([
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
    ['second', SECOND],
  ])
  const [name, size] = units.find(([, size]) => ms >= 2 * size || ms === size) ?? ['second', SECOND]
  const count = ms / size
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}

/** @param {number} amount */
const seconds = (amount) => duration(amount * SECOND)

const withAccount = 'as long as the account'
const logRetention = `\`LOG_RETENTION_DAYS\`: ${DEFAULT_RETENTION_DAYS} days by default, at least ${MIN_RETENTION_DAYS}; with 0 for good`
const grace = DEFAULT_TENANT_SETTINGS.accountCentre.deletionGraceDays

/** @typedef {{ holds: string, kept: string }} Described */

/** Tables with data about users. @type {Record<string, Described>} */
const aboutUsers = {
  account_deletions: {
    holds: 'users who have asked for their deletion',
    kept: `until the account is deleted, ${grace} days later by default and at most ${MAX_GRACE_DAYS} (\`accountCentre.deletionGraceDays\`); as long as the account if a sign-in cancels it`,
  },
  address_changes: {
    holds: 'addresses that were replaced, so that their owners can undo a takeover',
    kept: `the address for ${duration(PREVIOUS_RETENTION)}, the rest for ${duration(UNDO_MIN_ADDRESS_AGE + UNDO_LIFETIME)}`,
  },
  backup_codes: { holds: 'digests of unused backup codes', kept: 'until used or replaced' },
  consents: {
    holds: 'what a user has allowed which application',
    kept: `until the user withdraws it, or ${withAccount}`,
  },
  dev_messages: {
    holds: 'messages of a development server, which sends none',
    kept: `the newest ${MESSAGES_KEPT} of a tenant`,
  },
  erased_ids: { holds: 'digests of the ids of deleted users, so that no id is used twice', kept: 'for good' },
  erasures: {
    holds: 'the values by which the erasure of a deleted user finds other rows',
    kept: 'until the erasure is complete, usually within minutes',
  },
  former_identifiers: {
    holds: 'usernames and addresses that the account had, or that its user asked to add',
    kept: `${withAccount}; those that were only asked for ${duration(REQUESTED_RETENTION)}`,
  },
  identity_additions: { holds: 'since when an account has had its social identities', kept: withAccount },
  invitations: {
    holds: 'addresses and names of invited people, who invited them, and who accepted',
    kept: `${duration(INVITATION_RETENTION)} after the invitation expires, or until the account of the inviter or the invited person is deleted`,
  },
  logs: {
    holds:
      'the audit log: what happened, to whom, by whom, with which result, from which IP address, country, city and browser, and the values before and after a change by an administrator',
    kept: `${logRetention}. Deleting a user reduces the rows to what happened`,
  },
  notices: {
    holds: 'security messages that are still to be sent, with the browser and the place that they mention',
    kept: 'until sent, at most about a day',
  },
  oidc_model_instances: {
    holds:
      'sessions (with browser, country and city), grants, codes, tokens (as digests) and authorization requests',
    kept: `until each expires: sessions ${seconds(FORTNIGHT)} after they were last used, grants and refresh tokens ${seconds(FORTNIGHT)} after their last use and at most ${seconds(DEFAULT_MAX_SECONDS)} by default, everything else at most ${seconds(HOUR_SECONDS)} by default. Rows are deleted within an hour of their end; codes and tokens of a deleted user are invalid at once and deleted within an hour`,
  },
  organization_domains: {
    holds: 'domains of an organisation, and whether it has proved them',
    kept: 'as long as the organisation, or until removed',
  },
  organization_invitations: {
    holds: 'addresses of people invited to an organisation, who invited them, and who accepted',
    kept: `${duration(INVITATION_RETENTION)} after the invitation expires, or until the organisation or the account of the inviter or the invited person is deleted`,
  },
  organization_former_users: {
    holds: 'users who left an organisation or were removed from it',
    kept: 'as long as the organisation or the account',
  },
  organization_user_roles: {
    holds: 'the roles of a user in organisations',
    kept: 'as long as the membership',
  },
  organization_user_sources: {
    holds: 'how a user became a member of an organisation',
    kept: 'as long as the membership',
  },
  organization_users: {
    holds: 'the members of organisations, and when each last changed to one',
    kept: 'until the user leaves or is removed, or as long as the organisation or the account',
  },
  organizations: {
    holds: 'the name, brand and rules of an organisation, and who created it',
    kept: 'until deleted; without the creator once that account is deleted',
  },
  outbox: {
    holds: 'deliveries to webhooks and applications, with the user data that they carry',
    kept: `${duration(DELIVERED_RETENTION)} once delivered; failed ones until sent again, or until their hook or application is deleted`,
  },
  passcodes: {
    holds: 'verification codes (as digests) and the addresses they were sent to',
    kept: `the digest for ${duration(VERIFICATION_CODE_LIFETIME)}, the rest for ${duration(VERIFICATION_CODE_RETENTION)}`,
  },
  passkey_offers: { holds: 'how often a user declined to create a passkey', kept: withAccount },
  passkeys: { holds: 'public keys of passkeys, with their names', kept: `until removed, or ${withAccount}` },
  password_changes: { holds: 'when the password was last changed', kept: withAccount },
  second_factor_put_offs: { holds: 'how often a user put off a second factor', kept: withAccount },
  sign_in_places: {
    holds: 'the country and rough place of sign-ins, only under the policy `adaptive`',
    kept: `the last place for ${duration(PLACE_RETENTION)}, the others for about 90 days`,
  },
  tenant_owners: {
    holds: 'who created a tenant',
    kept: 'as long as the tenant, without the user once deleted',
  },
  totp_factors: { holds: 'sealed keys of authenticator apps', kept: `until removed, or ${withAccount}` },
  trusted_browsers: {
    holds: 'browsers in which a user signed in, and until when they need no second factor',
    kept: `${duration(BROWSER_RETENTION)} after the last sign-in; the second factor is skipped for ${DEFAULT_REMEMBER_DAYS} days by default and at most ${MAX_REMEMBER_DAYS} (\`rememberDays\`)`,
  },
  user_activity: { holds: 'the day of the last use', kept: withAccount },
  user_identities: { holds: 'accounts at social providers', kept: `until unlinked, or ${withAccount}` },
  users: {
    holds:
      'the account: identifiers, the hash of the password, profile, social identities, custom data and the agreement to the terms',
    kept: 'until an operator or the user deletes it',
  },
  users_roles: { holds: 'the roles of a user', kept: withAccount },
  verification_statuses: {
    holds: 'that a user has just proved who they are',
    kept: `valid for ${duration(VERIFICATION_LIFETIME)}; until replaced, or ${withAccount}`,
  },
}

/** Tables with data about visitors who may have no account. @type {Record<string, Described>} */
const aboutVisitors = {
  counters: {
    holds: 'counts for rate limits, by address, account, IP network or application',
    kept: 'until the window or the lock of the limit ends: usually within a day, 30 days after the last wrong password in a row, and after 400 days if that has locked the account. Rows are deleted within an hour of their end',
  },
  service_logs: {
    holds: 'messages that were sent, with masked recipients, and why others failed',
    kept: logRetention,
  },
}

/** Tables without data about users: settings, counts and links between them. */
const aboutNobody = [
  'applications',
  'applications_roles',
  'brand_pictures',
  'configs',
  'connectors',
  'custom_phrases',
  'daily_activity',
  'failed_requests',
  'hooks',
  'identity_namespaces',
  'organization_application_roles',
  'organization_applications',
  'organization_role_resource_scopes',
  'organization_role_scopes',
  'organization_roles',
  'organization_scopes',
  'registered_clients',
  'registration_tokens',
  'resources',
  'roles',
  'roles_scopes',
  'scopes',
  'sign_in_experiences',
  'tenants',
  'totals',
]

const closes = 'until the browser closes'
const oneHour = seconds(ACCOUNT_COOKIE_SECONDS)

/** The meaning of each cookie of the account centre. @type {Record<keyof typeof accountCookies, string>} */
const accountCookieContents = {
  _account: 'the session in the account centre',
  _account_flash: 'a message that the next page shows once, and what was typed',
  _account_link: 'a social account that is being linked',
  _account_hint: 'the ID token, with which the user signs out',
  _account_address: 'the new address that waits for its code',
  _account_steps: 'which steps after unknown activity the user has taken',
}

/** The cookies, in the order of the document. @type {readonly (Described & { name: string })[]} */
const cookies = [
  {
    name: '_session',
    holds: 'the id of the session; signed in a second cookie, `_session.sig`',
    kept: seconds(FORTNIGHT),
  },
  {
    name: '_interaction',
    holds: 'the id of the sign-in that was opened last; also signed',
    kept: seconds(HOUR_SECONDS),
  },
  { name: '_interaction_resume', holds: 'the same id; also signed', kept: seconds(HOUR_SECONDS) },
  {
    name: `${INTERACTION_COOKIE_PREFIX}{id}`,
    holds: 'a sign-in in progress',
    kept: `${duration(cookieExpiry({ exp: HOUR_SECONDS, clientId: '' }))} (the sign-in itself ends after one hour)`,
  },
  {
    name: navigationCookieName('{id}'),
    holds: 'what one step passes to the next, such as the identifier that was typed',
    kept: seconds(NAVIGATION_STATE_SECONDS),
  },
  {
    name: TRUSTED_BROWSER_COOKIE,
    holds: 'a random id of the browser, and the ids of at most five accounts that signed in with it',
    kept: `${seconds(TRUSTED_BROWSER_SECONDS)} after the last sign-in`,
  },
  {
    name: REMEMBERED_ACCOUNTS_COOKIE,
    holds:
      'at most five accounts that signed in with this browser, each with a masked identifier, its id and the method of the last sign-in, and the ids of the last twenty applications',
    kept: `${REMEMBERED_DAYS} days after the last sign-in. An account ends earlier if its user removes it or signs out, and if it is suspended or deleted`,
  },
  {
    name: LANGUAGE_COOKIE,
    holds: 'the language that the user chose; the only cookie that is neither sealed nor signed',
    kept: seconds(LANGUAGE_COOKIE_SECONDS),
  },
  {
    name: `${NATIVE_RETURN_COOKIE_PREFIX}{connector}`,
    holds: 'the app to which a user returns from a social provider',
    kept: seconds(NATIVE_RETURN_SECONDS),
  },
  ...Object.entries(accountCookies).map(([name, { maxAge }]) => ({
    name,
    holds: Reflect.get(accountCookieContents, name) ?? '',
    kept: maxAge === undefined ? closes : `until used, at most ${seconds(maxAge)}`,
  })),
  {
    name: `${ACCOUNT_FLOW_PREFIX}{id}`,
    holds: 'a sign-in to the account centre in progress',
    kept: `until used, at most ${oneHour}`,
  },
  {
    name: SIGN_IN_TEST_COOKIE,
    holds: "an operator's test of a social connector",
    kept: `until used, at most ${seconds(SIGN_IN_TEST_SECONDS)}`,
  },
]

/** The names of the cookies in the document. A part in braces varies. */
export const describedCookies = cookies.map(({ name }) => name)

/** The names of the tables in the document. */
export const describedTables = [...Object.keys(aboutUsers), ...Object.keys(aboutVisitors), ...aboutNobody]

/** Returns the names of all tables. */
export const tableNames = async () => [
  ...new Set((await tablesByChapter()).flatMap(([, tables]) => tables.map(({ name }) => name))),
]

/** Returns the generated sections of the document by their names. */
export async function renderDataProtection() {
  const tables = (await tablesByChapter()).flatMap(([, each]) => each)
  /** @param {Record<string, Described>} described */
  const listOf = (described) =>
    tables
      .filter(({ name }) => described[name])
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((table) => itemOf(table, /** @type {Described} */ (described[table.name])))
      .join('\n')
  return {
    'tables about users': `${listOf(aboutUsers)}\n`,
    'tables about visitors': `${listOf(aboutVisitors)}\n`,
    'other tables': `${wrapItem('', `${aboutNobody.map((name) => `\`${name}\``).join(', ')}.`, WIDTH)}\n`,
    cookies: `${cookies.map(cookieItem).join('\n')}\n`,
  }
}

/**
 * @param {ReturnType<typeof getTableConfig>} table
 * @param {Described} described
 */
function itemOf({ name, columns, checks }, { holds, kept }) {
  const limits = new Map(
    checks.flatMap(({ name: check, value }) => {
      const [, column = '', limit = ''] =
        /^(\w+)_length .*<= (\d+)$/.exec(`${check} ${value.queryChunks.map(textOf).join('')}`) ?? []
      return column ? [[column, Number(limit)]] : []
    }),
  )
  const named = columns
    .filter((column) => column.name !== 'tenant_id')
    .map((column) => {
      const limit = limits.get(column.name)
      return `\`${column.name}\`${limit ? ` (${limit.toLocaleString('en')})` : ''}`
    })
  return [
    wrapItem('- ', `**\`${name}\`**: ${holds}.`, WIDTH),
    wrapItem('  - ', `Columns: ${named.join(', ')}.`, WIDTH),
    wrapItem('  - ', `Kept: ${kept}.`, WIDTH),
  ].join('\n')
}

/** @param {unknown} chunk */
const textOf = (chunk) =>
  typeof chunk === 'object' && chunk !== null && 'value' in chunk ? String(chunk.value) : ''

/** @param {Described & { name: string }} cookie */
const cookieItem = ({ name, holds, kept }) =>
  wrapItem('- ', `**\`${name}\`**: ${holds}. Kept: ${kept}.`, WIDTH)
