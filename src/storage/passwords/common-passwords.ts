import { undecorated } from '../../domain/passwords/common-passwords.ts'

let loaded: Promise<ReadonlySet<string>> | undefined

/** Whether a password is one of the most common ones, perhaps with a decoration. The list is loaded with the first new password. */
export function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= import('../../../build/common-passwords.json').then(
    ({ default: list }) => new Set(list.map(undecorated)),
  )
  return loaded.then((list) => list.has(undecorated(password)))
}
