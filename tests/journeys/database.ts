import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'

/** An hour in milliseconds, which is longer than the lifetime of any code (spec/limits#codes). */
const HOUR_MS = 60 * 60 * 1000

/** Makes the codes that were sent to an address expire, in the database file of the running server. */
export function ageCodes(email: string): void {
  const changes = change('update passcodes set created_at = created_at - ? where email = ?', HOUR_MS, email)
  if (changes === 0) throw new Error(`no code was sent to ${email}`)
}

/** Makes the sign-in of a user an hour old, for both the session and its access token. */
export function ageSignIn(username: string): void {
  const aged = ['$.loginTs', '$.extra.auth_time'].map((field) =>
    change(
      `update oidc_model_instances set payload = json_set(payload, '${field}', payload ->> '${field}' - 3600)
        where payload ->> '${field}' is not null and model_name in ('Session', 'AccessToken')
          and payload ->> '$.accountId' in (select id from users where username = ?)`,
      username,
    ),
  )
  if (aged.includes(0)) throw new Error(`${username} is not signed in`)
}

/** Makes the last code used from a user's authenticator app look old, so that another code is accepted at once. */
export function forgetUsedCodes(username: string): void {
  const changes = change(
    'update totp_factors set last_step = 1 where user_id in (select id from users where username = ?)',
    username,
  )
  if (changes === 0) throw new Error(`${username} has no authenticator app`)
}

/** Changes the record of the user's only sign-in to one in another country, a day ago. */
export function signedInAbroad(username: string): void {
  change('delete from sign_in_places where user_id in (select id from users where username = ?)', username)
  change(
    `insert into sign_in_places (tenant_id, user_id, country, signed_in_at)
      select tenant_id, id, 'AQ', ? from users where username = ?`,
    Date.now() - 24 * HOUR_MS,
    username,
  )
}

/** The time to wait while the server is writing, in milliseconds. */
const BUSY_MS = 10_000

function change(statement: string, ...values: (string | number)[]): number | bigint {
  const folder = path.join(inject('data'), 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (!file) throw new Error(`no database in ${folder}`)
  const database = new DatabaseSync(path.join(folder, file), { timeout: BUSY_MS })
  const { changes } = database.prepare(statement).run(...values)
  database.close()
  return changes
}
