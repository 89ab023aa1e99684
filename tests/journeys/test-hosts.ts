import dns from 'node:dns'
import tls from 'node:tls'
import { certificate } from '../kit/certificate.ts'

/**
 * Every name below `test` and `localhost` is this machine (RFC 6761 §6.2, §6.3), as in the browser of these tests, and their
 * certificate is accepted. Loaded by each process that calls the server of the journeys.
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

tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])
