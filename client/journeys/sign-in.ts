import type { IdentifierPayload } from '../../src/contract/identifiers.ts'
import { guessType, signInScreen } from '../../src/domain/experience-rules.ts'
import { react } from '../reaction-table.ts'
import type { FormJourney, PageJourneys } from './journey.ts'
import { firstProblem, signInProblems, typed } from './problems.ts'
import { submit } from './submit.ts'

/** PUT interaction with the password, then submit (contract 2.8, password sign-in). */
export const signIn: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(signInProblems(form, boot))
  if (problem) return problem

  const screen = signInScreen(boot.experience)
  const accepted = 'identifiers' in screen ? screen.identifiers : []
  const identifier = withPassword(typed(form, 'identifier'), form.password ?? '', accepted)
  const started = await api.start({ event: 'SignIn', identifier })
  return started.ok ? submit(api, boot) : react(started.error, boot)
}

function withPassword(
  text: string,
  password: string,
  accepted: Parameters<typeof guessType>[1],
): IdentifierPayload {
  switch (guessType(text, accepted)) {
    case 'email':
      return { email: text, password }
    case 'phone':
      return { phone: text.replaceAll(/\D/g, ''), password } // contract 11.9: digits only on the wire
    case 'username':
    case null:
      return { username: text, password }
  }
}

export const signInJourneys: PageJourneys = { send: signIn }
