/** The endpoints that applications call directly, and that therefore return errors in the format of RFC 6749 §5.2. */
const PROTOCOL_CALLS = /^(?:\/oidc)?\/(?:token(?:\/introspection|\/revocation)?|request|me|device\/auth)$/

export const isProtocolEndpoint = (path: string): boolean => PROTOCOL_CALLS.test(path)

/** Returns the response body for a server error at an endpoint that applications call directly. */
export const serverErrorBody = (status: number) =>
  status === 503
    ? {
        error: 'temporarily_unavailable',
        error_description: 'a data store is not responding; repeat the request',
      }
    : { error: 'server_error', error_description: 'an unexpected server error' }
