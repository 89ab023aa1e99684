/** What is mended at the platform (docs/configuration.md). */

export const KV_NAMESPACES = 'https://dash.cloudflare.com/?to=/:account/workers/kv/namespaces'

export const SEND_EMAIL_BINDING = `[[send_email]]
name = "SEND_EMAIL"`

/** As wrangler.toml of this repository has them. */
export const RATE_LIMIT_BINDINGS = `[[ratelimits]]
name = "AUTHORIZATION_RATE_LIMIT"
namespace_id = "86001"
simple = { limit = 3000, period = 60 }

[[ratelimits]]
name = "PUSHED_REQUEST_RATE_LIMIT"
namespace_id = "86002"
simple = { limit = 1000, period = 60 }

[[ratelimits]]
name = "TOKEN_RATE_LIMIT"
namespace_id = "86003"
simple = { limit = 30000, period = 60 }

[[ratelimits]]
name = "ACCOUNT_RATE_LIMIT"
namespace_id = "86004"
simple = { limit = 30, period = 60 }`
