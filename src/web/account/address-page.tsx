import { Address } from '../../../client/account/sign-in/address.tsx'
import { AddressCode } from '../../../client/account/sign-in/address-code.tsx'
import { sentCodePages } from '../../../client/codes/sent-code.tsx'
import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { readCode } from '../../../client/journeys/read-code.ts'
import { formatPhone } from '../../../client/phones/phones.ts'
import { proveNewAddress, removeOwnAddress, sendNewAddressCode } from '../../application/account/addresses.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, checkAddressRemoval } from '../../domain/account/address-rules.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { getUserAddress } from '../../storage/account/address-changes.ts'
import { toAccount } from '../../storage/users/users.ts'
import { deleteAccountCookie, sealAccountCookie, unsealAccountCookie } from './cookies.ts'
import type { AccountPage, FormResult, PageView } from './page.ts'
import { FieldProblem } from './problem.ts'
import type { PageContent } from './render.tsx'
import type { OpenSubmission } from './submission.ts'
import type { OpenVisit } from './visit.ts'

/** The page for the user's email address or phone number (spec/account-centre#addresses). */
export const addressPage = (type: AddressType): AccountPage => ({
  field: type,
  show: (visit, view) => showAddress(visit, view, type),
  actions: {
    send: (submission) => sendFirstCode(submission, type),
    remove: (submission) => removeAddress(submission, type),
  },
})

/** The page on which the user enters the code that was sent to a new address. */
export const addressCodePage = (type: AddressType): AccountPage => ({
  field: type,
  show: (visit, view) => showCode(visit, view, type),
  actions: {
    prove: (submission) => proveAddress(submission, type),
    resend: (submission) => resendCode(submission, type),
  },
})

async function showAddress(
  { dependencies, tenantId, readUser }: OpenVisit,
  { typed }: PageView,
  type: AddressType,
): Promise<PageContent> {
  const signedIn = await readUser()
  const { user, holding } = signedIn
  const removal = checkAddressRemoval(type, toAccount(user), await dependencies.experience.get(tenantId))
  // Only the database knows whether the user has a passkey.
  const isLast = removal.obstacle === null && removal.option.by === 'passkey' && holding.passkeys === 0
  const { value: currentValue, isVerified } = getUserAddress(user, type)
  const body = (
    <Address
      type={type}
      current={currentValue === null || type === 'email' ? currentValue : formatPhone(currentValue)}
      isVerified={isVerified}
      obstacle={isLast ? 'lastWay' : removal.obstacle}
      typed={typed.identifier ?? ''}
    />
  )
  return { title: type === 'email' ? 'input.email' : 'input.phone_number', signedIn, body }
}

async function sendFirstCode(submission: OpenSubmission, type: AddressType): Promise<FormResult> {
  const { dependencies, form, signedIn } = submission
  const boot = await submission.boot()
  const fields = { identifier: form.get('identifier') ?? '' }
  const result = await readIdentifier({ form: fields, boot, accepted: [type] })
  if (result.kind === 'problem') throw new FieldProblem('identifier', result.message)
  const address = { type, value: result.identifier.value }
  await sendCode(submission, address)
  const pending = { userId: signedIn.user.id, ...address }
  const cookie = await sealAccountCookie(dependencies, submission, '_account_address', pending)
  return { to: `/account/${type}/code`, cookies: [cookie] }
}

const sendCode = (submission: OpenSubmission, address: VerifiedAddress) =>
  sendNewAddressCode(submission.dependencies, {
    ...submission.beginChange('Account.VerificationCode.Create', { [address.type]: address.value }),
    ip: submission.ip,
    address,
  })

async function removeAddress(submission: OpenSubmission, type: AddressType): Promise<FormResult> {
  const change = submission.beginChange(`Account.${subjects[type]}.Delete`)
  await removeOwnAddress(submission.dependencies, change, type)
  return { message: 'saved' }
}

const subjects = { email: 'Email', phone: 'Phone' } as const

/** Shows the code page, or the page for entering an address if no address is pending. */
async function showCode(visit: OpenVisit, view: PageView, type: AddressType): Promise<PageContent> {
  const { dependencies, userId, readUser } = visit
  const pending = await unsealAccountCookie(dependencies, visit, '_account_address')
  if (pending?.type !== type || pending.userId !== userId) return showAddress(visit, view, type)
  const signedIn = await readUser()
  const body = <AddressCode type={type} value={pending.value} />
  return { title: sentCodePages[type].title, signedIn, body, script: 'code' }
}

async function proveAddress(submission: OpenSubmission, type: AddressType): Promise<FormResult> {
  const { dependencies, form, ip, url } = submission
  const address = await pendingAddress(submission, type)
  const code = readCode(Object.fromEntries(form), 'code')
  const change = submission.beginChange(`Account.${subjects[type]}.Update`)
  await proveNewAddress(dependencies, { ...change, ip, address, code })
  const cookies = [deleteAccountCookie('_account_address', url)]
  return { message: 'saved', to: `/account/${type}`, cookies }
}

async function resendCode(submission: OpenSubmission, type: AddressType): Promise<FormResult> {
  await sendCode(submission, await pendingAddress(submission, type))
  return { message: 'description.passcode_sent' }
}

/** Returns the pending address if it belongs to this user. The cookie may be from another user of the same browser. */
async function pendingAddress(submission: OpenSubmission, type: AddressType): Promise<VerifiedAddress> {
  const { dependencies, signedIn } = submission
  const pending = await unsealAccountCookie(dependencies, submission, '_account_address')
  if (pending?.type !== type || pending.userId !== signedIn.user.id)
    return refuseWith('verification_code.not_found')
  return { type, value: pending.value }
}
