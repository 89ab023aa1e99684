import type { BootData } from '../../src/contract/boot.ts'
import type { Api } from '../api.ts'
import type { Reaction } from '../reactions.ts'
import { consent } from './consent.ts'
import type { FormValues } from './problems.ts'
import { chooseUsername, setPassword } from './register.ts'
import { signIn } from './sign-in.ts'

/**
 * What happens when a form is sent. Run in the browser by the form itself, and on the server for a form that was
 * posted without JavaScript (design 3).
 */
export type FormJourney = (input: { api: Api; form: FormValues; boot: BootData }) => Promise<Reaction>

/** By the path of the page the form is on, which is also where it is posted. */
export const formJourneys: Readonly<Record<string, FormJourney>> = {
  '/sign-in': signIn,
  '/sign-in/consent': consent,
  '/register': chooseUsername,
  '/register/password': setPassword,
}
