import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { PASSWORD } from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { newReceiver, type Receiver } from '../kit/receiver.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'
import type { StoreCall } from './fault-plan.ts'
import { openFaultyApp } from './faulty-app.ts'
import { signInFor, signingIn } from './patient-client.ts'

/** The time limit of the set-up in milliseconds. It is long enough for a busy machine. */
export const SETUP_MS = 60_000

/** Returns the calls that every sign-in makes, because passwords.test.ts tests the faults of these calls. */
export async function callsOfSignIn(): Promise<readonly StoreCall[]> {
  const faulty = openFaultyApp()
  await signInFor(faulty, signingIn({ username: (await storeAccount()).username }, PASSWORD))
  return faulty.calls
}

/** Creates a webhook receiver and subscribes it to each of these events. */
export async function hookedReceiver(events: readonly string[]): Promise<Receiver> {
  const app = openTestApp()
  const receiver = await newReceiver()
  await setTenantSettings(app, { allowPrivateTargets: true })
  const operator = await newOperator(app)
  for (const event of events) {
    const created = await operator.send('POST', '/hooks', {
      event,
      config: { url: receiver.url, retries: 0 },
    })
    expect(created.status).toBe(200)
  }
  return receiver
}

/**
 * Checks that scheduled runs deliver every event whose immediate delivery failed, and that each event keeps its id.
 */
export async function expectAllDelivered(receiver: Receiver): Promise<void> {
  await env.DB.prepare("update outbox set next_attempt_at = 0 where status = 'pending'").run()
  await openTestApp().sweep()
  const { results } = await env.DB.prepare('select id, status from outbox where hook_id is not null').all<{
    id: string
    status: string
  }>()
  expect(results.length).toBeGreaterThan(0)
  expect(results.filter(({ status }) => status !== 'delivered')).toEqual([])
  const delivered = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
  expect(new Set(delivered)).toEqual(new Set(results.map(({ id }) => id)))
}

/** Error codes that tell the client to start the interaction again, because an earlier call has ended it. */
export const overtakenCodes = [
  'session.not_found',
  'session.verification_session_not_found',
  'session.already_submitted',
  'server_error',
  'invalid_grant',
] as const
