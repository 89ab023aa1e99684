import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { phrases, useT } from '../phrases.ts'
import { Button } from './button.tsx'

const texts = phrases({
  en: {
    missing:
      'We couldn’t load this page. The console may have been updated, or the server may not be responding. Your unsaved changes are kept.',
    failed:
      'Something went wrong on this page ({message}). Reload it; your unsaved changes are kept. If it happens again, report this message.',
    reload: 'Reload',
  },
  de: {
    missing:
      'Diese Seite ließ sich nicht laden. Vielleicht wurde die Konsole aktualisiert, oder der Server antwortet nicht. Nicht gespeicherte Änderungen bleiben erhalten.',
    failed:
      'Auf dieser Seite ist ein Fehler aufgetreten ({message}). Laden Sie sie neu; nicht gespeicherte Änderungen bleiben erhalten. Tritt er wieder auf, melden Sie diesen Text.',
    reload: 'Neu laden',
  },
})

/**
 * Shows an error instead of a page that couldn't be rendered, until another page is opened. A deployment can cause
 * this, because it renames the files of a page.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  return <Boundary location={location}>{children}</Boundary>
}

type Props = { location: string; children: ReactNode }
type State = { error: Error | null; location: string }

class Boundary extends Component<Props, State> {
  override state: State = { error: null, location: this.props.location }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ location }: Props, state: State): Partial<State> | null {
    return location === state.location ? null : { location, error: null }
  }

  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children
  }
}

function Failure({ error }: { error: Error }) {
  const t = useT(texts)
  // Browsers have no specific type of error for a module that can't be fetched. Vite has none for styles either.
  const isMissing = /dynamically imported module|module script|preload CSS/i.test(error.message)
  return (
    <div className="alert" role="alert">
      <p>{isMissing ? t('missing') : t('failed', { message: error.message })}</p>
      <Button onPress={() => window.location.reload()}>{t('reload')}</Button>
    </div>
  )
}
