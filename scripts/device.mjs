/**
 * Signs a user in from a terminal, as a device without a browser does (docs/integration.md#devices, RFC 8628):
 * `npx node scripts/device.mjs http://localhost:8787 APPLICATION_ID`.
 */
import * as client from 'openid-client'
import { qrCode } from '../src/domain/qr-code.ts'

/**
 * @param {string} origin
 * @param {string} application
 * @param {{ write: (line: string) => void, fetch?: import('openid-client').CustomFetch }} terminal
 */
export async function signInAtTerminal(origin, application, { write, fetch }) {
  const isLocal = new URL(origin).protocol === 'http:'
  const config = await client.discovery(new URL('/oidc', origin), application, undefined, client.None(), {
    ...(isLocal && { execute: [client.allowInsecureRequests] }),
    ...(fetch && { [client.customFetch]: fetch }),
  })
  const started = await client.initiateDeviceAuthorization(config, { scope: 'openid profile email' })
  const address = started.verification_uri_complete ?? started.verification_uri
  write(drawn(address))
  write(`Open ${started.verification_uri} and enter ${started.user_code}`)
  const tokens = await client.pollDeviceAuthorizationGrant(config, started)
  const claims = tokens.claims()
  write(`Signed in as ${claims?.name ?? claims?.username ?? claims?.email ?? claims?.sub}`)
  return tokens
}

/** Light modules around the code, so that a camera finds its edge (ISO/IEC 18004 §6.3.8). */
const QUIET = 2

/** By [upper][lower]: what is light is drawn, because terminals are dark. */
const BLOCKS = [
  ['█', '▀'],
  ['▄', ' '],
]

/**
 * A QR code in characters of two modules each.
 * @param {string} text
 */
function drawn(text) {
  const code = qrCode(text) ?? []
  const sides = Array.from({ length: QUIET }, () => false)
  const rows = [
    ...sides.map(() => []),
    ...code.map((row) => [...sides, ...row, ...sides]),
    ...sides.map(() => []),
    [],
  ]
  const width = code.length + 2 * QUIET
  const lines = []
  for (let top = 0; top + 1 < rows.length; top += 2) {
    lines.push(
      Array.from(
        { length: width },
        (_, at) => BLOCKS[Number(rows[top]?.[at] ?? false)]?.[Number(rows[top + 1]?.[at] ?? false)] ?? '',
      ).join(''),
    )
  }
  return lines.join('\n')
}

if (import.meta.main) {
  const [origin, application] = process.argv.slice(2)
  if (!origin || !application) {
    console.error('Usage: npx node scripts/device.mjs ORIGIN APPLICATION_ID')
    process.exit(2)
  }
  await signInAtTerminal(origin, application, { write: console.log })
}
