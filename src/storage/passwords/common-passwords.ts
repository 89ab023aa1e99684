import { lazy } from '../../contract/lazy.ts'
import { stripDecoration } from '../../domain/passwords/common-passwords.ts'

/** Whether a password is one of the most common ones, perhaps with a decoration. The list is loaded with the first new password. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(stripDecoration(password))
}

const commonPasswords = lazy(async (): Promise<ReadonlySet<string>> => {
  const { default: list } = await import('../../../build/common-passwords.json')
  return new Set(list.map(stripDecoration))
})
