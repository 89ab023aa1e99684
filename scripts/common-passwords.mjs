/**
 * Writes `build/common-passwords.json`, in lower case: the most common passwords that meet the minimum length, and the
 * most common words that reach it with a few added characters (spec/accounts#compromised-passwords). The list comes
 * from a package that is not deployed.
 */
import path from 'node:path'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN_LENGTH } from '../src/contract/interactions/identifiers.ts'
import { root } from './root.mjs'
import { writeIfChanged } from './write-changed.mjs'

const LONG_COUNT = 3_000
const WORD_COUNT = 1_000

const common = dictionary['passwords-common']
const long = common.filter((password) => password.length >= PASSWORD_MIN_LENGTH).slice(0, LONG_COUNT)
const words = common
  .filter((password) => password.length < PASSWORD_MIN_LENGTH && /^[a-z]{5,}$/.test(password))
  .slice(0, WORD_COUNT)
writeIfChanged(path.join(root, 'build/common-passwords.json'), `${JSON.stringify([...long, ...words])}\n`)
