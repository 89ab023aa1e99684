import { arrive, refresh, signIn, signOut } from './session.ts'
import { type Actions, show, showSignedIn, showSignedOut } from './view.ts'

/** The demo application: signs in, shows what an application gets to know, refreshes, signs out. */
const actions: Actions = {
  signIn: () => attempt(() => signIn('signIn')),
  createAccount: () => attempt(() => signIn('signUp')),
  signOut: () => attempt(() => signOut()),
  refresh: () =>
    attempt(async () => {
      const user = await refresh()
      if (user) showSignedIn(user, actions, 'New tokens have arrived.')
    }),
}

await attempt(async () => {
  const arrival = await arrive(window.location.search)
  if (arrival.kind === 'signedIn') return showSignedIn(arrival.user, actions)
  showSignedOut(actions, arrival.justNow ? 'You are signed out.' : undefined)
})

/** Nothing may fail in silence here: whoever integrates an application looks at this page first. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    show({ isBusy: true })
    await work()
  } catch (error) {
    showSignedOut(actions, `That did not work: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    show({ isBusy: false })
  }
}
