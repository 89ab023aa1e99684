import type { ConnectorFailureCode } from '../contract/connectors/connectors.ts'

/** Carries a failure from a connector to the one place that answers it (spec/connectors#connector-errors). */
export class ConnectorFailure extends Error {
  readonly code: ConnectorFailureCode
  readonly data: Record<string, unknown> | undefined
  /** The provider's own words. For the log alone: they may contain anything. */
  readonly detail: unknown

  constructor(code: ConnectorFailureCode, more: { data?: Record<string, unknown>; detail?: unknown } = {}) {
    super(code)
    this.name = 'ConnectorFailure'
    this.code = code
    this.data = more.data
    this.detail = more.detail
  }
}

/** Names the fields of a configuration that are wrong, never their values. */
export const invalidConfig = (...issues: { path: string; message: string }[]) =>
  new ConnectorFailure('invalid_config', { data: { issues } })
