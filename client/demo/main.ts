import { callAccount, readArrival, refreshTokens, signIn, signOut } from './session.ts'
import { type Actions, showSignedIn, showSignedOut, showView } from './view.ts'
import './demo.css'

/** The demo application: signs in, shows claims and tokens, refreshes, signs out (spec/pages#demo-app). */
const actions: Actions = {
  signIn: () => attempt(() => signIn('signIn')),
  createAccount: () => attempt(() => signIn('signUp')),
  signOut: () => attempt(() => signOut()),
  refresh: () =>
    attempt(async () => {
      const user = await refreshTokens()
      if (user) showSignedIn(user, actions, 'New tokens have arrived.')
    }),
  changePassword: (user, password) =>
    attempt(async () => {
      const answer = await callAccount(user, '/password', { password })
      if (!answer) return
      const refusal = answer.ok ? null : ((await answer.json()) as { message: string })
      showSignedIn(user, actions, refusal?.message ?? 'The password is changed.')
    }),
}

const notices: Readonly<Record<string, string>> = {
  completed: 'The account centre says: completed.',
  cancelled: 'The account centre says: cancelled.',
}

await attempt(async () => {
  const arrival = await readArrival(window.location.search)
  if (arrival.kind === 'signedIn') {
    return showSignedIn(arrival.user, actions, notices[arrival.result ?? ''])
  }
  showSignedOut(actions, arrival.justNow ? 'You are signed out.' : undefined)
})

/** Every failure is shown: developers look at this page first when they integrate an application. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    showView({ isBusy: true })
    await work()
  } catch (error) {
    showSignedOut(actions, `That did not work: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    showView({ isBusy: false })
  }
}
