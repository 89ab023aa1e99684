/**
 * The most common passwords that are long enough to be set at all, and the most common words that become long enough with a
 * decoration (spec/accounts#compromised-passwords), in lower case. Written to `build/common-passwords.json`, from the list of a
 * package that is not deployed.
 */
import path from 'node:path'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN_LENGTH } from '../src/contract/interactions/identifiers.ts'
import { root } from './root.mjs'
import { writeChanged } from './write-changed.mjs'

const LONG_COUNT = 3_000
const WORD_COUNT = 1_000

const common = dictionary['passwords-common']
const long = common.filter((password) => password.length >= PASSWORD_MIN_LENGTH).slice(0, LONG_COUNT)
const words = common
  .filter((password) => password.length < PASSWORD_MIN_LENGTH && /^[a-z]{5,}$/.test(password))
  .slice(0, WORD_COUNT)
writeChanged(path.join(root, 'build/common-passwords.json'), `${JSON.stringify([...long, ...words])}\n`)
