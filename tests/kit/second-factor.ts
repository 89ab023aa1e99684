import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { fromBase32, totpStep } from '../../src/domain/factors/totp.ts'
import { computeTotpCode } from '../../src/storage/factors/totp.ts'
import { ALL_SCOPES, asBearer } from './clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from './clients/cookie-client.ts'
import { beginInteraction, type InteractionClient } from './clients/interaction-client.ts'
import type { TestApp } from './test-app.ts'

/** Returns the code that an authenticator app shows now or, with `offset`, that many steps later. */
export const codeOf = (secret: string, offset = 0): Promise<string> =>
  computeTotpCode(fromBase32(secret) ?? new Uint8Array(), totpStep(Date.now()) + offset)

/** Backdates used codes by a day, so that a test need not wait for the next time step. */
export const forgetUsedSteps = (app: TestApp) =>
  app.env.DB.prepare('update totp_factors set last_step = 1').run()

/** Signs in with the password, up to the submit. */
export async function signInByPassword(
  app: TestApp,
  username: string,
  client: CookieClient = newCookieClient(app),
  parameters: Record<string, string> = {},
): Promise<InteractionClient> {
  const interaction = await beginInteraction(app, client, parameters)
  const started = await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
  expect(started.status).toBe(204)
  return interaction
}

export type Enrolled = { secret: string; backupCodes: string[] }

/** Sets up an authenticator app in an interaction that has identified its account. */
export async function enrol({ call }: Pick<InteractionClient, 'call'>): Promise<Enrolled> {
  const started = await call('POST', '/factors/totp')
  expect(started.status).toBe(200)
  const { secret } = (await started.json()) as { secret: string }
  const proved = await call('PUT', '/factors/totp', { totpCode: await codeOf(secret) })
  expect(proved.status).toBe(200)
  return { secret, ...((await proved.json()) as { backupCodes: string[] }) }
}

export const TWO_FACTORS = 'urn:vestibule:acr:2fa'

/** Changes the user's access tokens as if the user had signed in with two factors. */
export const raiseLevel = (app: TestApp, { userId }: { userId: string }) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.extra.acr', ?)
     where model_name = 'AccessToken' and json_extract(payload, '$.accountId') = ?`,
  )
    .bind(TWO_FACTORS, userId)
    .run()

type WithBoth = {
  client?: CookieClient
  /** Additional fields of the submitted body. */
  statement?: object
  parameters?: Record<string, string>
  /** A factor to submit instead of the authenticator app's code. */
  prove?: (interaction: Pick<InteractionClient, 'call'>) => Promise<Response>
}

/**
 * Signs in with the password and the authenticator app. Returns the claims of the ID token and a function
 * that makes the application's calls.
 */
export async function signInWithBoth(
  app: TestApp,
  { username, secret = '' }: { username: string; secret?: string },
  { client = newCookieClient(app), statement, parameters = { max_age: '600' }, prove }: WithBoth = {},
) {
  const request = await authorizationRequest({
    redirect_uri: `${app.origin}/demo-app`,
    scope: ALL_SCOPES,
    acr_values: TWO_FACTORS,
    ...parameters,
  })
  const uid = await openSignInPage(client, request)
  const call = (method: string, path: string, body?: object) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  expect((await call('POST', '/submit')).status).toBe(422)
  await forgetUsedSteps(app)
  const proved = prove?.({ call }) ?? call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })
  expect((await proved).status).toBe(204)
  await forgetUsedSteps(app)
  const back = await resumeAuthorization(client, await call('POST', '/submit', statement))
  const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '')
  const tokens = (await answer.json()) as { id_token: string; access_token: string }
  return { client, claims: decodeJwt(tokens.id_token), call: asBearer(app, tokens.access_token) }
}
