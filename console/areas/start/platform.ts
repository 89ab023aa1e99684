/** Phrases and URLs for fixes that are made on Cloudflare (docs/operations/configuration.md). */

export const KV_NAMESPACES = 'https://dash.cloudflare.com/?to=/:account/workers/kv/namespaces'

export const SEND_EMAIL_BINDING = `[[send_email]]
name = "SEND_EMAIL"`

/** The number of requests per network per minute, by the prefix of the binding's name. */
const rateLimits = { AUTHORIZATION: 3000, PUSHED_REQUEST: 1000, TOKEN: 30000, ACCOUNT: 30 }

/** The same bindings as in this repository's wrangler.toml. */
export const RATE_LIMIT_BINDINGS = Object.entries(rateLimits)
  .map(
    ([name, limit], at) => `[[ratelimits]]
name = "${name}_RATE_LIMIT"
namespace_id = "${86_001 + at}"
simple = { limit = ${limit}, period = 60 }`,
  )
  .join('\n\n')
