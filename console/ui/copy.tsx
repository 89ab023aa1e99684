import { useState } from 'react'
import { useT } from '../phrases.ts'
import { Button } from './button.tsx'

type CopyableProps = {
  label: string
  value: string
  isBlock?: boolean
  /** Hides the label visually, because the text next to the value already names it. */
  isBare?: boolean
  /** The text that is shown instead of the value. */
  display?: string
}

/** A value to copy: a URL, an ID or a piece of code. */
export function Copyable({ label, value, isBlock, isBare, display = value }: CopyableProps) {
  const t = useT()
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(value)
    setTimeout(() => setCopied(null), 2000)
  }
  const button = (
    <Button aria-label={`${t('copy')}: ${label}`} onPress={copy}>
      {t(copied === value ? 'copied' : 'copy')}
    </Button>
  )
  const visibleLabel = !isBare && <span className="label">{label}</span>
  if (isBlock)
    return (
      <div className="copyable block">
        <div className="copyable-head">
          {visibleLabel}
          {button}
        </div>
        <pre>
          <code>{display}</code>
        </pre>
      </div>
    )
  return (
    <div className="copyable">
      {visibleLabel}
      <code>{display}</code>
      {button}
    </div>
  )
}
