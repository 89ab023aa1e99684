/** Programs call these, and read errors in the form of RFC 6749 §5.2. */
const PROTOCOL_CALLS = /^(?:\/oidc)?\/(?:token(?:\/introspection|\/revocation)?|request|me|device\/auth)$/

export const isProtocolCall = (path: string): boolean => PROTOCOL_CALLS.test(path)

/** The body for a failure of the server at such a call. */
export const protocolFailure = (status: number) =>
  status === 503
    ? { error: 'temporarily_unavailable', error_description: 'a store does not answer; repeat the request' }
    : { error: 'server_error', error_description: 'an unexpected failure of the server' }
