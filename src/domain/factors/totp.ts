/** Time-based one-time codes of authenticator apps (RFC 6238, spec/accounts#totp): what follows from values alone. */

/** What every authenticator app supports: SHA-1, six digits, thirty seconds. */
const TOTP_DIGITS = 6
const STEP_SECONDS = 30
/** RFC 6238 §5.2: a clock that is off, and the time to type. */
const TOLERANCE_STEPS = 1

/** RFC 4226 §4 recommends 160 bits. */
export const TOTP_SECRET_BYTES = 20

export const totpStep = (now: number): number => Math.floor(now / (STEP_SECONDS * 1000))

/** The steps whose code counts now; the present one first, since it is the likely one. */
export function acceptedSteps(now: number): number[] {
  const present = totpStep(now)
  const others = Array.from({ length: TOLERANCE_STEPS }, (_, index) => [
    present - index - 1,
    present + index + 1,
  ])
  return [present, ...others.flat()].filter((step) => step >= 0)
}

/** The moving factor of RFC 4226 §5.1: eight bytes, the most significant first. */
export function movingFactor(step: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(step))
  return bytes
}

/** RFC 4226 §5.3: dynamic truncation of the HMAC. */
export function truncatedCode(hmac: Uint8Array, digits: number = TOTP_DIGITS): string {
  const view = new DataView(hmac.buffer, hmac.byteOffset, hmac.byteLength)
  const offset = view.getUint8(hmac.byteLength - 1) & 0x0f
  const number = view.getUint32(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Authenticator apps show a code in two groups; null for what is no code. */
export function readTotpCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' // RFC 4648 §6
const BITS_PER_LETTER = 5

/** Without padding: a secret of 20 bytes needs none. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(BITS_PER_LETTER, '0'), 2)]).join('')
}

/** In any case, with spaces and padding, as people copy it; null for what is no Base32. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const letters = text.toUpperCase().replaceAll(/[\s=]/g, '')
  if (!/^[A-Z2-7]+$/.test(letters)) return null
  const bits = Array.from(letters, (letter) =>
    BASE32.indexOf(letter).toString(2).padStart(BITS_PER_LETTER, '0'),
  ).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

/** What the QR code says. The apps take the issuer from the label, or from the parameter, so both have it. */
export function totpAddress({
  secret,
  issuer,
  account,
}: {
  secret: string
  issuer: string
  account: string
}): string {
  // The label separates its parts by a colon.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
