import './log.css'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { useApplications } from './applications.ts'
import { type Log, readApplicationId, readErrorCode, readPayloadField } from './logs.ts'
import { texts } from './phrases.ts'
import { useUserNames } from './user-names.ts'

/** Shows the result of a log entry, with its error code and the number of calls that the entry stands for. */
export function LogResult({ log }: { log: Log }) {
  const t = useT(texts)
  const count = readPayloadField(log, 'count')
  const isError = log.payload.result === 'Error'
  return (
    <span className="log-result">
      <span className={isError ? 'tag bad' : 'tag good'}>{t(log.payload.result)}</span>
      {isError && (
        <code>
          <BreakableName text={readErrorCode(log)} />
        </code>
      )}
      {count && <span className="hint">{t('times', { count })}</span>}
    </span>
  )
}

/**
 * Shows a name of several words without spaces. Lines may break between the words, such as after `Interaction.` in
 * `Interaction.Create`.
 */
export const BreakableName = ({ text }: { text: string }) =>
  [...text.matchAll(/[^._]+[._]*/g)].map(({ 0: word, index }) => (
    <Fragment key={index}>
      {word}
      <wbr />
    </Fragment>
  ))

/** Links to the user if the reader may read users. Names come from `useUserNames`. */
export function UserLink({ log, names }: { log: Log; names: ReturnType<typeof useUserNames> }) {
  const mayRead = useCan('users:read')
  const id = readPayloadField(log, 'userId')
  return id && mayRead ? <Link href={`/users/${encodeURIComponent(id)}`}>{names.get(id) ?? id}</Link> : id
}

/**
 * Links to the application. Names come from `useApplications`. Built-in applications and unregistered clients have no
 * page.
 */
export function ApplicationLink({
  id,
  applications,
}: {
  id: string
  applications: ReturnType<typeof useApplications>
}) {
  const application = applications?.find((one) => one.id === id)
  if (!application) return id
  return <Link href={`/applications/${encodeURIComponent(id)}`}>{application.name}</Link>
}

/**
 * Shows the user and the application that the log entries concern. Each value comes from the first entry that has one.
 */
export function LogFacts({ rows, children }: { rows: readonly Log[]; children?: ReactNode }) {
  const t = useT(texts)
  const applications = useApplications()
  const names = useUserNames(rows)
  const userRow = rows.find((log) => readPayloadField(log, 'userId') !== '')
  const applicationId = rows.map(readApplicationId).find((id) => id !== '')
  return (
    <dl className="facts">
      {children}
      {userRow && (
        <>
          <dt>{t('user')}</dt>
          <dd>
            <UserLink log={userRow} names={names} />
          </dd>
        </>
      )}
      {applicationId && (
        <>
          <dt>{t('application')}</dt>
          <dd>
            <ApplicationLink id={applicationId} applications={applications} />
          </dd>
        </>
      )}
    </dl>
  )
}
