import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import tls from 'node:tls'

/**
 * The self-signed certificate of the servers that tests start, for `localhost`, `*.vestibule.test` and
 * `*.example.test`.
 */
export const certificateFile = path.join(import.meta.dirname, 'loopback.crt')

export const certificate = {
  key: readFileSync(path.join(import.meta.dirname, 'loopback.key'), 'utf8'),
  cert: readFileSync(certificateFile, 'utf8'),
}

/**
 * Makes this process accept the certificate from now on. Processes that are started with
 * `NODE_EXTRA_CA_CERTS` accept it anyway.
 */
export const trustCertificate = () =>
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])

/**
 * The hash by which Chromium accepts the certificate without an error, because WebAuthn does not work on pages with
 * certificate errors (RFC 7469 §2.4).
 */
export const publicKeyHash = createHash('sha256')
  .update(new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')
