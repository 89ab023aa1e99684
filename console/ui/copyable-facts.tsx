import { Fragment } from 'react'
import { Copyable } from './copy.tsx'

/** A list of named values, each with a button that copies it. */
export const CopyableFacts = ({ facts }: { facts: readonly { label: string; value: string }[] }) => (
  <dl className="facts">
    {facts.map(({ label, value }) => (
      <Fragment key={label}>
        <dt>{label}</dt>
        <dd>
          <Copyable label={label} value={value} isBare />
        </dd>
      </Fragment>
    ))}
  </dl>
)
