import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { proveNewAddress, removeOwnAddress, sendNewAddressCode } from '../../application/account/addresses.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { digitsOf } from '../../domain/digits.ts'
import { accountCookie, forgetAccountCookie, openAccountCookie } from './cookies.ts'
import { type AccountPage, FieldProblem, type Post } from './visit.ts'

const subjects = { email: 'Email', phone: 'Phone' } as const

export const addressForms = (type: AddressType): AccountPage['actions'] => ({
  send: (post) => send(post, type),
  remove: (post) => remove(post, type),
})

export const codeForms = (type: AddressType): AccountPage['actions'] => ({
  prove: (post) => prove(post, type),
  resend: (post) => resend(post, type),
})

async function send(post: Post, type: AddressType) {
  const { dependencies, asked, form, signedIn } = post
  const boot = await post.boot()
  const typed = { identifier: form.get('identifier') ?? '' }
  const found = await readIdentifier({ form: typed, boot, accepted: [type] })
  if (found.kind === 'problem') throw new FieldProblem('identifier', found.message)
  const address = { type, value: found.identifier.value }
  await sendCode(post, address)
  const owned = { userId: signedIn.user.id, ...address }
  const cookie = await accountCookie(dependencies, asked, '_account_address', owned)
  return { to: `/account/${type}/code`, cookies: [cookie] }
}

async function resend(post: Post, type: AddressType) {
  await sendCode(post, await waitingAddress(post, type))
  return { message: 'description.passcode_sent' as const }
}

async function prove(post: Post, type: AddressType) {
  const { dependencies, asked, form } = post
  const address = await waitingAddress(post, type)
  const code = digitsOf(form.get('code') ?? '')
  const audit = post.beginAudit(`Account.${subjects[type]}.Update`)
  await proveNewAddress(dependencies, { ...post, address, code, audit })
  const cookies = [forgetAccountCookie(asked.url, '_account_address')]
  return { message: 'saved' as const, to: `/account/${type}`, cookies }
}

async function remove(post: Post, type: AddressType) {
  const audit = post.beginAudit(`Account.${subjects[type]}.Delete`)
  await removeOwnAddress(post.dependencies, { ...post, audit }, type)
  return { message: 'saved' as const }
}

const sendCode = (post: Post, address: VerifiedAddress) =>
  sendNewAddressCode(post.dependencies, {
    ...post,
    address,
    audit: post.beginAudit('Account.VerificationCode.Create', { [address.type]: address.value }),
  })

/** Of this user: another may have used the browser before. */
async function waitingAddress(
  { dependencies, asked, signedIn }: Post,
  type: AddressType,
): Promise<VerifiedAddress> {
  const waiting = await openAccountCookie(dependencies, asked, '_account_address')
  if (waiting?.type !== type || waiting.userId !== signedIn.user.id)
    return refuseWith('verification_code.not_found')
  return { type, value: waiting.value }
}
