import type { PasskeyAbility, PasskeysAfterSubmit } from '../../src/contract/passkeys/passkeys.ts'
import { createPasskey, type Said, type SoftPasskey } from './authenticator.ts'
import { freshName, newCookieClient, PASSWORD } from './clients/cookie-client.ts'
import { beginInteraction, type InteractionClient } from './clients/interaction-client.ts'
import type { TestApp } from './test-app.ts'

/** The capabilities of a browser that supports every passkey feature (spec/accounts#passkey-offer). */
export const EVERYTHING: readonly PasskeyAbility[] = ['conditional', 'offer', 'signals']

export type Submitted = { redirectTo: string; passkeys?: PasskeysAfterSubmit }

export type FinishedSignIn = InteractionClient & { submitted: Submitted; status: number }

type SignInOptions = {
  username?: string
  event?: 'SignIn' | 'Register'
  abilities?: readonly PasskeyAbility[]
  parameters?: Record<string, string>
}

/** Signs in with a password, up to and including the submit. */
export async function finishSignIn(
  app: TestApp,
  { username = freshName(), event = 'SignIn', abilities = EVERYTHING, parameters = {} }: SignInOptions = {},
): Promise<FinishedSignIn> {
  const interaction = await beginInteraction(app, newCookieClient(app), parameters)
  const credentials = { username, password: PASSWORD }
  await interaction.start(event, event === 'SignIn' ? { identifier: credentials } : { profile: credentials })
  const answer = await interaction.call('POST', '/submit', { passkeyAbilities: abilities })
  return { ...interaction, status: answer.status, submitted: (await answer.json()) as Submitted }
}

export type Options = Parameters<typeof createPasskey>[0] & {
  authenticatorSelection: { userVerification: string }
}

export const optionsOf = async (
  { call }: InteractionClient,
  creation: 'conditional' | 'offer',
): Promise<Options> => (await (await call('POST', '/passkeys/options', { creation })).json()) as Options

/** Creates a passkey in the browser with these options, and returns it with the server's response. */
export async function keepPasskey(
  app: TestApp,
  { call }: InteractionClient,
  options: Options,
  said: Said & { aaguid?: string } = {},
): Promise<{ answer: Response; passkey: SoftPasskey }> {
  const { attestation, passkey } = await createPasskey(options, { origin: app.origin, ...said })
  return { answer: await call('POST', '/passkeys', attestation), passkey }
}
