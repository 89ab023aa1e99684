import { PASSKEY_ALGORITHMS } from '../../contract/passkeys/passkeys.ts'
import { createdAt, ids } from './openapi-example-facts.ts'

/** Fictional passkeys for the OpenAPI examples. */
const challenge = 'MkFhQmNEZUZnSGlKa0xtTm9QcVJzVHVWd1h5Wg'
const timeout = 300_000

export const passkey = {
  id: ids.passkey,
  name: 'Bitwarden',
  aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349',
  rpId: 'example.com',
  transports: ['internal', 'hybrid'],
  isBackupEligible: true,
  isBackedUp: true,
  createdAt,
  lastUsedAt: null,
  isSecondFactor: false,
}

/** A passkey in the import format. Its public key is the point from RFC 9052 §C.7.1. */
export const importedPasskey = {
  id: ids.passkey,
  publicKey:
    'pQECAyYgASFYIGXtpaEld8K66ClDf-M4cBoQqqN14btbXeEI3kOcCFUdIlggHlLtdXARY_f55A3fnzQbPcm6hgr34Mp8p-nuzQCE0Zw',
  counter: 0,
  isBackupEligible: true,
}

export const requestOptions = { challenge, rpId: 'example.com', timeout, userVerification: 'required' }

export const securityKeyOptions = {
  ...requestOptions,
  userVerification: 'discouraged',
  allowCredentials: [{ id: ids.passkey, type: 'public-key', transports: ['usb', 'nfc'] }],
}

export const creationOptions = {
  challenge,
  rp: { id: 'example.com', name: 'Acme' },
  user: { id: 'YTFCMmMzRDRlNUY2', name: 'ann', displayName: 'Ann Example' },
  pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: [],
  timeout,
  attestation: 'none',
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
}

/** A shortened attestation; authenticators return longer ones. */
export const attestation = {
  id: ids.passkey,
  rawId: ids.passkey,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ',
    transports: ['internal', 'hybrid'],
  },
}
