import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { NEW_PASSKEY_PATH } from '../../src/contract/product.ts'
import type { InteractionApi, SubmitResult } from '../api/api.ts'
import { detectPasskeyAbilities, signalAcceptedPasskeys } from '../browser/passkeys.ts'

/**
 * Wraps the submit call: it reports the browser's passkey capabilities, and signals or creates passkeys as the
 * response requires before the browser is redirected (spec/pages#passkey-offer). No failure here prevents the
 * redirect.
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

const SILENT_LIMIT = 600 // ms, spec/limits#page-timings

/**
 * Returns where to go after the browser's passkeys have been dealt with. Silence counts as a refusal, so the offer is
 * not lost; a passkey that exists but has not been stored within the limit counts as created.
 */
async function redirectAfterPasskeys(
  api: InteractionApi,
  { redirectTo, passkeys }: SubmitResult,
): Promise<string> {
  if (!passkeys) return redirectTo
  const limit = new AbortController()
  let isMade = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((end) => {
    timer = setTimeout(() => {
      limit.abort()
      end(isMade)
    }, SILENT_LIMIT)
  })
  const onMade = () => {
    isMade = true
  }
  const silent = signalAndCreate(api, passkeys, { limit: limit.signal, onMade }).catch(() => false)
  const isCreated = await Promise.race([silent, late])
  clearTimeout(timer)
  if (isCreated || !passkeys.creations.includes('offer')) return redirectTo
  const uid = redirectTo.slice(redirectTo.lastIndexOf('/') + 1)
  // This page is a separate document, because no other page uses its phrases.
  return `${NEW_PASSKEY_PATH}?${INTERACTION_PARAM}=${uid}`
}

/**
 * Creates a passkey after the browser has received the list of existing passkeys. If the list arrived later, the
 * browser would delete the new passkey, because the list does not contain it.
 */
async function signalAndCreate(
  api: InteractionApi,
  { creations, accepted }: NonNullable<SubmitResult['passkeys']>,
  watch: { limit: AbortSignal; onMade: () => void },
): Promise<boolean> {
  const isCreation = creations.includes('conditional')
  const [creation] = await Promise.all([
    isCreation ? import('../browser/new-passkey.ts') : undefined,
    accepted && signalAcceptedPasskeys(accepted),
  ])
  return (await creation?.createPasskeySilently(api, watch))?.kind === 'created'
}
