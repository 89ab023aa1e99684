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

type UserNames = ReturnType<typeof useUserNames>
type Applications = ReturnType<typeof useApplications>

/** Links to the user that an entry is about. */
export const UserLink = ({ log, names }: { log: Log; names: UserNames }) => (
  <UserName id={readPayloadField(log, 'userId')} names={names} />
)

/** Links to the user if the reader may read users. Names come from `useUserNames`. Erased users have no page. */
function UserName({ id, names }: { id: string; names: UserNames }) {
  const mayRead = useCan('users:read')
  const name = names.get(id) ?? id
  return id && mayRead && id !== ERASED ? <Link href={`/users/${encodeURIComponent(id)}`}>{name}</Link> : name
}

const ERASED = '******' // spec/storage#erasure

/** Links to whoever caused an entry: a user, an administrator or an application. */
export function ActorLink({
  log: { actor },
  names,
  applications,
}: {
  log: Log
  names: UserNames
  applications: Applications
}) {
  const t = useT(texts)
  if (!actor) return null
  const { type, id } = actor
  if (type === 'system' || id === null) return t('system')
  const link =
    type === 'application' ? (
      <ApplicationLink id={id} applications={applications} />
    ) : (
      <UserName id={id} names={names} />
    )
  return (
    <span className="log-actor">
      {link}
      {type !== 'user' && <small className="hint">{t(type)}</small>}
    </span>
  )
}

/**
 * Links to the application. Names come from `useApplications`. Built-in applications and unregistered clients have no
 * page.
 */
export function ApplicationLink({ id, applications }: { id: string; applications: Applications }) {
  const application = applications?.find((one) => one.id === id)
  if (!application) return id
  return <Link href={`/applications/${encodeURIComponent(id)}`}>{application.name}</Link>
}

/**
 * Shows who caused the log entries, and the user and the application that they concern. Each value comes from the first
 * entry that has one.
 */
export function LogFacts({ rows, children }: { rows: readonly Log[]; children?: ReactNode }) {
  const t = useT(texts)
  const applications = useApplications()
  const names = useUserNames(rows)
  const userRow = rows.find((log) => readPayloadField(log, 'userId') !== '')
  const actorRow = rows.find(({ actor }) => actor !== null)
  const applicationId = rows.map(readApplicationId).find((id) => id !== '')
  return (
    <dl className="facts">
      {children}
      {actorRow && (
        <>
          <dt>{t('by')}</dt>
          <dd>
            <ActorLink log={actorRow} names={names} applications={applications} />
          </dd>
        </>
      )}
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
