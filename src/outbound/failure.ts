import type { ConnectorFailureCode, FailureReason } from '../contract/connectors/connectors.ts'

/**
 * The error that a connector throws if it fails. All such errors are converted to responses in one place
 * (spec/connectors#connector-errors).
 */
export class ConnectorFailure extends Error {
  readonly code: ConnectorFailureCode
  readonly data: Record<string, unknown> | undefined
  /** The provider's own error message. It is only logged, because its content is not under our control. */
  readonly detail: unknown
  /** Why a message was not sent, or null if the code says it. */
  readonly reason: FailureReason | null
  /** The answer of the server, if there was one. It may quote what it received, so only its masked form is shown. */
  readonly answer: string | undefined

  constructor(
    code: ConnectorFailureCode,
    options: {
      data?: Record<string, unknown>
      detail?: unknown
      reason?: FailureReason | null
      answer?: string
    } = {},
  ) {
    super(code)
    this.name = 'ConnectorFailure'
    this.code = code
    this.data = options.data
    this.detail = options.detail
    this.reason = options.reason ?? (code === 'invalid_response' ? 'unreadable' : null)
    this.answer = options.answer
  }
}

/** Creates an error that names the invalid fields of a configuration, but never their values. */
export const invalidConfigFailure = (...issues: { path: string; message: string }[]) =>
  new ConnectorFailure('invalid_config', { data: { issues } })
