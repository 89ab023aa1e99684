import { callAccountApi, handleCallback, refreshTokens, signIn, signOut } from './session.ts'
import { type DemoActions, setViewState, showSignedIn, showSignedOut } from './view.ts'
import './demo.css'

/** The demo application. It signs in, shows claims and tokens, refreshes them, and signs out (spec/pages#demo-app). */
const actions: DemoActions = {
  signIn: () => attempt(() => signIn('signIn')),
  createAccount: () => attempt(() => signIn('signUp')),
  signOut: () => attempt(() => signOut()),
  refresh: () =>
    attempt(async () => {
      const user = await refreshTokens()
      if (user) showSignedIn(user, actions, 'You have new tokens.')
    }),
  changePassword: (user, password) =>
    attempt(async () => {
      const response = await callAccountApi(user, '/password', { password })
      if (!response) return
      const refusal = response.ok ? null : ((await response.json()) as { message: string })
      showSignedIn(user, actions, refusal?.message ?? 'Your password has been changed.')
    }),
}

const notices: Readonly<Record<string, string>> = {
  completed: 'You have completed your task in the account center.',
  cancelled: 'You have canceled your task in the account center.',
}

await attempt(async () => {
  const arrival = await handleCallback(window.location.search)
  if (arrival.kind === 'signedIn') {
    return showSignedIn(arrival.user, actions, notices[arrival.result ?? ''])
  }
  showSignedOut(actions, arrival.justNow ? 'You have signed out.' : undefined)
})

/**
 * Every failure is shown, because this page is the first that developers look at when they integrate an
 * application.
 */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    setViewState({ isBusy: true })
    await work()
  } catch (error) {
    showSignedOut(actions, `Something went wrong: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    setViewState({ isBusy: false })
  }
}
