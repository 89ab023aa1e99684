import { useState } from 'react'
import { Button } from './button.tsx'
import { useWords } from './words.ts'

type CopyableProps = {
  label: string
  value: string
  isBlock?: boolean
  /** The label is seen beside it already. */
  isBare?: boolean
  /** What is seen in place of the value. */
  shown?: string
}

/** A value to take elsewhere: an address, an id, a piece of code. */
export function Copyable({ label, value, isBlock, isBare, shown = value }: CopyableProps) {
  const words = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <div className={isBlock ? 'copyable block' : 'copyable'}>
      {!isBare && <span className="label">{label}</span>}
      {isBlock ? (
        <pre>
          <code>{shown}</code>
        </pre>
      ) : (
        <code>{shown}</code>
      )}
      <Button aria-label={`${words('copy')}: ${label}`} onPress={copy}>
        {words(isCopied ? 'copied' : 'copy')}
      </Button>
    </div>
  )
}
