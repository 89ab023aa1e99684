import type { FailureReason } from '../src/contract/connectors/connectors.ts'

/** Explains to operators why a message was not sent (spec/connectors#failure-reasons). */
export const failureSentences = {
  unreachable: 'There is no connection to the server. Check its name and the port.',
  timeout: 'The server took too long to answer.',
  certificate:
    'The server can be reached, but the encrypted connection failed. Check that the certificate is valid for this host, and that the port uses this kind of TLS.',
  encryption: 'The server offers no encryption with STARTTLS.',
  login: 'The server offers no kind of login that we support.',
  credentials: 'The server rejects the credentials.',
  sender: 'The server rejects the address of the sender.',
  recipient: 'The server rejects the address of the recipient.',
  message: 'The server rejects the message.',
  busy: 'The server is busy or has a fault. Try again later.',
  unreadable: 'The answer of the server follows another protocol. Check the address and the port.',
} as const satisfies Record<FailureReason, string>
