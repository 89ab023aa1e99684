import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyLanguage } from './phrases.ts'
import { readTokenPermissions, type StartState, signIn } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { initTheme } from './theme.ts'

initTheme()
applyLanguage()
const root = createRoot(document.getElementById('console') ?? document.body)

/** Renders the screen on which the console starts. */
export async function renderScreen(state: StartState): Promise<void> {
  switch (state.kind) {
    case 'signedIn':
      return root.render(<App granted={await readTokenPermissions()} />)
    case 'failed':
      return root.render(<SignIn error={state.error} />)
    case 'new':
      return signIn().catch((error: unknown) => root.render(<SignIn error={error} />))
    case 'signedOut':
      return root.render(<SignIn />)
  }
}
