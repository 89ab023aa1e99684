import { startRegistration } from '@simplewebauthn/browser'
import type { AcceptedPasskeys } from '../../src/contract/passkeys/passkeys.ts'

/** The script of the pages on which users manage passkeys and security keys (spec/account-centre#passkeys). */

type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

const elementWith = (name: string) => document.querySelector<HTMLElement>(`[data-${name}]`)

const accepted = elementWith('accepted')?.dataset.accepted
if (accepted) signalAcceptedPasskeys(JSON.parse(accepted) as AcceptedPasskeys)

const form = elementWith('passkey') as HTMLFormElement | null
form?.addEventListener('submit', (event) => {
  if (!form.dataset.passkey || attestationField(form).value) return
  event.preventDefault()
  void create(form, JSON.parse(form.dataset.passkey) as Options, event.submitter)
})

/** Creates a passkey and submits it with the form that requested it. */
async function create(
  target: HTMLFormElement,
  optionsJSON: Options,
  button: HTMLElement | null,
): Promise<void> {
  // The sign-in is too old, so the server would reject a new passkey. After a reload, this page first asks the user to
  // sign in again.
  if (performance.now() > Number(target.dataset.freshFor)) return location.reload()
  const problem = target.querySelector<HTMLElement>('[role=alert]')
  if (problem) problem.hidden = true
  try {
    const { id, rawId, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    const attestation = {
      id,
      rawId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject, transports },
    }
    attestationField(target).value = JSON.stringify(attestation)
    target.requestSubmit(button)
  } catch {
    if (problem) problem.hidden = false
  }
}

const attestationField = ({ elements }: HTMLFormElement) =>
  elements.namedItem('attestation') as HTMLInputElement

/**
 * Signals to the browser which passkeys the user still has, and their current names (WebAuthn §5.1.10). Not every
 * browser supports this.
 */
function signalAcceptedPasskeys({ rpId, userId, credentialIds, name, displayName }: AcceptedPasskeys): void {
  const Credential = window.PublicKeyCredential
  const ignore = () => undefined
  Credential?.signalAllAcceptedCredentials?.({
    rpId,
    userId,
    allAcceptedCredentialIds: credentialIds,
  }).catch(ignore)
  Credential?.signalCurrentUserDetails?.({ rpId, userId, name, displayName }).catch(ignore)
}
