import { react } from '../reaction-table.ts'
import type { FormJourney, PageJourneys } from './journey.ts'
import { firstProblem, newPasswordProblems, registerProblems, typed } from './problems.ts'
import { submit } from './submit.ts'

/** PUT interaction with the username, then submit: the name is checked, and a password is asked for (contract 2.8). */
export const chooseUsername: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(registerProblems(form, boot))
  if (problem) return problem

  const username = typed(form, 'identifier')
  const started = await api.start({ event: 'Register', profile: { username } })
  if (!started.ok) return react(started.error, boot)
  return submit(api, boot, {
    'user.missing_profile': ({ data, message }) =>
      asksFor(data, 'password')
        ? {
            kind: 'goTo',
            path: '/register/password',
            step: { identifier: { type: 'username', value: username } },
          }
        : { kind: 'toast', message },
  })
}

/** PATCH profile with the password, then submit (contract 2.8). */
export const setPassword: FormJourney = async ({ api, form, boot }) => {
  const problem = firstProblem(newPasswordProblems(form, boot))
  if (problem) return problem

  const completed = await api.completeProfile({ password: form.newPassword })
  if (!completed.ok) return react(completed.error, boot)
  return submit(api, boot, {
    'user.username_already_in_use': ({ message }) => ({ kind: 'alert', message, back: 1 }),
  })
}

/** Only the first missing item decides (contract 10.4). */
function asksFor(data: unknown, item: string): boolean {
  return (
    typeof data === 'object' &&
    data !== null &&
    'missingProfile' in data &&
    Array.isArray(data.missingProfile) &&
    data.missingProfile[0] === item
  )
}

export const registerJourneys: PageJourneys = { send: chooseUsername }
export const registerPasswordJourneys: PageJourneys = { send: setPassword }
