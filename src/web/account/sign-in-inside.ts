import { createApi } from '../../../client/api/api.ts'
import { submitAndReact } from '../../../client/journeys/submit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { formClient } from '../in-process.ts'
import { bootData } from '../pages/boot-data.ts'
import type { PageContext } from '../pages/page-context.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { type Asked, redirectTo } from './redirect.ts'

/** Calls this Worker: the provider and the API. */
export type CallInside = (request: Request) => Response | Promise<Response>

type SignIn = { identifier: Identifier; password: string; to: string; context: PageContext }

/**
 * Signs in the owner of a new account, who has just given its password, as the sign-in pages would: by the provider and the calls of
 * an interaction, with the limits, the records and the second factors of every sign-in. What they refuse leads to these pages.
 */
export async function signInInside(
  dependencies: Dependencies,
  asked: Asked,
  inside: CallInside,
  { identifier, password, to, context }: SignIn,
): Promise<Response> {
  const begun = await beginSignIn(dependencies, asked, { to, anew: identifier.value })
  const client = formClient(asked.request, inside)
  const page = await client.fetch(begun.headers.get('location') ?? '')
  const first = page.headers.get('location') ?? ''
  const uid = new URL(first, asked.url).searchParams.get('interaction')
  // The provider does not answer now: the browser asks it once more.
  if (uid === null) return begun

  const api = createApi({
    baseUrl: asked.url.origin,
    fetch: client.fetch,
    language: context.language,
    interaction: uid,
  })
  const started = await api.start({
    event: 'SignIn',
    identifier: { [identifier.type]: identifier.value, password } as { username: string; password: string },
  })
  const boot = { ...bootData(context), interaction: uid, navigation: { hasAgreed: true as const } }
  const reaction = started.ok ? await submitAndReact(api, boot) : null
  const cookies = [...begun.headers.getSetCookie(), ...client.setCookies()]
  return redirectTo(reaction?.kind === 'leave' ? reaction.url : first, 303, cookies)
}
