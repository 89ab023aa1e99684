/**
 * Manages `.dev.vars`, which contains the secrets of this checkout. They are generated once and never committed
 * (spec/management#development).
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const newSecret = () => randomBytes(32).toString('base64url')

const REQUIRED = {
  ROOT_SECRET: newSecret,
  MANAGEMENT_CLIENT_SECRET: newSecret,
  ENVIRONMENT: () => 'development',
}

/**
 * Creates the file, or adds the keys that are missing. An existing key keeps its value, even an empty one.
 *
 * @param {string} root
 */
export function ensureDevVars(root) {
  const file = path.join(root, '.dev.vars')
  if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 })
  const before = readFileSync(file, 'utf8')
  const missing = Object.entries(REQUIRED).filter(([key]) => !defines(before, key))
  if (missing.length === 0) return

  const added = missing.map(([key, value]) => `${key}=${value()}\n`).join('')
  appendFileSync(file, before === '' || before.endsWith('\n') ? added : `\n${added}`)
}

/** @param {string} text @param {string} key */
function defines(text, key) {
  return new RegExp(`^\\s*(export\\s+)?${key}\\s*=`, 'm').test(text)
}
