import dns from 'node:dns'
import { trustCertificate } from '../kit/certificate.ts'

/**
 * Resolves names under `test` to this machine, as the browser of these tests does, in addition to names under
 * `localhost` (RFC 6761 §6.3). The certificate of these hosts is accepted. Each process that calls the server of the
 * journeys loads this file.
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
