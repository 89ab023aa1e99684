import { useState } from 'react'
import { copyText } from '../browser/clipboard.ts'
import { useHydrated } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'

const said = { copied: 'vestibule.factor_codes_copied', failed: 'vestibule.factor_codes_uncopied' } as const

/** A line for each code. What became of it is shown and announced below the button. */
export function CopyCodes({ codes }: { codes: readonly string[] }) {
  const t = useT()
  const isHydrated = useHydrated()
  const [outcome, setOutcome] = useState<keyof typeof said | null>(null)
  const copy = async () => setOutcome((await copyText(codes.join('\n'))) ? 'copied' : 'failed')
  return (
    <div className="copy-codes needs-script" inert={!isHydrated}>
      <button type="button" className="link text-button" onClick={copy}>
        {t('vestibule.factor_codes_copy')}
      </button>
      <p className="copy-outcome" role="status">
        {outcome && t(said[outcome])}
      </p>
    </div>
  )
}
