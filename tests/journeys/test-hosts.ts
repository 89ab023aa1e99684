import dns from 'node:dns'
import { trustCertificate } from '../kit/certificate.ts'

/**
 * Resolves names under `test` to this machine, as the browser of these tests does, in addition to names under
 * `localhost` (RFC 6761 §6.3), and accepts the certificate of these hosts. Every process that calls the
 * server of the browser tests loads this file.
 */
const { lookup } = dns
const { lookup: lookupPromise } = dns.promises

const loopback = (name: unknown) =>
  typeof name === 'string' && /\.(?:test|localhost)$/.test(name) ? 'localhost' : name

dns.lookup = Object.assign(
  (name: unknown, ...rest: unknown[]) => Reflect.apply(lookup, dns, [loopback(name), ...rest]),
  lookup,
)
dns.promises.lookup = Object.assign(
  (name: unknown, ...rest: unknown[]) =>
    Reflect.apply(lookupPromise, dns.promises, [loopback(name), ...rest]),
  lookupPromise,
)

trustCertificate()
