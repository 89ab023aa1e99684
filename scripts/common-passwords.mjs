/**
 * The most common passwords that are long enough to be set at all (spec/accounts#compromised-passwords), most common first,
 * in lower case. Written to `build/common-passwords.json`, from the list of a package that is not deployed.
 */
import path from 'node:path'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN_LENGTH } from '../src/contract/identifiers.ts'
import { root } from './root.mjs'
import { writeChanged } from './write-changed.mjs'

const COUNT = 3_000

const common = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN_LENGTH)
writeChanged(path.join(root, 'build/common-passwords.json'), `${JSON.stringify(common.slice(0, COUNT))}\n`)
