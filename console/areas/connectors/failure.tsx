import { failureReasons } from '../../../src/contract/connectors/connectors.ts'
import type { SentMessage } from '../../../src/contract/connectors/message-log.schema.ts'
import { isRecord } from '../../../src/contract/is-record.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { failureTexts } from './failure-phrases.ts'

export type SendingFailure = Pick<SentMessage, 'reason' | 'answer' | 'error'>

/** Returns why a test message was not sent, or null if the API rejected the request for another reason. */
export function readSendingFailure(error: unknown): SendingFailure | null {
  if (!(error instanceof ApiProblem) || !isRecord(error.data)) return null
  const { reason, answer } = error.data
  const known = failureReasons.find((one) => one === reason)
  return known
    ? { reason: known, answer: typeof answer === 'string' ? answer : null, error: error.code }
    : null
}

/** Says why a message was not sent, with the server's own answer. */
export function FailureText({ failure: { reason, answer, error } }: { failure: SendingFailure }) {
  const t = useT(failureTexts)
  return (
    <>
      {reason ? t(`${reason}Failure`) : t('failedWith', { error: error ?? '' })}{' '}
      {answer && <span className="hint">{t('answered', { answer })}</span>}
    </>
  )
}
