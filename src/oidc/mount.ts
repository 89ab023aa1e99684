/** The path under which the provider is served. The issuer consists of an origin and this path. */
export const OIDC_PATH = '/oidc'

/** The path at which clients register, if the tenant allows it (spec/provider#client-registration). */
export const REGISTRATION_PATH = `${OIDC_PATH}/register`
