/**
 * The code for passkeys. It is loaded when a page is idle, if the tenant has enabled passkeys (spec/pages#passkeys).
 */
export { offerPasskeys } from '../browser/passkeys.ts'
export { withPasskeys } from './submit.ts'
