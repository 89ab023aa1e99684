import type { FailureReason } from '../../src/contract/connectors/connectors.ts'

/** Explains to operators why a message was not sent, here and in the console (spec/connectors#failure-reasons). */
export const failureSentences = {
  unreachable: 'We couldn’t connect to the server. Check the host name and port.',
  timeout: 'The server took too long to answer.',
  certificate:
    'The server can be reached, but the encrypted connection failed. Check that the certificate is valid for this host, and that the port uses this kind of TLS.',
  encryption: 'The server doesn’t support STARTTLS.',
  login: 'The server doesn’t support any login method that we can use.',
  credentials: 'The server rejects the credentials.',
  sender: 'The server rejected the sender’s address.',
  recipient: 'The server rejected the recipient’s address.',
  message: 'The server rejects the message.',
  busy: 'The server is busy or having problems. Try again later.',
  unreadable: 'The server didn’t respond as expected. Check the address and port.',
} as const satisfies Record<FailureReason, string>
