/** The path under which the provider answers: the issuer is an origin and this. */
export const MOUNT = '/oidc'

/** Where clients register, where the tenant lets them (spec/provider#client-registration). */
export const REGISTRATION = `${MOUNT}/register`
