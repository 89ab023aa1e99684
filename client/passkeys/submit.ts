import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { NEW_PASSKEY_PATH } from '../../src/contract/product.ts'
import type { InteractionApi, Submitted } from '../api/api.ts'
import { detectPasskeyAbilities, signalAcceptedPasskeys } from '../browser/passkeys.ts'

/**
 * Extends the submit call: it reports what the browser can do with passkeys, and does what the response asks for before
 * the browser leaves (spec/pages#passkey-offer). The browser leaves whatever happens here.
 */
export const withPasskeys = (api: InteractionApi): InteractionApi => ({
  ...api,
  async submit(stated) {
    const passkeyAbilities = await detectPasskeyAbilities()
    const submitted = await api.submit(passkeyAbilities.length > 0 ? { ...stated, passkeyAbilities } : stated)
    if (!submitted.ok || !submitted.value) return submitted
    return { ok: true, value: { redirectTo: await redirectAfterPasskeys(api, submitted.value) } }
  },
})

const SILENT_LIMIT = 1_500 // ms, spec/limits#page-timings

async function redirectAfterPasskeys(
  api: InteractionApi,
  { redirectTo, passkeys }: Submitted,
): Promise<string> {
  if (!passkeys) return redirectTo
  const limit = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((end) => {
    timer = setTimeout(() => {
      limit.abort()
      end('late')
    }, SILENT_LIMIT)
  })
  const silent = signalAndCreate(api, passkeys, limit.signal).catch(() => 'failed' as const)
  const outcome = await Promise.race([silent, late])
  clearTimeout(timer)
  if (outcome === 'created' || outcome === 'late' || !passkeys.creations.includes('offer')) return redirectTo
  const uid = redirectTo.slice(redirectTo.lastIndexOf('/') + 1)
  // A document of its own, because no other page uses its phrases.
  return `${NEW_PASSKEY_PATH}?${INTERACTION_PARAM}=${uid}`
}

/**
 * Creates a passkey once the browser has the list of the others. If the list came later, it would remove the new one,
 * which it lacks.
 */
async function signalAndCreate(
  api: InteractionApi,
  { creations, accepted }: NonNullable<Submitted['passkeys']>,
  limit: AbortSignal,
) {
  const isCreation = creations.includes('conditional')
  const [creation] = await Promise.all([
    isCreation ? import('../browser/new-passkey.ts') : undefined,
    accepted && signalAcceptedPasskeys(accepted),
  ])
  return creation?.createPasskeySilently(api, limit)
}
