import { identifierProblem } from './identifiers.ts'
import { type Validator, withoutEmpty } from './problems.ts'
import { registerTermsProblems } from './terms-problems.ts'

export const registerProblems: Validator = (form, boot) => ({
  ...withoutEmpty({
    identifier: identifierProblem({ form, boot, accepted: boot.experience.signUp.identifiers }),
  }),
  ...registerTermsProblems(form, boot),
})
