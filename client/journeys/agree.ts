import type { FormJourney } from './journey.ts'
import { submitAndReact } from './submit.ts'

/** Yes to the terms, for which the submit before was refused (spec/interaction#agreement). */
export const agreeToTerms: FormJourney = ({ api, boot }) =>
  submitAndReact(api, { ...boot, navigation: { ...boot.navigation, hasAgreed: true } })
