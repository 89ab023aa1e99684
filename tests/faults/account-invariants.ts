import { env } from 'cloudflare:workers'
import type { FaultyApp } from './faulty-app.ts'

/** Counts rows in the database. */
export async function rowCount(query: string, ...values: unknown[]): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${query}`)
    .bind(...values)
    .first<{ n: number }>()
  return row?.n ?? 0
}

/**
 * Returns a description of each missing or duplicate row, and of each event that was not sent exactly once.
 */
export async function accountProblems(
  userId: string,
  { plannedFault, faultAt }: FaultyApp,
  { registered = false, isHooked = true } = {},
): Promise<string[]> {
  const logged = (key: string) =>
    rowCount(
      "logs where key = ? and user_id = ? and json_extract(payload, '$.result') = 'Success'",
      key,
      userId,
    )
  const outboxEvents = (event: string) =>
    rowCount("outbox where event = ? and json_extract(payload, '$.userId') = ?", event, userId)
  const rows = (model: string) =>
    rowCount('oidc_model_instances where model_name = ? and account_id = ?', model, userId)

  const [users, grants, registrations, signIns, announcedRegistrations, announcedSignIns, locked] =
    await Promise.all([
      rowCount('users where id = ?', userId),
      rows('Grant'),
      logged('Interaction.Register.Submit'),
      logged('Interaction.SignIn.Submit'),
      outboxEvents('PostRegister'),
      outboxEvents('PostSignIn'),
      rowCount('counters where locked_until is not null'),
    ])
  // Rows that a terminated isolate has written remain until they expire, but no client knows their keys.
  const isLostWithIsolate =
    faultAt !== null && plannedFault !== null && !['refused', 'lost'].includes(plannedFault.fault)
  const hooked = (events: number) => (isHooked ? events : 0)
  const expected: [what: string, is: number, least: number, most: number][] = [
    ['users', users, 1, 1],
    ['grants', grants, 1, isLostWithIsolate ? 2 : 1],
    ['registrations logged', registrations, registered ? 1 : 0, registered ? 1 : 0],
    ['registrations announced', announcedRegistrations, hooked(registrations), hooked(registrations)],
    ['sign-ins announced', announcedSignIns, hooked(signIns), hooked(signIns)],
    ['locked counters', locked, 0, 0],
  ]
  return expected
    .filter(([, is, least, most]) => is < least || is > most)
    .map(([what, is, least, most]) => `${is} ${what}, not ${least} to ${most}`)
}
