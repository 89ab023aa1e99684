import { MockAgent, setGlobalDispatcher } from 'undici'
import '../test-hosts.ts'

/**
 * For the suite of the Model Context Protocol, with a confidential client: in 0.2.0-alpha.12 it authenticates as a public one
 * wherever discovery names `none`. So it reads our document without that value; everything else reaches the server.
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
