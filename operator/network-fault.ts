/** Node's error codes for a certificate that no trusted authority issued (OpenSSL's verification errors). */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Describes why a server could not be reached, with advice if there is any. */
export function describeNetworkError(error: unknown): { cause: string; todo?: string } {
  const causes = innermostCauses(error)
  if (!causes.some((cause) => UNTRUSTED.has(codeOf(cause))))
    return { cause: causes.map(messageOf).join(', ') }
  return {
    cause: `its certificate isn't trusted (${causes.map(codeOf).join(', ')})`,
    todo: 'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate, or with that of the authority that issued it.',
  }
}

/** Returns the innermost causes, because the message of the error that `fetch` throws is only `fetch failed`. */
function innermostCauses(error: unknown): unknown[] {
  if (error instanceof AggregateError) return error.errors.flatMap(innermostCauses)
  return error instanceof Error && error.cause instanceof Error ? innermostCauses(error.cause) : [error]
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
