/**
 * Signs a user in from a terminal in the same way as on a device without a browser (docs/guides/devices.md, RFC 8628):
 * `npx node scripts/device.mjs http://localhost:8787 APPLICATION_ID`.
 */
import { generate } from 'lean-qr/nano'
import * as client from 'openid-client'
import { describeNetworkError } from '../operator/network-fault.ts'
import { parseOrigin } from '../operator/origin.ts'

/**
 * @param {string} server the origin of the server
 * @param {string} application
 * @param {{ write: (line: string) => void, fetch?: import('openid-client').CustomFetch }} terminal
 */
export async function signInAtTerminal(server, application, { write, fetch }) {
  const { origin } = parseOrigin(server)
  const isPlain = origin.startsWith('http:')
  const config = await client.discovery(new URL('/oidc', origin), application, undefined, client.None(), {
    ...(isPlain && { execute: [client.allowInsecureRequests] }),
    ...(fetch && { [client.customFetch]: fetch }),
  })
  const authorization = await client.initiateDeviceAuthorization(config, { scope: 'openid profile email' })
  write(drawQrCode(authorization.verification_uri_complete ?? authorization.verification_uri))
  write(`Open ${authorization.verification_uri} and enter ${authorization.user_code}`)
  const tokens = await client.pollDeviceAuthorizationGrant(config, authorization)
  const claims = tokens.claims()
  write(`Signed in as ${claims?.name ?? claims?.username ?? claims?.email ?? claims?.sub}`)
  return tokens
}

/** @param {unknown} error */
function reasonOf(error) {
  if (error instanceof client.ResponseBodyError) return error.error_description ?? error.error
  const { cause, todo } = describeNetworkError(error)
  return todo ? `${cause}. ${todo}` : cause
}

/**
 * The width of the light margin in modules, by which a camera finds the edge of the code (ISO/IEC 18004 §6.3.8).
 */
const QUIET_ZONE = 2

/**
 * The characters, indexed by the upper and the lower module. Light modules are drawn, because terminals are dark.
 */
const BLOCKS = [
  ['█', '▀'],
  ['▄', ' '],
]

/**
 * Draws a QR code, with two modules per character.
 *
 * @param {string} text
 */
function drawQrCode(text) {
  const code = generate(text)
  const [start, end] = [-QUIET_ZONE, code.size + QUIET_ZONE]
  let lines = ''
  for (let y = start; y < end; y += 2) {
    for (let x = start; x < end; x++) lines += BLOCKS[Number(code.get(x, y))]?.[Number(code.get(x, y + 1))]
    lines += '\n'
  }
  return lines.trimEnd()
}

if (import.meta.main) {
  const [origin, application] = process.argv.slice(2)
  if (!origin || !application) {
    console.error('Usage: npx node scripts/device.mjs ORIGIN APPLICATION_ID')
    process.exit(2)
  }
  await signInAtTerminal(origin, application, { write: console.log }).catch((error) => {
    console.error(`We couldn't sign you in: ${reasonOf(error)}`)
    process.exit(1)
  })
}
