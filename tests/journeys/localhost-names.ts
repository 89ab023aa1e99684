import dns from 'node:dns'

/**
 * Every name below `localhost` is this machine (RFC 6761 §6.3), as in Chromium. The resolver of a plain Debian does not
 * know that, and tenants of the started server answer at such names.
 */
const { lookup } = dns
const { lookup: lookupPromise } = dns.promises

const loopback = (name: unknown) =>
  typeof name === 'string' && name.endsWith('.localhost') ? 'localhost' : name

dns.lookup = Object.assign(
  (name: unknown, ...rest: unknown[]) => Reflect.apply(lookup, dns, [loopback(name), ...rest]),
  lookup,
)
dns.promises.lookup = Object.assign(
  (name: unknown, ...rest: unknown[]) =>
    Reflect.apply(lookupPromise, dns.promises, [loopback(name), ...rest]),
  lookupPromise,
)
