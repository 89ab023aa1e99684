import { identifierProblem } from './identifiers.ts'
import { type FindProblems, foundProblems } from './problems.ts'
import { registerTermsProblems } from './terms-problems.ts'

export const registerProblems: FindProblems = (form, boot) => ({
  ...foundProblems({
    identifier: identifierProblem({ form, boot, accepted: boot.experience.signUp.identifiers }),
  }),
  ...registerTermsProblems(form, boot),
})
