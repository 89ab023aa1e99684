import { lazy } from '../../contract/lazy.ts'
import { stripDecoration } from '../../domain/passwords/common-passwords.ts'

/**
 * Checks whether a password is among the most common ones, even with added digits or symbols. The list is loaded when a
 * new password is first checked.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(stripDecoration(password))
}

const commonPasswords = lazy(async (): Promise<ReadonlySet<string>> => {
  const { default: list } = await import('../../../build/common-passwords.json')
  return new Set(list.map(stripDecoration))
})
