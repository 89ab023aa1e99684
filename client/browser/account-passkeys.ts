import { startRegistration } from '@simplewebauthn/browser'
import type { AcceptedPasskeys } from '../../src/contract/passkeys/passkeys.ts'

/** The script of the pages of passkeys and security keys (spec/account-centre#passkeys). All other pages have none. */

type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

const elementWith = (name: string) => document.querySelector<HTMLElement>(`[data-${name}]`)

const accepted = elementWith('accepted')?.dataset.accepted
if (accepted) tellBrowser(JSON.parse(accepted) as AcceptedPasskeys)

const form = elementWith('passkey') as HTMLFormElement | null
form?.addEventListener('submit', (event) => {
  if (!form.dataset.passkey || attestationOf(form).value) return
  event.preventDefault()
  void create(form, JSON.parse(form.dataset.passkey) as Options, event.submitter)
})

/** What was created goes with the form that asked for it. */
async function create(to: HTMLFormElement, optionsJSON: Options, button: HTMLElement | null): Promise<void> {
  // A passkey that the server would not accept any more is not made: this page asks for a fresh proof first.
  if (performance.now() > Number(to.dataset.freshFor)) return location.reload()
  const problem = to.querySelector<HTMLElement>('[role=alert]')
  if (problem) problem.hidden = true
  try {
    const { id, rawId, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    const made = {
      id,
      rawId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject, transports },
    }
    attestationOf(to).value = JSON.stringify(made)
    to.requestSubmit(button)
  } catch {
    if (problem) problem.hidden = false
  }
}

const attestationOf = ({ elements }: HTMLFormElement) => elements.namedItem('attestation') as HTMLInputElement

/** Which passkeys the user still has, and under which names (WebAuthn §5.1.10); not every browser listens. */
function tellBrowser({ rpId, userId, credentialIds, name, displayName }: AcceptedPasskeys): void {
  const Credential = window.PublicKeyCredential
  const ignore = () => undefined
  Credential?.signalAllAcceptedCredentials?.({
    rpId,
    userId,
    allAcceptedCredentialIds: credentialIds,
  }).catch(ignore)
  Credential?.signalCurrentUserDetails?.({ rpId, userId, name, displayName }).catch(ignore)
}
