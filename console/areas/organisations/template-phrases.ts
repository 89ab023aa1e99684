import { phrases } from '../../phrases.ts'

/** The phrases about the roles and scopes that all organisations share. */
export const templatePhrases = phrases({
  en: {
    newRole: 'New role',
    rolesLead: 'All organizations share these roles. A member can have different roles in each organization.',
    owner: 'Owners can do everything in their organization. You can change only the scopes of this role.',
    administration: 'Administration of the organization',
    permissions: 'Administration of the organization',
    administrationLead:
      'What members with this role can do for their organization in the account center. Tokens don’t include it.',
    'members:read': 'See members and invitations',
    'members:manage': 'Invite and remove members, and change their roles',
    'domains:manage': 'Add and remove domains',
    'settings:manage': 'Change the name, the brand and the policy',
    'log:read': 'See the log',
    scopes: 'Scopes',
    scopesLead:
      'What tokens for the organization include if the member has this role. Changes take effect with the next token.',
    organizationScopes: 'For the organization itself',
    noScopes: 'There are no scopes of organizations yet.',
    scopesOf: 'For the API {api}',
    noApiScopes: 'Your APIs have no permissions yet.',
    deleteRole: 'Delete the role {name}?',
    deleteRoleLead:
      'Members and services of all organizations lose this role. Invitations and domains that name it no longer give it. You can’t undo this.',
    newScope: 'New scope',
    scopeListLead:
      'Scopes of tokens whose audience is an organization itself, and not one of your APIs. Members get them through roles.',
    scope: 'Scope',
    scopeHint: 'No spaces. For example, plan:read.',
    deleteScope: 'Delete the scope {name}?',
    deleteScopeLead: 'All roles lose it. You can’t undo this.',
    editScope: 'Change the scope {name}',
    change: 'Change',
  },
  de: {
    newRole: 'Neue Rolle',
    rolesLead:
      'Diese Rollen haben alle Organisationen gemeinsam. Ein Mitglied kann in jeder Organisation andere Rollen haben.',
    owner: 'Inhaber dürfen in ihrer Organisation alles. An dieser Rolle lassen sich nur die Scopes ändern.',
    administration: 'Verwaltung der Organisation',
    permissions: 'Verwaltung der Organisation',
    administrationLead:
      'Was Mitglieder mit dieser Rolle im Kontobereich für ihre Organisation tun dürfen. In Tokens steht es nicht.',
    'members:read': 'Mitglieder und Einladungen ansehen',
    'members:manage': 'Mitglieder einladen und entfernen, ihre Rollen ändern',
    'domains:manage': 'Domains hinzufügen und entfernen',
    'settings:manage': 'Name, Marke und Richtlinie ändern',
    'log:read': 'Protokoll ansehen',
    scopes: 'Scopes der Rolle',
    scopesLead:
      'Was Tokens für die Organisation enthalten, wenn das Mitglied diese Rolle hat. Änderungen gelten ab dem nächsten Token.',
    organizationScopes: 'Für die Organisation selbst',
    noScopes: 'Es gibt noch keine Scopes für Organisationen.',
    scopesOf: 'Für die API {api}',
    noApiScopes: 'Ihre APIs haben noch keine Berechtigungen.',
    deleteRole: 'Die Rolle {name} löschen?',
    deleteRoleLead:
      'Mitglieder und Dienste aller Organisationen verlieren diese Rolle. Einladungen und Domains geben sie nicht mehr. Das lässt sich nicht rückgängig machen.',
    newScope: 'Neuer Scope',
    scopeListLead:
      'Scopes von Tokens, deren Audience eine Organisation selbst ist und keine Ihrer APIs. Mitglieder erhalten sie durch Rollen.',
    scope: 'Scope-Name',
    scopeHint: 'Ohne Leerzeichen, etwa plan:read.',
    deleteScope: 'Den Scope {name} löschen?',
    deleteScopeLead: 'Alle Rollen verlieren ihn. Das lässt sich nicht rückgängig machen.',
    editScope: 'Den Scope {name} ändern',
    change: 'Ändern',
  },
})
