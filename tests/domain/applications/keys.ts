import type { ClientKey } from '../../../src/contract/applications/applications.ts'

/** Public keys of clients, of every supported type. Their contents have the right length, but no meaning. */
export const ed25519Key = { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) } satisfies ClientKey
export const p256Key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) } satisfies ClientKey
export const p384Key = { kty: 'EC', crv: 'P-384', x: 'x'.repeat(64), y: 'y'.repeat(64) } satisfies ClientKey
export const rsaKey = { kty: 'RSA', n: 'n'.repeat(342), e: 'AQAB' } satisfies ClientKey
