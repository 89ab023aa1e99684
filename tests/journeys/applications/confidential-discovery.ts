import { MockAgent, setGlobalDispatcher } from 'undici'
import '../test-hosts.ts'

/**
 * Helps the Model Context Protocol suite test a confidential client. Its version 0.2.0-alpha.12 authenticates as a
 * public client if discovery lists `none`, so it reads our document without that value. All other requests reach the
 * server unchanged.
 */
const issuer = new URL(process.env.ISSUER ?? '')
const path = `/.well-known/oauth-authorization-server${issuer.pathname}`
const document = (await (await fetch(new URL(path, issuer))).json()) as Record<string, unknown>
const methods = document.token_endpoint_auth_methods_supported as string[]

const agent = new MockAgent()
agent.enableNetConnect()
agent
  .get(issuer.origin)
  .intercept({ path })
  .reply(
    200,
    { ...document, token_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none') },
    { headers: { 'content-type': 'application/json' } },
  )
setGlobalDispatcher(agent)
