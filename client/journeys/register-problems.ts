import { identifierProblem } from './identifiers.ts'
import { type FindProblems, foundProblems } from './problems.ts'
import { termsProblemsOf } from './terms-problems.ts'

export const termsProblems = termsProblemsOf('Register')

export const registerProblems: FindProblems = (form, boot) => ({
  ...foundProblems({
    identifier: identifierProblem({ form, boot, accepted: boot.experience.signUp.identifiers }),
  }),
  ...termsProblems(form, boot),
})
