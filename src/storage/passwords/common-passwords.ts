import { lazy } from '../../contract/lazy.ts'
import { stripDecoration } from '../../domain/passwords/common-passwords.ts'

/**
 * Checks whether a password is one of the most common ones, possibly with added digits or symbols. The list is loaded
 * with the first new password.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(stripDecoration(password))
}

const commonPasswords = lazy(async (): Promise<ReadonlySet<string>> => {
  const { default: list } = await import('../../../build/common-passwords.json')
  return new Set(list.map(stripDecoration))
})
