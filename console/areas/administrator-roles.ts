import { phrases, useT } from '../phrases.ts'
import { type AdministratorRoleId, isAdministratorRole } from '../session/authority.ts'

/** The phrases that name each administrator role and describe what it allows (spec/management#administrators). */
const texts = phrases({
  en: {
    builtInRole: '{name} (built-in)',
    'admin-role': 'Owners',
    'admin-roleLead': 'Can do everything, including assigning roles to administrators.',
    'developer-role': 'Developers',
    'developer-roleLead':
      'Can change applications, the sign-in experience, connectors, roles, APIs and webhooks. Can view settings and the log.',
    'support-role': 'Support',
    'support-roleLead': 'Can change users. Can view applications, roles and the log.',
    'read-only-role': 'Read-only',
    'read-only-roleLead': 'Can view everything except secrets.',
  },
  de: {
    builtInRole: '{name} (eingebaut)',
    'admin-role': 'Inhaber',
    'admin-roleLead': 'Dürfen alles, auch Administratoren Rollen zuweisen.',
    'developer-role': 'Entwickler',
    'developer-roleLead':
      'Dürfen Anwendungen, Anmeldeseiten, Konnektoren, Rollen, APIs und Webhooks ändern. Dürfen Einstellungen und Protokoll ansehen.',
    'support-role': 'Support',
    'support-roleLead': 'Dürfen Benutzer ändern. Dürfen Anwendungen, Rollen und Protokoll ansehen.',
    'read-only-role': 'Nur lesen',
    'read-only-roleLead': 'Dürfen alles außer Secrets ansehen.',
  },
})

/** Returns functions that name and describe roles. The administrator roles have names in the console's language. */
export function useRoleWords() {
  const t = useT(texts)
  return {
    title: (id: AdministratorRoleId) => t(id),
    lead: (id: AdministratorRoleId) => t(`${id}Lead`),
    /** Returns the name of any role. It marks an administrator role, because another role may have the same name. */
    nameOf: ({ id, name }: { id: string; name: string }) =>
      isAdministratorRole(id) ? t('builtInRole', { name: t(id) }) : name,
    /** Describes what a role allows, if it is an administrator role. */
    leadOf: (id: string) => (isAdministratorRole(id) ? t(`${id}Lead`) : undefined),
  }
}
