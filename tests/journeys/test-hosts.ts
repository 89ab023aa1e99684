import dns from 'node:dns'
import { trustCertificate } from '../kit/certificate.ts'

/**
 * Names below `localhost` are this machine (RFC 6761 §6.3), and in these tests names below `test` are, too, as in their browser.
 * The certificate of these hosts is accepted. Loaded by each process that calls the server of the journeys.
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
