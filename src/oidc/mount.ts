/** The path under which the provider answers: the issuer is an origin and this. */
export const MOUNT = '/oidc'
