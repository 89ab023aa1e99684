import type { ConnectorFailureCode } from '../contract/connectors.ts'

/** Carries a failure from a connector to the one place that answers it. */
export class ConnectorFailure extends Error {
  readonly code: ConnectorFailureCode
  readonly data: Record<string, unknown> | undefined
  /** The provider's own words. For the log alone: they may hold anything. */
  readonly detail: unknown

  constructor(code: ConnectorFailureCode, more: { data?: Record<string, unknown>; detail?: unknown } = {}) {
    super(code)
    this.name = 'ConnectorFailure'
    this.code = code
    this.data = more.data
    this.detail = more.detail
  }
}
