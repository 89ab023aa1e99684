import { type GuideValues, usesPlainHttp } from './guide.ts'

/** The parts that the guides for openid-client share. */

export const openidClient = {
  install: 'npm install openid-client',
  library: 'https://github.com/panva/openid-client',
}

/**
 * Returns the code that reads the provider's metadata. `secret` is the expression that reads the secret, or null for a
 * client without one.
 */
export function discoverySnippet(values: GuideValues, secret: string | null, indent = ''): string {
  const args = [
    `new URL('${values.issuer}')`,
    `'${values.clientId}'`,
    secret ?? 'undefined',
    ...(secret === null ? ['client.None()'] : usesPlainHttp(values) ? ['undefined'] : []),
    // Plain http is only used on the developer's machine.
    ...(usesPlainHttp(values) ? ['{ execute: [client.allowInsecureRequests] }'] : []),
  ]
  return `client.discovery(\n${args.map((arg) => `${indent}  ${arg},\n`).join('')}${indent})`
}

/** Returns the code that builds the authorization request, with the `verifier` and `state` that the callback needs. */
export const authorizationRequestSnippet = (indent: string, more = ''): string =>
  `${indent}const verifier = client.randomPKCECodeVerifier()
${indent}const state = client.randomState()
${indent}const address = client.buildAuthorizationUrl(config, {
${indent}  redirect_uri: redirectUri,
${indent}  scope: 'openid profile email',
${more}${indent}  code_challenge: await client.calculatePKCECodeChallenge(verifier),
${indent}  code_challenge_method: 'S256',
${indent}  state,
${indent}})`

export const SECRET_EXPRESSION = 'process.env.CLIENT_SECRET'
