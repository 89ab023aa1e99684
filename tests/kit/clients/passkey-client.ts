import type { Passkey } from '../../../src/contract/passkeys/passkeys.ts'
import { createPasskey, type Said, type SoftPasskey } from '../authenticator.ts'
import { setTenantSettings } from '../tenant-settings.ts'
import type { TestApp } from '../test-app.ts'
import type { Member } from './account-client.ts'
import { PASSWORD } from './cookie-client.ts'
import type { InteractionClient } from './interaction-client.ts'

/** The relying party ID of passkeys in tests. */
export const RP_ID = 'localhost'

/** Enables passkeys. Call it before the app is opened, because the app caches settings. */
export const enablePasskeys = (app: TestApp, more: object = {}) =>
  setTenantSettings(app, { passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: true, ...more } })

export type CreationOptions = Parameters<typeof createPasskey>[0] & { excludeCredentials: { id: string }[] }
export type RequestOptions = Parameters<SoftPasskey['sign']>[0]

export async function creationOptions({ call }: Pick<Member, 'call'>): Promise<CreationOptions> {
  return (await (await call('POST', '/passkeys/options')).json()) as CreationOptions
}

/** Adds a passkey to a signed-in user through the account API. */
export async function addPasskey(
  app: TestApp,
  member: Pick<Member, 'call'>,
  said: Said & { aaguid?: string } = {},
): Promise<SoftPasskey & { listed: Passkey }> {
  await member.call('POST', '/password/verify', { password: PASSWORD })
  const { attestation, passkey } = await createPasskey(await creationOptions(member), {
    origin: app.origin,
    ...said,
  })
  const created = await member.call('POST', '/passkeys', attestation)
  if (created.status !== 200) throw new Error(`Not created: ${await created.text()}`)
  return { ...passkey, listed: (await created.json()) as Passkey }
}

export async function requestOptions({ call }: Pick<InteractionClient, 'call'>): Promise<RequestOptions> {
  return (await (await call('POST', '/verification/passkey-options')).json()) as RequestOptions
}

/** Signs in with a passkey in an interaction, up to the submit. */
export async function provePasskey(
  interaction: Pick<InteractionClient, 'call'>,
  passkey: SoftPasskey,
  said?: Said,
): Promise<Response> {
  const assertion = await passkey.sign(await requestOptions(interaction), said)
  return interaction.call('PUT', '', { event: 'SignIn', identifier: { passkey: assertion } })
}
