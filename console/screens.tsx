import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startLanguage } from './phrases.ts'
import { type Arrival, grantedByToken, signIn } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { startTheme } from './theme.ts'

startTheme()
startLanguage()
const root = createRoot(document.getElementById('console') ?? document.body)

/** What a user sees who has come in this way. */
export async function show(arrival: Arrival): Promise<void> {
  switch (arrival.kind) {
    case 'signedIn':
      return root.render(<App granted={await grantedByToken()} />)
    case 'failed':
      return root.render(<SignIn error={arrival.error} />)
    case 'new':
      return signIn().catch((error: unknown) => root.render(<SignIn error={error} />))
    case 'signedOut':
      return root.render(<SignIn />)
  }
}
