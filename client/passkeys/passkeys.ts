/** The part of the script that the pages of a tenant with passkeys load when they are idle (spec/pages#passkeys). */
export { offerPasskeys } from '../browser/passkeys.ts'
export { withPasskeys } from './submit.ts'
