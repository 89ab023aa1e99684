import { useState } from 'react'
import { Button } from './button.tsx'
import { useWords } from './words.ts'

/** A value to take elsewhere: an address, an id, a piece of code. */
export function Copyable({ label, value, isBlock }: { label: string; value: string; isBlock?: boolean }) {
  const words = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <div className={isBlock ? 'copyable block' : 'copyable'}>
      <span className="label">{label}</span>
      {isBlock ? (
        <pre>
          <code>{value}</code>
        </pre>
      ) : (
        <code>{value}</code>
      )}
      <Button aria-label={`${words('copy')}: ${label}`} onPress={copy}>
        {words(isCopied ? 'copied' : 'copy')}
      </Button>
    </div>
  )
}
