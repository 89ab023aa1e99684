import { identifierProblems, passwordProblems } from './problems.ts'
import { andTerms, signInTermsProblems } from './terms-problems.ts'

/** What is wrong with the forms of the sign-in page before a call, by what they ask for. */
export const signInProblems = {
  identifier: andTerms(identifierProblems),
  password: andTerms((form, boot) => ({
    ...identifierProblems(form, boot),
    ...passwordProblems(form, boot),
  })),
  social: signInTermsProblems,
}
