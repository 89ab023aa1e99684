import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { chooseLanguage, currentLanguage } from './phrases.ts'
import { readArrival, signIn } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { startTheme } from './theme.ts'

startTheme()
chooseLanguage(currentLanguage())
const root = createRoot(document.getElementById('console') ?? document.body)
const arrival = await readArrival()
switch (arrival.kind) {
  case 'signedIn':
    root.render(<App />)
    break
  case 'failed':
    root.render(<SignIn error={arrival.error} />)
    break
  case 'new':
    // Who is signed in at the provider sees no page in between.
    await signIn().catch((error: Error) => root.render(<SignIn error={error.message} />))
    break
  case 'signedOut':
    root.render(<SignIn />)
}
