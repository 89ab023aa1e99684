import { Address } from '../../../client/account/address.tsx'
import { AddressCode } from '../../../client/account/address-code.tsx'
import { shownPhone } from '../../../client/phones/phones.ts'
import { type AddressType, addressRemoval } from '../../domain/account/address-rules.ts'
import { addressOf } from '../../storage/account/address-changes.ts'
import { toAccount } from '../../storage/users/users.ts'
import { addressForms, codeForms } from './address-forms.ts'
import { openAccountCookie } from './cookies.ts'
import type { AccountPage, ShowPage, Visit } from './visit.ts'

const titles = { email: 'input.email', phone: 'input.phone_number' } as const

/** An address, and the code of a new one (spec/account-centre#addresses). */
export const addressPages = (type: AddressType): Record<`/account/${AddressType}${string}`, AccountPage> => ({
  [`/account/${type}`]: {
    field: type,
    show: showAddress(type),
    actions: addressForms(type),
  },
  [`/account/${type}/code`]: {
    field: type,
    show: showCode(type),
    actions: codeForms(type),
  },
})

const showAddress =
  (type: AddressType): ShowPage =>
  async (visit, view) =>
    addressView(type, visit, view)

const addressView = async (
  type: AddressType,
  { dependencies, tenantId, read }: Visit,
  { problem, typed }: Pick<Parameters<ShowPage>[1], 'problem' | 'typed'>,
) => {
  const { user, holding } = (await read(() => ({}))).signedIn
  const removal = addressRemoval(type, toAccount(user), await dependencies.experience.get(tenantId))
  // Whether there is a passkey is known to the database alone.
  const isLast = removal.kept === null && removal.option.by === 'passkey' && holding.passkeys === 0
  const { value: present, isVerified } = addressOf(user, type)
  const body = (
    <Address
      type={type}
      present={present === null || type === 'email' ? present : shownPhone(present)}
      isVerified={isVerified}
      kept={isLast ? 'lastWay' : removal.kept}
      typed={typed.identifier ?? ''}
      problem={problem}
    />
  )
  return { title: titles[type], user, body }
}

/** Without an address that waits, the page where one is typed. */
const showCode =
  (type: AddressType): ShowPage =>
  async (visit, view) => {
    const waiting = await openAccountCookie(visit.dependencies, visit, '_account_address')
    if (waiting?.type !== type || waiting.userId !== visit.userId) return addressView(type, visit, view)
    const { user } = (await visit.read(() => ({}))).signedIn
    const body = <AddressCode type={type} value={waiting.value} problem={view.problem} />
    return { title: 'action.enter_passcode', user, body }
  }
