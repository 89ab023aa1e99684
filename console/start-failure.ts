import { detectLanguage } from './language.ts'
import { applyTheme, readStoredTheme } from './shown-theme.ts'

const texts = {
  en: {
    title: 'Console',
    lead: 'We couldn’t load the console. It may have been updated, or the server may not be responding.',
    reload: 'Reload',
  },
  de: {
    title: 'Konsole',
    lead: 'Die Konsole ließ sich nicht laden. Vielleicht wurde sie aktualisiert, oder der Server antwortet nicht.',
    reload: 'Neu laden',
  },
}

/**
 * Replaces the console with an error message. It only relies on the entry and its styles, because anything else may
 * have failed to load.
 */
export function showStartFailure(failure: unknown): void {
  const language = detectLanguage()
  document.documentElement.lang = language
  applyTheme(readStoredTheme())
  const { title, lead, reload } = texts[language]
  const reloadButton = element('button', reload, 'button primary')
  reloadButton.addEventListener('click', () => window.location.reload())
  const notice = element('div', '', 'alert')
  notice.setAttribute('role', 'alert')
  notice.append(element('p', lead), element('p', String(failure)))
  const main = element('main', '', 'plain')
  main.append(element('h1', title), notice, reloadButton)
  const container = document.getElementById('console') ?? document.body
  container.replaceChildren(main)
}

function element(name: 'main' | 'h1' | 'div' | 'p' | 'button', text: string, className = ''): HTMLElement {
  const node = document.createElement(name)
  node.textContent = text
  node.className = className
  return node
}
