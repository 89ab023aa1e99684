/** What Node says of a certificate that no authority it knows has issued (OpenSSL's verification errors). */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Why a server was not reached, and what to do where that is known. */
export function describeNetworkError(error: unknown): { cause: string; todo?: string } {
  const causes = innermost(error)
  if (!causes.some((cause) => UNTRUSTED.has(codeOf(cause))))
    return { cause: causes.map(messageOf).join(', ') }
  return {
    cause: `its certificate is not trusted (${causes.map(codeOf).join(', ')})`,
    todo: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate, or with the authority that issued it.',
  }
}

/** The message of `fetch` itself is only `fetch failed`. */
function innermost(error: unknown): unknown[] {
  if (error instanceof AggregateError) return error.errors.flatMap(innermost)
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : [error]
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
